import pMap from 'p-map';
import { quorumOf } from '../../core/anchor/network.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { type IngestRun, ingestChain } from '../../core/ingest/run.ts';
import { asSentence } from '../../core/printable.ts';
import { listFinalDays } from '../../core/store/days/days.ts';
import { listWaitingDays } from '../../core/store/days/waiting-days.ts';
import { traceOf } from '../../local/trace.ts';
import { formatRange, groupIntoRanges, shareOfDay } from '../day-ranges.ts';
import { exitCodes, interrupted } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { formatCount, formatDuration, formatRate, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { ServedChain } from '../service.ts';
import type { DayResult } from './ingest-day.ts';

/* Days that a command reads on this machine, several at once, from nodes or from files. */

/** Blocks that were read since the last call; `bytes` only of files. */
export interface BlocksRead {
  readonly blocks: number;
  readonly bytes?: number;
  /** The time of the last of them, in seconds since 1970. */
  readonly timestamp: number;
}

export interface DaysToRead {
  readonly served: ServedChain;
  /** Ascending. */
  readonly dates: readonly UtcDay[];
  readonly atOnce: number;
  /** Days of the range that are final already. */
  readonly finalBefore: number;
  readonly range?: { readonly start_date: UtcDay; readonly end_date: UtcDay };
  /** Reads one day until the signal aborts. */
  readonly read: (
    day: UtcDay,
    signal: AbortSignal,
    onBlocks: (read: BlocksRead) => void,
  ) => Promise<DayResult>;
  readonly upstreams: IngestRun['upstreams'];
  /** Returns files to read from in place of the endpoints. */
  readonly blocksOf?: IngestRun['blocksOf'];
  /** The command that continues. */
  readonly again: string;
}

/** Reads days, the newest first, prints the result with how to continue, and sets the exit code. */
export async function readDays(options: CommonOptions, work: DaysToRead): Promise<void> {
  const { served, dates, range, finalBefore, blocksOf, again } = work;
  const startedAt = Date.now();
  const { results, blocks } = await ingestAll(work);
  // Days of files may also wait since an earlier command.
  const isWaiting = blocksOf !== undefined || results.some(({ result }) => result.state === 'waiting');
  const whyWaiting = isWaiting ? await publishWaiting(work) : '';
  const now = await stateNow(served, dates[0] ?? '').catch(() => undefined);
  const states = groupByState(results, now, whyWaiting);
  const seconds = (Date.now() - startedAt) / 1_000;
  const read = `${pluralize(blocks, 'block')} in ${formatDuration(seconds)}`;
  const result = { chain: served.name, ...range, final_before: finalBefore, ...states, blocks, seconds };
  printResult(options, result, formatResult(work, states, read));
  if (states.left.length > 0) {
    const days = pluralize(states.left.length, 'day');
    const reason = interrupted.aborted
      ? `Stopped: ${days} remaining. Blocks read so far are saved.`
      : `${days} not started, because the endpoints or the table are unreachable.`;
    printNote(`${reason} To continue:\n  ${again}`);
  }
  if (interrupted.aborted) process.exitCode = exitCodes.interrupted;
  else if (states.failed.length > 0) process.exitCode = exitCodes.failed;
}

/** Starts no more days once the endpoints or the table are unreachable. */
async function ingestAll({ dates, atOnce, read }: DaysToRead) {
  const unreachable = new AbortController();
  const signal = AbortSignal.any([interrupted, unreachable.signal]);
  using progress = startDaysProgress(dates.length);
  const results = await pMap(
    dates.toReversed(),
    async (day) => {
      const result: DayResult = signal.aborted
        ? { state: 'interrupted' }
        : await read(day, signal, (some) => progress.onBlocks(day, some));
      if (result.state === 'failed' && result.isUnreachable) unreachable.abort();
      else if (result.state !== 'interrupted') progress.onEnd(day);
      return { day, result };
    },
    { concurrency: atOnce },
  );
  return { results, blocks: progress.blocks() };
}

/** Shows progress over several days. The share of a day is the time of its last block. */
function startDaysProgress(days: number) {
  const progress = startProgressBar('blocks');
  const startedAt = Date.now();
  const shares = new Map<UtcDay, number>();
  let [blocks, bytes, ended] = [0, 0, 0];
  const show = (units: number) => {
    const share = [...shares.values()].reduce((sum, one) => sum + one, 0) / days;
    const seconds = Math.max(0.001, (Date.now() - startedAt) / 1_000);
    const note = [
      `${formatCount(ended)} of ${pluralize(days, 'day')}`,
      `${formatRate(blocks / seconds)} blocks/s`,
      ...(bytes > 0 ? [`${formatRate(bytes / 1e6 / seconds)} MB/s`] : []),
    ];
    progress.add(units, share, note.join(', '));
  };
  if (days > 0) show(0);
  return {
    [Symbol.dispose]: progress.end,
    blocks: () => blocks,
    onBlocks: (day: UtcDay, read: BlocksRead) => {
      blocks += read.blocks;
      bytes += read.bytes ?? 0;
      shares.set(day, shareOfDay(day, read.timestamp));
      show(read.blocks);
    },
    onEnd: (day: UtcDay) => {
      ended += 1;
      shares.set(day, 1);
      show(0);
    },
  };
}

/** Publishes the days that still wait, which is the last step of reading many at once. @returns why days may still wait */
async function publishWaiting({ served, upstreams, blocksOf }: DaysToRead): Promise<string> {
  const waiting = interrupted.aborted ? 0 : (await listWaitingDays(served.store)).length;
  if (waiting === 0) return 'the command was stopped before it published them';
  using progress = startProgressBar('days', waiting);
  progress.add(0, undefined, 'publishing');
  const { outcome, reason = `publishing them ended with: ${outcome}` } = await ingestChain({
    ...served,
    upstreams,
    blocksOf,
    onDay: () => progress.add(1, undefined, 'publishing'),
    signal: interrupted,
    stopAt: Number.POSITIVE_INFINITY,
    isClosing: true,
    trace: traceOf(process.env),
  });
  if (outcome !== 'up to date') return reason;
  return quorumOf(served, upstreams) === 1
    ? 'a quorum of 1 cannot confirm the block after them'
    : 'too few hosts confirm the block after them';
}

type IngestedDays = Awaited<ReturnType<typeof ingestAll>>['results'];

/** The days that are final or wait now. Another run may have ingested a day that failed here. */
type StateNow = Awaited<ReturnType<typeof stateNow>>;

async function stateNow({ store }: ServedChain, first: UtcDay) {
  const [final, waiting] = await Promise.all([listFinalDays(store, first), listWaitingDays(store)]);
  return { final: new Set(final), waiting: new Set(waiting.map(({ progress }) => progress.day)) };
}

function groupByState(results: IngestedDays, now: StateNow | undefined, whyWaiting: string) {
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

function formatResult(
  { served: { name: chain }, finalBefore }: DaysToRead,
  { days, waiting, failed, left }: ReturnType<typeof groupByState>,
  read: string,
): string {
  const alreadyFinal = `${pluralize(finalBefore, 'day')} of the range ${finalBefore === 1 ? 'was' : 'were'} already final.`;
  if (days.length + waiting.length + failed.length + left.length === 0) {
    return `${chain}: nothing to do. ${alreadyFinal}`;
  }
  return [
    days.length > 0
      ? `${chain}: ${pluralize(days.length, 'day')} became final: ${formatDays(days)} (${read}).`
      : `${chain}: no day became final (${read}).`,
    ...(finalBefore > 0 ? [alreadyFinal] : []),
    ...groupByReason(waiting).map(
      ([reason, dates]) => `${dates} read, final once the day after is: ${asSentence(reason)}`,
    ),
    ...groupByReason(failed).map(([reason, dates]) => `${dates} failed: ${reason}`),
  ].join('\n');
}

/** Groups days whose reasons are the same but for the day that each names, under the reason of the first. */
const groupByReason = (days: readonly { readonly date: UtcDay; readonly reason: string }[]) =>
  [...Map.groupBy(days, ({ date, reason }) => reason.replaceAll(date, '')).values()].map(
    (list) => [list[0]?.reason ?? '', formatDays(list.map(({ date }) => date))] as const,
  );

const formatDays = (days: readonly UtcDay[]) => groupIntoRanges(days).map(formatRange).join(', ');
