import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { ETHEREUM_BLOBS } from '#core/chains/fork-times.ts';
import { forksOfArbos, forksOfConfig, forksOfSpec } from '#core/ingest/scheduled-forks.ts';
import { readOtherJson } from '#test/support/generators/chains/real-nodes.ts';

/** 2026-11-28. */
const NOW = 1_795_824_000;

/** Answers of each client, recorded before the fork that it names. */
test.each([
  // Its last fork is earlier than its next one.
  [
    'geth-1.17.10-eth_config-next',
    [
      { name: 'blobs 21/32', at: '2028-04-22T07:06:40.000Z', followed: false },
      { name: 'blobs 21/32', at: '2027-12-28T13:20:00.000Z', followed: false },
    ],
  ],
  ['geth-1.17.10-eth_config-amsterdam', []],
  // Amsterdam's time beside the blobs of BPO3.
  [
    'geth-1.17.10-eth_config-bpo3',
    [{ name: 'blobs 21/32', at: '2026-11-22T11:00:00.000Z', followed: false }],
  ],
  // Without blobs.
  ['ethrex-24.0.0-eth_config-next', [{ at: '2027-12-28T13:20:00.000Z', followed: false }]],
  ['ethrex-24.0.0-eth_config', []],
])('reads from %s only what this version does not know', (name, forks) => {
  const { result } = readOtherJson(`ethereum/${name}.json.gz`) as { result: unknown };
  expect(forksOfConfig(result, ETHEREUM_BLOBS, NOW)).toEqual(forks);
});

const blobSchedule = { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 };
const bpo2 = 1_767_747_671;

test('follows a fork ahead whose time and blobs are those of the table', () => {
  const next = { activationTime: bpo2, blobSchedule };
  const forks = (fork: object) => forksOfConfig({ next: fork, last: fork }, ETHEREUM_BLOBS, bpo2 - 1);
  expect(forks(next)).toMatchObject([{ followed: true }]);
  expect(forks({ ...next, activationTime: bpo2 + 1 })).toMatchObject([{ followed: false }]);
  expect(forks({ ...next, blobSchedule: { ...blobSchedule, max: 22 } })).toMatchObject([{ followed: false }]);
});

test.each([null, 7, {}, { next: { activationTime: -1 } }, { next: { activationTime: 2 ** 53 - 1 } }])(
  'finds no fork in %j',
  (answer) => {
    expect(forksOfConfig(answer, ETHEREUM_BLOBS, NOW)).toEqual([]);
    expect(forksOfSpec(answer, ETHEREUM_BEACON, ETHEREUM_BLOBS, NOW)).toEqual([]);
  },
);

test('reads epochs ahead from a beacon node, but not one that stands for never', () => {
  const data = {
    FULU_FORK_EPOCH: '411392',
    GLOAS_FORK_EPOCH: '500000',
    HEZE_FORK_EPOCH: '18446744073709551615',
    BLOB_SCHEDULE: [{ EPOCH: '500001', MAX_BLOBS_PER_BLOCK: '32' }],
  };
  expect(forksOfSpec({ data }, ETHEREUM_BEACON, ETHEREUM_BLOBS, NOW)).toEqual([
    { name: 'gloas', at: '2027-01-01T17:20:23.000Z', followed: false },
    { name: 'at most 32 blobs', at: '2027-01-01T17:26:47.000Z', followed: false },
  ]);
  const known = forksOfSpec({ data }, ETHEREUM_BEACON, ETHEREUM_BLOBS, 1_700_000_000);
  expect(known.filter(({ followed }) => followed)).toMatchObject([{ name: 'fulu' }]);
});

test('reads the version and the time of an ArbOS upgrade', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const forks = (version: number, time: number) => forksOfArbos(`0x${word(version)}${word(time)}`, 61, NOW);
  expect(forks(62, NOW + 60)).toEqual([
    { name: 'ArbOS 62', at: '2026-11-28T00:01:00.000Z', followed: false },
  ]);
  expect(forks(61, NOW + 60)).toMatchObject([{ followed: true }]);
  expect(forks(0, 0)).toEqual([]);
  expect(forksOfArbos('0x', 61, NOW)).toEqual([]);
});
