import { chainOf } from '#core/chains/chains.ts';
import type { Clock } from '#core/clock.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { countConflicts } from '#core/ingest/freshness.ts';
import type { RunReport } from '#core/ingest/report.ts';
import { settleConflict } from '#core/store/conflicts.ts';
import { putDay } from '#core/store/days.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import { minutesUntil, type Sample, samplesOf } from '#test/support/alarm-states.ts';
import { fastClock } from '#test/support/clock.ts';
import { hashOf, provenance } from '#test/support/generators/builders.ts';
import { answerFrom, sampleChain } from '#test/support/generators/sample-chain.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest, silentFrom } from '#test/support/processes/run-ingest.ts';
import { useStore } from '#test/support/tables/table.ts';

/*
 * The ingest runs against faulty nodes, and the alarms of the template are evaluated over its metrics. An operator must notice each fault
 * within an hour.
 */

const { table, store } = useStore('ETHEREUM');
const MINUTE_MS = 60_000;
const EVERY_MS = 5 * MINUTE_MS;
const AN_HOUR = 60;

const DAY = '2026-11-18';
const NOON = Date.parse(`${DAY}T12:00:00Z`);
/** A block every two hours, the newest ten minutes before noon. */
const blocks = sampleChain(
  Array.from({ length: 7 }, (_, index) => (NOON - 10 * MINUTE_MS) / 1_000 - (6 - index) * 7_200),
);

/** A clock that starts at a given time, and runs as fast as the tests need. */
function clockAt(time: number): Clock {
  const clock = fastClock();
  const offset = time - clock.now();
  return { ...clock, now: () => clock.now() + offset };
}

/** Runs the ingest once at a time, and returns its report as the function logs it. */
async function runAt(time: number, answer: NodeAnswer): Promise<RunReport> {
  await using node = await startJsonRpcServer(answer);
  const report = await runIngest(table(), [node], {
    chain: chainOf('ETHEREUM'),
    clock: clockAt(time),
    from: DAY,
    ms: 270_000,
  });
  const openConflicts = await countConflicts(store(), report);
  return { ...report, ...(openConflicts !== undefined && { openConflicts }) };
}

/** Returns the metrics of a schedule's runs, from reports at their times. */
const scheduled = (from: number, runs: number, reportAt: (time: number) => RunReport): Sample[] =>
  Array.from({ length: runs }, (_, run) => from + run * EVERY_MS).flatMap((time) =>
    samplesOf(time, () => publishMetrics(reportAt(time))),
  );

test.each<[string, (answer: NodeAnswer) => NodeAnswer]>([
  ['never answer for receipts', (answer) => silentFrom(0, answer)],
  [
    'refuse receipts by their rate limit',
    (answer) => (call) => (call.method === 'eth_getBlockReceipts' ? { status: 429, body: '' } : answer(call)),
  ],
  [
    'have no receipts',
    (answer) => (call) => (call.method === 'eth_getBlockReceipts' ? { result: null } : answer(call)),
  ],
])('days without receipts, from nodes that %s, page within an hour', async (_, spoil) => {
  const report = await runAt(NOON, spoil(answerFrom(blocks)));
  expect(report).toMatchObject({ outcome: 'failed', blocks: 0, head: 6 });
  const samples = scheduled(NOON, 3 * 24 * 12, () => report);
  expect(minutesUntil('ALARM', 'page-ingest-failing-ETHEREUM', samples, NOON)).toBeLessThanOrEqual(AN_HOUR);
});

test('one failed run among good ones pages nobody', async () => {
  const good = await runAt(NOON, answerFrom(blocks));
  const samples = scheduled(NOON, 101, (time) =>
    time % (2 * EVERY_MS) === 0 ? good : { ...good, outcome: 'failed', reason: 'unreachable' },
  );
  expect(minutesUntil('ALARM', 'page-ingest-failing-ETHEREUM', samples, NOON)).toBe(Number.POSITIVE_INFINITY);
});

test('a stuck head pages within an hour after the last block, although each run succeeds', async () => {
  const samples: Sample[] = [];
  for (let run = 0; run < 24; run++) {
    const time = NOON + run * EVERY_MS;
    const report = await runAt(time, answerFrom(blocks));
    expect(report.outcome).toBe('up to date');
    samples.push(...samplesOf(time, () => publishMetrics(report)));
  }
  expect(minutesUntil('ALARM', 'page-head-old-ETHEREUM', samples, NOON)).toBeLessThanOrEqual(AN_HOUR);
  expect(minutesUntil('ALARM', 'page-ingest-failing-ETHEREUM', samples, NOON)).toBe(Number.POSITIVE_INFINITY);
});

test('a conflict pages with the next run, stays although later runs find nothing, and ends when it is settled', async () => {
  const elsewhere = { number: 6, hash: hashOf('elsewhere') };
  const figures = { totals: NO_TOTALS, first: elsewhere, last: elsewhere, definitionVersion: 1 };
  await putDay(store(), { ...figures, day: DAY }, provenance());
  const found = await runAt(NOON + 12 * 3_600_000 + MINUTE_MS, answerFrom([...blocks, ...nextDay()]));
  expect(found).toMatchObject({ outcome: 'conflict', openConflicts: 1 });

  await table().deleteItem({ chain: 'ETHEREUM', date: DAY });
  const later = await runAt(NOON, answerFrom(blocks));
  expect(later).toMatchObject({ outcome: 'up to date', openConflicts: 1 });
  const night = [found, ...Array.from({ length: 100 }, () => later)];
  const samples = night.flatMap((report, run) =>
    samplesOf(NOON + run * EVERY_MS, () => publishMetrics(report)),
  );
  expect(minutesUntil('ALARM', 'page-conflict', samples, NOON)).toBe(0);
  expect(minutesUntil('OK', 'page-conflict', samples, NOON)).toBe(Number.POSITIVE_INFINITY);

  await settleConflict(store(), { day: DAY });
  const settled = await runAt(NOON, answerFrom(blocks));
  const after = NOON + 200 * EVERY_MS;
  const ended = [...samples, ...samplesOf(after, () => publishMetrics(settled))];
  expect(minutesUntil('OK', 'page-conflict', ended, after)).toBeLessThanOrEqual(AN_HOUR);
});

/** A block of the next day, which the hosts call final. */
const nextDay = () =>
  sampleChain([...blocks.map(({ header }) => Number(header.timestamp)), NOON / 1_000 + 43_210]).slice(7);

test('a chain whose runs stop reporting pages at once, and a new stage without data does not', () => {
  const good = {
    chain: 'ETHEREUM',
    outcome: 'up to date',
    days: [],
    restated: [],
    blocks: 1,
    seconds: 1,
  } as const;
  const report = { ...good, blocksPerSecond: 1, faults: {}, dataAgeSeconds: 40_000, headAgeSeconds: 900 };
  const samples = scheduled(NOON, 12, () => report);
  const stopped = NOON + 12 * EVERY_MS;
  expect(minutesUntil('ALARM', 'page-data-old-ETHEREUM', samples, NOON - 3_600_000)).toBe(
    Number.POSITIVE_INFINITY,
  );
  expect(minutesUntil('INSUFFICIENT_DATA', 'page-data-old-ETHEREUM', samples, stopped)).toBeLessThanOrEqual(
    2 * AN_HOUR,
  );
});

test.each([
  ['a poisoned row of the newest days', 'page-probe-failing', 'Errors'],
  ['an outage at one request an hour', 'page-probe-failing', 'Errors'],
])('%s pages within an hour, through the probe', (_, alarm, metric) => {
  const samples = Array.from({ length: 9 }, (_, run) => ({
    at: NOON + run * 20 * MINUTE_MS,
    metric,
    value: 1,
  }));
  expect(minutesUntil('ALARM', alarm, samples, NOON)).toBeLessThanOrEqual(AN_HOUR);
});

test('three failed requests within an hour page, however few requests there are', () => {
  const metric = '5XXError';
  const samples = [0, 20, 40].map((minutes) => ({ at: NOON + minutes * MINUTE_MS, metric, value: 1 }));
  expect(minutesUntil('ALARM', 'page-api-errors-hourly', samples, NOON)).toBeLessThanOrEqual(AN_HOUR);
  expect(minutesUntil('ALARM', 'page-api-errors-hourly', samples.slice(1), NOON)).toBe(
    Number.POSITIVE_INFINITY,
  );
});
