import { type BeaconNetwork, ETHEREUM_BEACON, GNOSIS_BEACON } from '#core/chains/finality-rules.ts';
import {
  BOB_TIMES,
  BSC_BLOBS,
  ETHEREUM_BLOBS,
  GNOSIS_BLOBS,
  LAST_ARBOS_VERSION,
  OP_STACK_TIMES,
  POLYGON_SPRINTS,
  UNICHAIN_TIMES,
  WORLD_CHAIN_TIMES,
} from '#core/chains/fork-times.ts';

/* The times and numbers of forks, computed or stated in another way than in the table. */

const seconds = (time: string): number => Date.parse(time) / 1_000;

/** The time at which an epoch of a beacon chain begins, or a fork of it. */
function timeOfEpoch({ forks, genesisTime, ...network }: BeaconNetwork, at: number | string): number {
  const epoch = typeof at === 'number' ? at : (forks.find(({ name }) => name === at)?.epoch ?? 0);
  return genesisTime + epoch * network.slotsPerEpoch * network.secondsPerSlot;
}

test("the blobs of Ethereum follow its beacon chain's forks and the two of EIP-7892", () => {
  // Epochs and limits: BLOB_SCHEDULE in metadata/config.yaml of https://github.com/eth-clients/mainnet. The fractions are of EIP-4844
  // and EIP-7691, and EIP-7892 scales them with the target.
  const forks = [
    { epoch: 'deneb', max: 6, fraction: 3_338_477 },
    { epoch: 'electra', max: 9, fraction: 5_007_716 },
    { epoch: 'fulu', max: 9, fraction: 5_007_716, hasReservePrice: true },
    { epoch: 412_672, max: 15, fraction: (5_007_716 * 10) / 6, hasReservePrice: true },
    { epoch: 419_072, max: 21, fraction: (5_007_716 * 14) / 6, hasReservePrice: true },
  ];
  const targets = [3, 6, 6, 10, 14];
  expect(ETHEREUM_BLOBS).toEqual(
    forks.map(({ epoch, fraction, ...rest }, index) => ({
      from: timeOfEpoch(ETHEREUM_BEACON, epoch),
      target: targets[index],
      updateFraction: Math.round(fraction),
      ...rest,
    })),
  );
});

test('the blobs of Gnosis are a third of those of Cancun at 1 gwei or more, and Osaka only adds the reserve price', () => {
  const numbers = { target: 1, max: 2, updateFraction: Math.round(3_338_477 / 3), minPrice: 10 ** 9 };
  expect(GNOSIS_BLOBS).toEqual([
    { from: timeOfEpoch(GNOSIS_BEACON, 'deneb'), ...numbers },
    { from: timeOfEpoch(GNOSIS_BEACON, 'fulu'), ...numbers, hasReservePrice: true },
  ]);
});

test("the blobs of BSC keep Cancun's numbers, and are in every fifth block since Mendel", () => {
  const numbers = { target: 3, max: 6, updateFraction: 3_338_477 };
  expect(BSC_BLOBS).toEqual([
    { from: seconds('2024-06-20T06:05:00Z'), ...numbers },
    { from: seconds('2026-04-28T02:30:00Z'), ...numbers, interval: 5 },
  ]);
});

describe('the OP stack', () => {
  const IN_GENESIS = '1970-01-01T00:00:00Z';
  const SUPERCHAIN = {
    regolithTime: IN_GENESIS,
    canyonTime: '2024-01-11T17:00:01Z',
    ecotoneTime: '2024-03-14T00:00:01Z',
    fjordTime: '2024-07-10T16:00:01Z',
    isthmusTime: '2025-05-09T16:00:01Z',
    jovianTime: '2025-12-02T16:00:01Z',
  };
  test.each<[string, Readonly<Record<keyof typeof SUPERCHAIN, number>>, Partial<typeof SUPERCHAIN>]>([
    ['OP Mainnet, Base, Zora and Mode', OP_STACK_TIMES, {}],
    [
      'Unichain, Ink and Soneium',
      UNICHAIN_TIMES,
      { canyonTime: IN_GENESIS, ecotoneTime: IN_GENESIS, fjordTime: IN_GENESIS },
    ],
    [
      'World Chain',
      WORLD_CHAIN_TIMES,
      {
        canyonTime: IN_GENESIS,
        ecotoneTime: IN_GENESIS,
        fjordTime: '2024-07-24T13:00:00Z',
        isthmusTime: '2025-11-25T12:00:00Z',
        jovianTime: '2026-05-01T00:00:00Z',
      },
    ],
    [
      'BOB',
      BOB_TIMES,
      { canyonTime: IN_GENESIS, ecotoneTime: IN_GENESIS, jovianTime: '2026-03-12T14:30:01Z' },
    ],
  ])('upgraded %s at the announced times', (_, times, own) => {
    const announced = Object.entries({ ...SUPERCHAIN, ...own });
    expect(times).toEqual(Object.fromEntries(announced.map(([fork, time]) => [fork, seconds(time)])));
  });
});

test('a sprint of Polygon had 64 blocks, and has 16 since Delhi, which began with a sprint', () => {
  expect(POLYGON_SPRINTS).toEqual([
    { from: 0, length: 64 },
    { from: 596_704 * 64, length: 16 },
  ]);
});

test('ArbOS 61 is the newest version whose rules are known', () => {
  // https://docs.arbitrum.io/run-arbitrum-node/arbos-releases/arbos61
  expect(LAST_ARBOS_VERSION).toBe(61);
});
