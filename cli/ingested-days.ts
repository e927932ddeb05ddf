import pMap from 'p-map';
import { quorumOf } from '../core/anchor/network.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import { type IngestRun, ingestChain } from '../core/ingest/run.ts';
import type { Upstream } from '../core/rpc/upstream.ts';
import { listFinalDays } from '../core/store/days/days.ts';
import { listWaitingDays } from '../core/store/days/waiting-days.ts';
import { formatRange, groupIntoRanges } from './day-ranges.ts';
import type { DayResult } from './ingest-day.ts';
import { interrupted } from './interrupt.ts';
import { formatDuration, pluralize } from './print.ts';
import type { ServedChain } from './service.ts';

/* Days that a command reads on this machine, several at once, from nodes or from files. */

export interface IngestedDay {
  readonly day: UtcDay;
  readonly result: DayResult;
}

/**
 * Ingests days in the given order, `atOnce` at a time. Starts no more once the endpoints or the table are unreachable.
 * @param ingest reads one day until the signal aborts
 * @param onEnd called with each day that ended, unless it was interrupted
 */
export function ingestAll(
  days: readonly UtcDay[],
  atOnce: number,
  ingest: (day: UtcDay, signal: AbortSignal) => Promise<DayResult>,
  onEnd: (day: UtcDay) => void,
): Promise<IngestedDay[]> {
  const unreachable = new AbortController();
  const signal = AbortSignal.any([interrupted, unreachable.signal]);
  return pMap(
    days,
    async (day) => {
      const result: DayResult = signal.aborted ? { state: 'interrupted' } : await ingest(day, signal);
      if (result.state === 'failed' && result.isUnreachable) unreachable.abort();
      else if (result.state !== 'interrupted') onEnd(day);
      return { day, result };
    },
    { concurrency: atOnce },
  );
}

/**
 * Publishes the days that still wait, which is the last step of reading many at once.
 * @param options files to read headers from, and a listener
 * @returns why days may still wait
 */
export async function publishWaiting(
  served: ServedChain,
  upstreams: readonly Upstream[],
  options: Pick<IngestRun, 'blocksOf' | 'onDay'> = {},
): Promise<string> {
  if (interrupted.aborted) return 'the command was stopped before it published them';
  const run = { ...served, upstreams, signal: interrupted, stopAt: Number.POSITIVE_INFINITY };
  const { outcome, reason = `publishing them ended with: ${outcome}` } = await ingestChain({
    ...run,
    ...options,
    isClosing: true,
  });
  if (outcome !== 'up to date') return reason;
  return quorumOf(served, upstreams) === 1
    ? 'a quorum of 1 cannot confirm the block after them'
    : 'too few hosts confirm the block after them';
}

/** The days that are final or wait now. Another run may have ingested a day that failed here. */
type StateNow = Awaited<ReturnType<typeof stateNow>>;

export async function stateNow({ store }: ServedChain, first: UtcDay) {
  const [final, waiting] = await Promise.all([listFinalDays(store, first), listWaitingDays(store)]);
  return { final: new Set(final), waiting: new Set(waiting.map(({ progress }) => progress.day)) };
}

export function groupByState(results: readonly IngestedDay[], now: StateNow | undefined, whyWaiting: string) {
  const ends = results
    .map(({ day, result }) => ({ day, result: resultNow(day, result, now) }))
    .toSorted((a, b) => a.day.localeCompare(b.day));
  const daysIn = (state: DayResult['state']) =>
    ends.filter(({ result }) => result.state === state).map(({ day }) => day);
  return {
    // Days that became final.
    days: daysIn('final'),
    waiting: daysIn('waiting').map((date) => ({ date, reason: whyWaiting })),
    failed: ends.flatMap(({ day, result }) =>
      result.state === 'failed' ? [{ date: day, reason: result.reason }] : [],
    ),
    // Days that were interrupted or not started.
    left: daysIn('interrupted'),
  };
}

/** @param now undefined when the table could not be read */
function resultNow(day: UtcDay, result: DayResult, now: StateNow | undefined): DayResult {
  if (now?.final.has(day)) return { state: 'final' };
  if (result.state !== 'waiting' || !now || now.waiting.has(day)) return result;
  const reason = 'its last block was contradicted, so its blocks were discarded; run the command again';
  return { state: 'failed', reason, isUnreachable: false };
}

/** The result of a command that reads days. */
export interface IngestResult extends ReturnType<typeof groupByState> {
  readonly chain: string;
  /** Days of the range that were already final. */
  readonly final_before: number;
  readonly blocks: number;
  readonly seconds: number;
}

export function formatResult(result: IngestResult): string {
  const { chain, final_before, days, waiting, failed, left, blocks, seconds } = result;
  const alreadyFinal = `${pluralize(final_before, 'day')} of the range ${final_before === 1 ? 'was' : 'were'} already final.`;
  if (days.length + waiting.length + failed.length + left.length === 0) {
    return `${chain}: nothing to do. ${alreadyFinal}`;
  }
  const read = `${pluralize(blocks, 'block')} in ${formatDuration(seconds)}`;
  return [
    days.length > 0
      ? `${chain}: ${pluralize(days.length, 'day')} became final: ${formatDays(days)} (${read}).`
      : `${chain}: no day became final (${read}).`,
    ...(final_before > 0 ? [alreadyFinal] : []),
    ...groupByReason(waiting).map(
      ([reason, dates]) => `${dates} read, final once the day after is: ${reason}.`,
    ),
    ...groupByReason(failed).map(([reason, dates]) => `${dates} failed: ${reason}`),
  ].join('\n');
}

const groupByReason = (days: readonly { readonly date: UtcDay; readonly reason: string }[]) =>
  [...Map.groupBy(days, ({ reason }) => reason)].map(
    ([reason, list]) => [reason, formatDays(list.map(({ date }) => date))] as const,
  );

const formatDays = (days: readonly UtcDay[]) => groupIntoRanges(days).map(formatRange).join(', ');
