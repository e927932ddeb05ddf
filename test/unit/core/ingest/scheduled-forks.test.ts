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

test('a fork of the table is no longer told once its time has come', () => {
  const next = { activationTime: bpo2, blobSchedule };
  expect(forksOfConfig({ current: next }, ETHEREUM_BLOBS, bpo2)).toEqual([]);
});

test('an active fork with other blobs is told, though it began with genesis', () => {
  const current = { activationTime: 0, blobSchedule: { ...blobSchedule, max: 22 } };
  expect(forksOfConfig({ current }, ETHEREUM_BLOBS, NOW)).toEqual([
    { name: 'blobs 14/22', at: '1970-01-01T00:00:00.000Z', followed: false },
  ]);
});

test('a time after the year 9999 stands for never', () => {
  const last = Date.parse('9999-12-31T23:59:59Z') / 1_000;
  const forks = (activationTime: number) => forksOfConfig({ next: { activationTime } }, ETHEREUM_BLOBS, NOW);
  expect(forks(last)).toMatchObject([{ at: '9999-12-31T23:59:59.000Z' }]);
  expect(forks(last + 1)).toEqual([]);
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

describe('a beacon node', () => {
  const spec = (data: object, now = NOW) => forksOfSpec({ data }, ETHEREUM_BEACON, ETHEREUM_BLOBS, now);
  const blobs = (epoch: number, max: number) => ({
    BLOB_SCHEDULE: [{ EPOCH: `${epoch}`, MAX_BLOBS_PER_BLOCK: `${max}` }],
  });

  test('tells a fork until the second in which its epoch begins', () => {
    const begin = Date.parse('2027-01-01T17:20:23Z') / 1_000;
    const gloas = { GLOAS_FORK_EPOCH: '500000' };
    expect([begin - 1, begin].map((now) => spec(gloas, now).length)).toEqual([1, 0]);
  });

  test('names forks of 1 to 20 letters and digits', () => {
    const names = ['X', 'EIP7692', 'A'.repeat(20), 'A'.repeat(21), '', 'B_C'];
    const data = Object.fromEntries(names.map((name, index) => [`${name}_FORK_EPOCH`, `${500_000 + index}`]));
    expect(spec(data).map(({ name }) => name)).toEqual(['x', 'eip7692', 'a'.repeat(20)]);
  });

  test('is not believed about epochs that are not text, or not of a fork', () => {
    expect(spec({ GLOAS_FORK_EPOCH: 500_000, OTHER_EPOCH: '500000' })).toEqual([]);
  });

  test('is followed only where it states the epoch of our table, and the blobs', () => {
    // https://eips.ethereum.org/EIPS/eip-7892: the second fork of blob parameters only, which allows 21 blobs.
    const followed = (data: object) => spec(data, 1_700_000_000).map((fork) => fork.followed);
    expect(followed(blobs(419_072, 21))).toEqual([true]);
    expect(followed(blobs(419_073, 21))).toEqual([false]);
    expect(followed(blobs(419_072, 22))).toEqual([false]);
    expect(followed({ FULU_FORK_EPOCH: '411393' })).toEqual([false]);
    expect(followed({ OSAKA_FORK_EPOCH: '411392' })).toEqual([false]);
  });

  test('fills the table with 20 forks at most', () => {
    const schedule = Array.from(
      { length: 21 },
      (_, index) => blobs(500_000 + index, 32).BLOB_SCHEDULE,
    ).flat();
    expect(spec({ BLOB_SCHEDULE: schedule })).toHaveLength(20);
  });
});

test('reads the version and the time of an ArbOS upgrade', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const forks = (version: number, time: number) => forksOfArbos(`0x${word(version)}${word(time)}`, 61, NOW);
  expect(forks(62, NOW + 60)).toEqual([
    { name: 'ArbOS 62', at: '2026-11-28T00:01:00.000Z', followed: false },
  ]);
  expect(forks(61, NOW + 60)).toMatchObject([{ followed: true }]);
  expect(forks(62, NOW)).toEqual([]);
  expect(forks(0, 0)).toEqual([]);
  expect(forksOfArbos('0x', 61, NOW)).toEqual([]);
});
