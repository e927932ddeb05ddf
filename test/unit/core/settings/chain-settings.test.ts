import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { beaconNetworkSchema, chainSettings, gloasEpochSchema } from '#core/settings/chain-settings.ts';

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

test.each([
  ['quorum', 10],
  ['provePerDay', 100],
  ['confirmations', 100_000],
] as const)('%s is a whole number from 1 to %i', (name, most) => {
  const setting = chainSettings[name];
  for (const value of [1, 2, most]) expect(setting.parse(value)).toBe(value);
  for (const value of [0, most + 1, 1.5]) expect(setting.safeParse(value).success).toBe(false);
});

test('the name of an SSM parameter begins with / and has up to 1,000 more characters', () => {
  const { endpointsParameter } = chainSettings;
  for (const name of ['/a', `/${'a'.repeat(1_000)}`]) expect(endpointsParameter.parse(name)).toBe(name);
  for (const name of ['/', 'a', '/a b', `/${'a'.repeat(1_001)}`])
    expect(endpointsParameter.safeParse(name).success).toBe(false);
});

test('a checkpoint is 32 bytes in hex', () => {
  const { checkpoint } = chainSettings;
  expect(checkpoint.parse(`0x${'0f'.repeat(32)}`)).toBe(`0x${'0f'.repeat(32)}`);
  for (const digits of [62, 63, 65])
    expect(checkpoint.safeParse(`0x${'f'.repeat(digits)}`).success).toBe(false);
});

test('light-client servers are one or more, without credentials in their URLs', () => {
  const { beacon } = chainSettings;
  expect(beacon.parse({ urls: ['https://a.example'] })).toEqual({ urls: ['https://a.example'] });
  for (const urls of [[], ['http://a.example'], ['https://user@a.example'], ['https://a.example?key=1']])
    expect(beacon.safeParse({ urls }).success).toBe(false);
});

test('the fork Gloas begins at epoch 1 at the earliest', () => {
  expect([0, 1].map((epoch) => gloasEpochSchema.safeParse(epoch).success)).toEqual([false, true]);
});

const forksAt = (...epochs: readonly number[]) =>
  epochs.map((epoch) => ({ name: 'deneb', epoch, version: '0x04000001' }) as const);

test('reads mainnet and private networks', () => {
  for (const one of [ETHEREUM_BEACON, network, { ...network, forks: forksAt(0, 3, 3) }])
    expect(beaconNetworkSchema.parse(one)).toEqual(one);
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
  [{ forks: forksAt(0, 5, 3) }, 'expected forks in the order of their epochs'],
  [{ slotsPerPeriod: 64 }, ', and nothing else'],
])('refuses %j of a network', (field, message) => {
  const { error } = beaconNetworkSchema.safeParse({ ...network, ...field });
  expect(error?.issues).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
});
