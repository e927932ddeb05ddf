import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { chainOf, defaultChainNames } from '#core/chains/chains.ts';
import { dayOf, startOfDay } from '#core/figures/calendar.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { recordLag, reviewConflicts, unreadSeconds } from '#core/ingest/freshness.ts';
import type { RunReport } from '#core/ingest/report.ts';
import { settleConflict } from '#core/store/chain/conflicts.ts';
import { environment } from '#lambda/environment.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import { handler as probe } from '#lambda/probe.ts';
import { type Mail, runAlarms, type Sample, samplesOf } from '#test/support/aws/alarm-states.ts';
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
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The longest interval between two runs of a chain. */
const EVERY_MS = 30 * MINUTE_MS;

const DAY = '2026-11-18';
const MIDNIGHT = Date.parse(`${DAY}T00:00:00Z`);
const NOON = MIDNIGHT + 12 * HOUR_MS;
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

const published = (time: number, report: RunReport): Sample[] =>
  samplesOf(time, () => publishMetrics(report));

/** The report of a run that reads all that is final: a day is final half an hour after its end. */
const healthy = (chain: string, time: number): RunReport => ({
  chain,
  outcome: 'up to date',
  days: [],
  restated: [],
  blocks: 1,
  seconds: 1,
  blocksPerSecond: 1,
  faults: {},
  headAgeSeconds: 1_200,
  dataAgeSeconds: newestAge(time, time),
  openConflicts: 0,
});

/** Returns the age of the newest day that was final at a time, in seconds. */
const newestAge = (time: number, last: number): number =>
  time / 1_000 - startOfDay(dayOf(last / 1_000 - 1_800));

/** The report of a run whose nodes have given nothing since a time. */
const downSince = (since: number, chain: string, time: number): RunReport => {
  const { headAgeSeconds: _, ...report } = healthy(chain, time);
  const ages = { unreadSeconds: (time - since) / 1_000, dataAgeSeconds: newestAge(time, since) };
  return { ...report, outcome: 'failed', reason: 'unreachable', blocks: 0, ...ages };
};

type ReportAt = (chain: string, time: number) => RunReport | undefined;

/** Returns the metrics of all chains' runs from a day before midnight until a time. @param reportAt undefined for healthy runs */
function schedule(
  until: number,
  reportAt: ReportAt = () => undefined,
  from = MIDNIGHT - 24 * HOUR_MS,
): Sample[] {
  const times = Array.from({ length: (until - from) / EVERY_MS }, (_, run) => from + run * EVERY_MS);
  return times.flatMap((time) =>
    defaultChainNames.flatMap((chain) => published(time, reportAt(chain, time) ?? healthy(chain, time))),
  );
}

/** Returns samples of a metric at regular times. */
const every = (
  minutes: number,
  [from, until]: readonly [number, number],
  metric: string,
  value: number,
): Sample[] =>
  Array.from({ length: Math.ceil((until - from) / (minutes * MINUTE_MS)) }, (_, index) => ({
    at: from + index * minutes * MINUTE_MS,
    metric,
    value,
  }));

const subjects = (mails: readonly Mail[]) =>
  mails.map(({ topic, alarm, state }) => `${topic}: ${alarm} ${state}`);
const days = (count: number) => MIDNIGHT + count * 24 * HOUR_MS;

test('a new stage raises no alarm, although no chain has data yet', () => {
  const { mails } = runAlarms(schedule(days(1), undefined, MIDNIGHT + 2 * HOUR_MS), MIDNIGHT, days(1));
  expect(mails.filter(({ state }) => state !== 'OK')).toEqual([]);
});

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
    const age = published(NOON, report).find(({ metric }) => metric.startsWith('HeadAge'))?.value;
    // The final block is an hour old, but nothing was read for four, less the time that the first run took.
    expect(age).toBeGreaterThan(3.9 * 3_600);
    expect(age).toBeLessThan(5 * 3_600);
  });

  test('fail for five hours page nobody', () => {
    const [from, until] = [NOON, NOON + 5 * HOUR_MS];
    const samples = schedule(days(2), (chain, time) =>
      time >= from && time < until ? downSince(from, chain, time) : undefined,
    );
    expect(runAlarms(samples, MIDNIGHT, days(2)).mails).toEqual([]);
  });

  test('are stuck page after six hours, although each run succeeds', async () => {
    const samples = schedule(NOON);
    const until = NOON + 9 * HOUR_MS;
    for (let time = NOON; time < until; time += EVERY_MS) {
      const report = await runAt(time, answerFrom(blocks));
      expect(report.outcome).toBe('up to date');
      samples.push(...published(time, { ...report, dataAgeSeconds: newestAge(time, time) }));
    }
    const { mails } = runAlarms(samples, NOON, until, { chains: onlyEthereum });
    expect(subjects(mails)).toEqual(['page: page-ETHEREUM ALARM']);
    expect(mails[0]?.minutes).toBeGreaterThan(5.5 * 60);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(7.5 * 60);
  });
});

const onlyEthereum = Object.fromEntries(
  defaultChainNames.map((name) => [name, { enabled: name === 'ETHEREUM' }]),
);

describe('one chain that is down', () => {
  /** Polygon fails for days, and Ethereum in between. */
  const reportAt: ReportAt = (chain, time) => {
    if (chain === 'POLYGON' && time >= MIDNIGHT + HOUR_MS) return downSince(MIDNIGHT + HOUR_MS, chain, time);
    if (chain === 'ETHEREUM' && time >= days(1) + HOUR_MS && time < days(1) + 20 * HOUR_MS)
      return downSince(days(1) + HOUR_MS, chain, time);
    return undefined;
  };

  test('sends one email, and another chain that fails meanwhile sends its own', () => {
    const { mails } = runAlarms(schedule(days(3), reportAt), MIDNIGHT, days(3));
    expect(subjects(mails)).toEqual([
      'page: page-POLYGON ALARM',
      'page: page-ETHEREUM ALARM',
      'page: page-ETHEREUM OK',
    ]);
  });

  test('pages within three hours when its runs stop without a report', () => {
    const samples = schedule(days(1)).filter(({ metric, at }) => !metric.includes('chain=BASE') || at < NOON);
    const { mails } = runAlarms(samples, NOON, days(1));
    expect(subjects(mails)).toEqual(['page: page-BASE ALARM']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(180);
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
  const { mails } = runAlarms(samples, NOON, days(1));
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
    const error = jest.spyOn(console, 'error').mockImplementation(() => {});
    Object.assign(process.env, {
      [environment.apiUrl]: 'https://api.invalid/',
      [environment.probeKeyParameter]: '/key',
    });
    await expect(probe()).rejects.toThrow(/^The probe of https:\/\/api\.invalid\/ failed\. .*did not answer/);
    error.mockRestore();

    const broken = every(20, [NOON, NOON + 3 * HOUR_MS], PROBE, 1);
    const works = every(20, [NOON + 3 * HOUR_MS, days(1)], PROBE, 0);
    const { mails } = runAlarms([...good, ...broken, ...works], NOON, days(1));
    expect(subjects(mails)).toEqual(['page: page-api ALARM', 'page: page-api OK']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(60);
  });

  test('one failed call of the probe pages nobody, and a probe that stops does', () => {
    const { mails } = runAlarms([...good, { at: NOON, metric: PROBE, value: 1 }], NOON, days(1));
    expect(subjects(mails)).toEqual(['page: page-probe-failing INSUFFICIENT_DATA']);
  });

  const METRIC = '5XXError';
  test.each([
    ['three failed requests in an hour', every(20, [NOON, NOON + HOUR_MS], METRIC, 1)],
    ['every tenth request of a burst', every(1, [NOON, NOON + 10 * MINUTE_MS], METRIC, 1)],
  ])('%s page nobody, and are in the daily email', (_, failed) => {
    const fine = every(1, [NOON, days(1)], METRIC, 0);
    const { mails, states } = runAlarms([...good, ...works(), ...fine, ...failed], NOON, days(1));
    expect(mails).toEqual([]);
    expect(states['notice-api-errors']).toBe('ALARM');
  });

  test('many failed requests page within 20 minutes', () => {
    const failed = every(0.5, [NOON, NOON + HOUR_MS], METRIC, 1);
    const fine = every(0.05, [NOON, NOON + HOUR_MS], METRIC, 0);
    const { mails } = runAlarms([...good, ...works(), ...fine, ...failed], NOON, NOON + HOUR_MS);
    expect(subjects(mails)).toEqual(['page: page-api ALARM']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(20);
  });

  const works = () => every(20, [NOON, days(1)], PROBE, 0);
});

describe('an export that', () => {
  const EXPORT = 'Errors BackupExport';
  const at = (day: number) => days(day) + 2.5 * HOUR_MS;
  const good = [0, 1, 2].map((day) => ({ at: at(day), metric: EXPORT, value: 0 }));

  test('stops is emailed as a notice within a day and a half, because no daily email can say so', () => {
    const { mails } = runAlarms(good, at(1), days(5));
    expect(subjects(mails)).toEqual(['notice: notice-export-stale INSUFFICIENT_DATA']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual((24 + 36) * 60);
  });

  test('fails each day is emailed as a notice', () => {
    const failing = [3, 4].map((day) => ({ at: at(day), metric: EXPORT, value: 1 }));
    const { mails } = runAlarms([...good, ...failing], at(1), days(5));
    expect(subjects(mails)).toEqual(['notice: notice-export-stale ALARM']);
  });
});

test('a lost run is a notice for a day, sends no email of its own, and ends although nobody empties the queue', () => {
  const lost = [{ at: NOON, metric: 'NumberOfMessagesSent', value: 1 }];
  const stateAt = (time: number) => runAlarms(lost, NOON, time).states['notice-run-lost'];
  expect(runAlarms(lost, NOON, days(3)).mails).toEqual([]);
  expect(stateAt(days(1) + 2.5 * HOUR_MS)).toBe('ALARM');
  expect(stateAt(days(2) + 2.5 * HOUR_MS)).toBe('OK');
});
