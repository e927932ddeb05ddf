import { defaultChainNames } from '#core/chains/chains.ts';
import { dayOf, startOfDay } from '#core/figures/calendar.ts';
import type { RunReport } from '#core/ingest/report.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import type { Stage } from '#lib/chain-insights-stack.ts';
import { behaviors, type Mail, runAlarms, samplesOf } from './alarm-states.ts';
import { measuredOf, type Sample } from './metric-math.ts';

/* The metrics of the runs of a stage, healthy or not, and the emails that its alarms send about them. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Between two runs of a chain. */
const EVERY_MS = 5 * MINUTE_MS;

export const DAY = '2026-11-18';
export const MIDNIGHT = Date.parse(`${DAY}T00:00:00Z`);
export const NOON = MIDNIGHT + 12 * HOUR_MS;
/** Returns midnight, some days after the first. */
export const days = (count: number) => MIDNIGHT + count * 24 * HOUR_MS;

export const published = (time: number, report: RunReport): Sample[] =>
  samplesOf(time, () => publishMetrics(report));

/** The report of a run that reads all that is final: a day is final half an hour after its end. */
export const healthy = (chain: string, time: number): RunReport => ({
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
export const newestAge = (time: number, last: number): number =>
  time / 1_000 - startOfDay(dayOf(last / 1_000 - 1_800));

/** The report of a run whose nodes have given nothing since a time. */
export const downSince = (since: number, chain: string, time: number): RunReport => {
  const { headAgeSeconds: _, ...report } = healthy(chain, time);
  const ages = { unreadSeconds: (time - since) / 1_000, dataAgeSeconds: newestAge(time, since) };
  return { ...report, outcome: 'failed', reason: 'unreachable', blocks: 0, ...ages };
};

/** The report of a run that reads, while the newest day that it has completed is the one of a time. */
export const catchingUp = (since: number, chain: string, time: number): RunReport => ({
  ...healthy(chain, time),
  outcome: 'out of time',
  dataAgeSeconds: newestAge(time, since),
});

/** Returns the report of a run, undefined for a healthy one, or nothing if it did not take place. */
export type ReportAt = (chain: string, time: number) => RunReport | 'none' | undefined;

/** Returns the metrics of all chains' runs, from a day before midnight until a time. Each chain has a second and a duration of its own. */
export function schedule(
  until: number,
  reportAt: ReportAt = () => undefined,
  from = MIDNIGHT - 24 * HOUR_MS,
): Sample[] {
  const times = Array.from({ length: (until - from) / EVERY_MS }, (_, run) => from + run * EVERY_MS);
  return times.flatMap((time) =>
    defaultChainNames.flatMap((chain, index) => {
      const report = reportAt(chain, time);
      return report === 'none' ? [] : published(time + index * 41_000, report ?? healthy(chain, time));
    }),
  );
}

/** Returns samples of a metric at regular times. */
export const every = (
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

export const subjects = (mails: readonly Mail[]) =>
  mails.map(({ topic, alarm, state }) => `${topic}: ${alarm} ${state}`);

/**
 * Evaluates the alarms in every way that the documentation allows. All must send the same emails.
 * @param begin when the alarms are created: by default an hour before `from`, or with the first sample
 * @returns the emails of the way whose first one comes last
 */
export function evaluate(
  samples: readonly Sample[],
  from: number,
  until: number,
  stage: Stage = {},
  begin = Math.min(from - HOUR_MS, ...samples.slice(0, 1).map(({ at }) => at)),
  ways = behaviors,
) {
  const measured = measuredOf(samples);
  const results = ways.map((behavior) => runAlarms(measured, { begin, from, until, stage }, behavior));
  const all = new Set(results.map(({ mails }) => subjects(mails).toSorted().join('\n')));
  expect([...all]).toEqual([
    subjects(results[0]?.mails ?? [])
      .toSorted()
      .join('\n'),
  ]);
  const [latest] = results.toSorted((one, other) => firstOf(other) - firstOf(one));
  return latest ?? { mails: [], states: {} };
}

const firstOf = ({ mails: [first] }: { readonly mails: readonly Mail[] }): number => first?.minutes ?? 0;
