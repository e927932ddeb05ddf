import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { beaconNetworkSchema, chainSettings } from '#core/settings/chain-settings.ts';

/** A private network of the minimal preset. */
const network = {
  ...ETHEREUM_BEACON,
  genesisTime: 1_727_812_800,
  slotsPerEpoch: 8,
  epochsPerPeriod: 8,
  committeeSize: 32,
  forks: [
    { name: 'capella', epoch: 0, version: '0x03000001' },
    { name: 'deneb', epoch: 0, version: '0x04000001' },
  ],
} as const;

test('a quorum is one to ten hosts', () => {
  const { quorum } = chainSettings;
  for (const hosts of [1, 2, 10]) expect(quorum.parse(hosts)).toBe(hosts);
  for (const hosts of [0, 11, 1.5]) expect(quorum.safeParse(hosts).success).toBe(false);
});

test('reads mainnet and a private network', () => {
  for (const one of [ETHEREUM_BEACON, network]) expect(beaconNetworkSchema.parse(one)).toEqual(one);
});

test.each([
  [{ genesisValidatorsRoot: '0x12' }, 'expected 32 bytes in hex'],
  [{ genesisTime: '1727812800' }, 'expected a whole number of at least 0'],
  [{ secondsPerSlot: 0 }, 'expected a whole number of at least 1'],
  [{ slotsPerEpoch: 1.5 }, 'expected a whole number of at least 1'],
  [{ epochsPerPeriod: -8 }, 'expected a whole number of at least 1'],
  [{ committeeSize: undefined }, 'expected a whole number of at least 1'],
  [{ forks: [] }, 'expected a list of forks'],
  [{ forks: [{ name: 'altair', epoch: 0, version: '0x01000000' }] }, 'expected a list of forks'],
  [{ forks: [{ name: 'deneb', epoch: 0, version: '0x04' }] }, 'expected 4 bytes in hex'],
  [{ forks: ETHEREUM_BEACON.forks.toReversed() }, 'expected forks in the order of their epochs'],
  [{ slotsPerPeriod: 64 }, ', and nothing else'],
])('refuses %j of a network', (field, message) => {
  const { error } = beaconNetworkSchema.safeParse({ ...network, ...field });
  expect(error?.issues).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
});
