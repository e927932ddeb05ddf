import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { chainOf } from '#core/chains/chains.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { recordLag, reviewConflicts, unreadSeconds } from '#core/ingest/freshness.ts';
import type { RunReport } from '#core/ingest/report.ts';
import { settleConflict } from '#core/store/chain/conflicts.ts';
import { environment } from '#lambda/environment.ts';
import { handler as probe } from '#lambda/probe.ts';
import { behaviors } from '#test/support/aws/alarm-states.ts';
import type { Sample } from '#test/support/aws/metric-math.ts';
import {
  DAY,
  days,
  evaluate,
  every,
  HOUR_MS,
  MIDNIGHT,
  MINUTE_MS,
  NOON,
  newestAge,
  published,
  schedule,
  subjects,
} from '#test/support/aws/scheduled-runs.ts';
import { fastClock } from '#test/support/clock.ts';
import { hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest, silentFrom } from '#test/support/processes/run-ingest.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/*
 * The ingest and the probe run against faults, and the alarms of the template are evaluated over their metrics. Each fault must send
 * exactly the emails that it should, and those that pass within hours none.
 */

const { table, store } = useMemoryStore('ETHEREUM');
/** A block every two hours, the newest ten minutes before noon. */
const blocks = sampleChain(
  Array.from({ length: 7 }, (_, index) => (NOON - 10 * MINUTE_MS) / 1_000 - (6 - index) * 7_200),
);

const clockAt = (time: number) => fastClock(1_000, time);

/** Runs the ingest once at a time, and returns its report as the function logs it. */
async function runAt(time: number, answer: NodeAnswer): Promise<RunReport> {
  await using node = await startJsonRpcServer(answer);
  const clock = clockAt(time);
  const given = { chain: chainOf('ETHEREUM'), clock, from: DAY, ms: 270_000 };
  const report = await runIngest(table(), [node], given);
  const openConflicts = await reviewConflicts(store(), report);
  const unread = await unreadSeconds(store(), report, clockAt(time));
  await recordLag(store(), report, clockAt(time));
  return {
    ...report,
    ...(openConflicts !== undefined && { openConflicts }),
    ...(unread !== undefined && { unreadSeconds: unread }),
  };
}

describe('nodes that', () => {
  test.each<[string, (answer: NodeAnswer) => NodeAnswer]>([
    ['never answer for receipts', (answer) => silentFrom(0, answer)],
    [
      'refuse receipts by their rate limit',
      (answer) => (call) =>
        call.method === 'eth_getBlockReceipts' ? { status: 429, body: '' } : answer(call),
    ],
    [
      'have no receipts',
      (answer) => (call) => (call.method === 'eth_getBlockReceipts' ? { result: null } : answer(call)),
    ],
  ])('%s raise the age of the head, although they give a new final block', async (_, spoil) => {
    await runAt(NOON, answerFrom(blocks));
    const more = sampleChain([
      ...blocks.map(({ header }) => Number(header.timestamp)),
      NOON / 1_000 + 3 * 3_600,
    ]);
    const report = await runAt(NOON + 4 * HOUR_MS, spoil(answerFrom(more)));
    expect(report).toMatchObject({ outcome: 'failed', blocks: 0, head: 7 });
    const age = published(NOON, report).find(({ metric }) => metric.startsWith('Lateness'))?.value;
    // The final block is an hour old, but nothing was read for four, less the time that the first run took.
    expect(age).toBeGreaterThan(3.9 * 3_600);
    expect(age).toBeLessThan(5 * 3_600);
  });

  test('are stuck page after six hours, although each run succeeds', async () => {
    const until = NOON + 9 * HOUR_MS;
    const samples = schedule(until, (chain, time) =>
      chain === 'ETHEREUM' && time >= NOON ? 'none' : undefined,
    );
    for (let time = NOON; time < until; time += 15 * MINUTE_MS) {
      const report = await runAt(time, answerFrom(blocks));
      expect(report.outcome).toBe('up to date');
      samples.push(...published(time, { ...report, dataAgeSeconds: newestAge(time, time) }));
    }
    const { mails } = evaluate(samples, NOON, until);
    expect(subjects(mails)).toEqual(['page: page-chain-ETHEREUM ALARM']);
    expect(mails[0]?.minutes).toBeGreaterThan(5.5 * 60);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(7.5 * 60);
  });
});

test('a conflict pages with the next run, stays although later runs find nothing, and ends when it is settled', async () => {
  const elsewhere = { number: 6, hash: hashOf('elsewhere') };
  const ends = { parentHash: hashOf('before'), first: elsewhere, last: elsewhere };
  const figures = { totals: NO_TOTALS, ...ends, definitionVersion: 1 };
  await putDay(store(), { ...figures, day: DAY }, provenance());
  const found = await runAt(NOON + 12 * HOUR_MS + MINUTE_MS, answerFrom([...blocks, ...nextDay()]));
  expect(found).toMatchObject({ outcome: 'conflict', openConflicts: 1 });

  await table().deleteItem({ chain: 'ETHEREUM', date: DAY });
  const later = await runAt(NOON, answerFrom(blocks));
  expect(later).toMatchObject({ outcome: 'up to date', openConflicts: 1 });
  await settleConflict(store(), { day: DAY });
  const settled = await runAt(NOON, answerFrom(blocks));

  const conflicts = ({ metric }: Sample) => metric.startsWith('OpenConflicts');
  const ended = NOON + 6 * HOUR_MS;
  const samples = schedule(days(1), (chain, time) => {
    if (chain !== 'ETHEREUM' || time < NOON) return undefined;
    if (time >= ended) return settled;
    return time === NOON ? found : later;
  }).filter(conflicts);
  const { mails } = evaluate(samples, NOON, days(1));
  expect(mails).toEqual([
    { topic: 'page', alarm: 'page-conflict', state: 'ALARM', minutes: 0 },
    { topic: 'page', alarm: 'page-conflict', state: 'OK', minutes: expect.closeTo(6.5 * 60, -2) },
  ]);
});

/** A block of the next day, which the hosts call final. */
const nextDay = () =>
  sampleChain([...blocks.map(({ header }) => Number(header.timestamp)), NOON / 1_000 + 43_210]).slice(7);

describe('of the API,', () => {
  const PROBE = 'Errors Apiprobe';
  const good = every(20, [MIDNIGHT, NOON], PROBE, 0);

  test('a broken domain pages within an hour through the probe, and once more when it works', async () => {
    mockClient(SSMClient)
      .on(GetParameterCommand)
      .resolves({ Parameter: { Value: 'key' } });
    mockClient(S3Client)
      .on(GetObjectCommand)
      .rejects(new NoSuchKey({ message: '', $metadata: {} }));
    const error = jest.spyOn(console, 'error').mockImplementation(() => {});
    Object.assign(process.env, {
      [environment.exportBucket]: 'exports',
      [environment.apiUrl]: 'https://api.invalid/',
      [environment.probeKeyParameter]: '/key',
    });
    await expect(probe()).rejects.toThrow(/^The probe of https:\/\/api\.invalid\/ failed\. .*did not answer/);
    error.mockRestore();

    const broken = every(20, [NOON, NOON + 3 * HOUR_MS], PROBE, 1);
    const works = every(20, [NOON + 3 * HOUR_MS, days(1)], PROBE, 0);
    const { mails } = evaluate([...good, ...broken, ...works], NOON, days(1));
    expect(subjects(mails)).toEqual(['page: page-api ALARM', 'page: page-api OK']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(60);
  });

  test('one failed call of the probe pages nobody, and a probe that stops does', () => {
    const { mails } = evaluate([...good, { at: NOON, metric: PROBE, value: 1 }], NOON, days(1));
    expect(subjects(mails)).toEqual(['page: page-api ALARM']);
  });

  const METRIC = '5XXError';
  test.each([
    ['three failed requests in an hour', every(20, [NOON, NOON + HOUR_MS], METRIC, 1)],
    ['every tenth request of a burst', every(1, [NOON, NOON + 10 * MINUTE_MS], METRIC, 1)],
  ])('%s page nobody, and are in the daily email', (_, failed) => {
    const fine = every(1, [NOON, days(1)], METRIC, 0);
    const { mails, states } = evaluate([...good, ...works(), ...fine, ...failed], NOON, days(1));
    expect(mails).toEqual([]);
    expect(states['notice-api-errors']).toBe('ALARM');
  });

  test('many failed requests page within 20 minutes', () => {
    const failed = every(0.5, [NOON, NOON + HOUR_MS], METRIC, 1);
    const fine = every(0.05, [NOON, NOON + HOUR_MS], METRIC, 0);
    const { mails } = evaluate([...good, ...works(), ...fine, ...failed], NOON, NOON + HOUR_MS);
    expect(subjects(mails)).toEqual(['page: page-api ALARM']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(20);
  });

  const works = () => every(20, [NOON, days(1)], PROBE, 0);
});

describe('an export that', () => {
  const EXPORT = 'Errors BackupExport';
  const at = (day: number) => days(day) + 2.5 * HOUR_MS;
  // The range is longer than the evaluation periods: the alarm depends on that, as the documentation states it.
  const longer = behaviors.filter(({ lookback }) => lookback > 0);
  const good = [0, 1, 2].map((day) => ({ at: at(day), metric: EXPORT, value: 0 }));

  test('stops is emailed as a notice within a day and a half, because no daily email can say so', () => {
    const { mails } = evaluate(good, at(1), days(5), {}, at(0), longer);
    expect(subjects(mails)).toEqual(['notice: notice-export-stale ALARM']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual((24 + 36) * 60);
  });

  test('fails each day is emailed as a notice', () => {
    const failing = [3, 4].map((day) => ({ at: at(day), metric: EXPORT, value: 1 }));
    const { mails } = evaluate([...good, ...failing], at(1), days(5), {}, at(0), longer);
    expect(subjects(mails)).toEqual(['notice: notice-export-stale ALARM']);
  });
});

test('a lost run is a notice for a day, sends no email of its own, and ends although nobody empties the queue', () => {
  const lost = [{ at: NOON, metric: 'NumberOfMessagesSent', value: 1 }];
  const stateAt = (time: number) => evaluate(lost, NOON, time).states['notice-run-lost'];
  expect(evaluate(lost, NOON, days(3)).mails).toEqual([]);
  expect(stateAt(days(1) + 2.5 * HOUR_MS)).toBe('ALARM');
  expect(stateAt(days(2) + 2.5 * HOUR_MS)).toBe('OK');
});
