import type { Source } from '../../core/anchor/network.ts';
import type { BlockFiles } from '../../core/blocks/files/block-files.ts';
import { fileBlocks } from '../../core/blocks/files/file-blocks.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { listWaitingDays } from '../../core/store/days/waiting-days.ts';
import { upstreamsOf } from '../endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import type { DayResult } from '../ingest-day.ts';
import {
  formatResult,
  groupByState,
  type IngestedDay,
  ingestAll,
  publishWaiting,
  stateNow,
} from '../ingested-days.ts';
import { interrupted } from '../interrupt.ts';
import type { CommonOptions } from '../options.ts';
import { commandLine, formatRate, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainIn, type ServedChain } from '../service.ts';
import { type ProvenNow, startDayThreads } from './day-threads.ts';
import { openFiles } from './open-files.ts';
import { type FilePlan, planFiles, type RequestedDays } from './plan-files.ts';
import { startWords } from './start-words.ts';

export interface LocalOptions extends CommonOptions, RequestedDays {
  readonly chain: ChainName;
  /** Mirror, bucket or folder. */
  readonly url: string;
  readonly concurrency: number;
}

/** Reads the missing days of files on the cores of this machine into the table of the service. */
export async function backfillLocally(options: LocalOptions): Promise<void> {
  const service = await findService(options);
  const served = chainIn(service, options.chain);
  const opened = await openFiles(served, options);
  const { files, range } = opened;
  try {
    const plan = await planFiles(served, opened, options);
    const startedAt = Date.now();
    const { results, blocks } = await readDays(options, plan, range);
    const whyWaiting = await publish(served, files);
    const [first = ''] = plan.dates;
    const now = await stateNow(served, first).catch(() => undefined);
    const result = {
      chain: served.name,
      final_before: plan.finalBefore,
      ...groupByState(results, now, whyWaiting),
      blocks,
      seconds: (Date.now() - startedAt) / 1_000,
    };
    printResult(options, result, formatResult(result));
    if (result.left.length > 0) printNote(howToContinue(options, service.flags, result.left));
    if (interrupted.aborted) process.exitCode = exitCodes.interrupted;
    else if (result.failed.length > 0) process.exitCode = exitCodes.failed;
  } finally {
    await files.close();
  }
}

/** Reads days on threads, the newest first. */
async function readDays(
  { stage, chain, url, concurrency }: LocalOptions,
  plan: FilePlan,
  range: Awaited<ReturnType<typeof openFiles>>['range'],
): Promise<{ readonly results: readonly IngestedDay[]; readonly blocks: number }> {
  const { dates } = plan;
  if (dates.length === 0) return { results: [], blocks: 0 };
  const progress = startDayProgress(plan);
  await using threads = startDayThreads(Math.min(concurrency, dates.length), { stage, chain, url, range });
  const read = async (day: UtcDay, signal: AbortSignal): Promise<DayResult> => {
    const result = await threads.read(day, signal, progress.onProven);
    if (result.state !== 'begun' || day === plan.cutDay) return result;
    const reason = 'the last blocks of the files are damaged';
    return { state: 'failed', reason, isUnreachable: false };
  };
  const results = await ingestAll(dates.toReversed(), concurrency, read, progress.onEnd).finally(
    progress.end,
  );
  return { results, blocks: progress.blocks() };
}

/** Publishes the days that wait, and shows how many are left. */
async function publish(served: ServedChain, files: BlockFiles): Promise<string> {
  const waiting = interrupted.aborted ? 0 : (await listWaitingDays(served.store)).length;
  if (waiting === 0) return 'the command was stopped before it published them';
  const upstreams = await upstreamsOf(served, undefined);
  const progress = startProgressBar('days');
  let published = 0;
  const onDay = () => {
    published += 1;
    progress.update(published / waiting, published, 'publishing');
  };
  const blocksOf = (source: Source) => fileBlocks(files, source);
  return publishWaiting(served, upstreams, { blocksOf, onDay }).finally(progress.end);
}

/** Shows progress over several days, as the share of the blocks that are still to be read. */
function startDayProgress({ dates, blocks: all }: FilePlan) {
  const progress = startProgressBar('blocks');
  const startedAt = Date.now();
  let [blocks, bytes, ended] = [0, 0, 0];
  const show = () => {
    const seconds = Math.max(0.001, (Date.now() - startedAt) / 1_000);
    const note = [
      `${ended} of ${pluralize(dates.length, 'day')}`,
      `${formatRate(blocks / seconds)} blocks/s`,
      `${formatRate(bytes / 1e6 / seconds)} MB/s`,
    ];
    progress.update(Math.min(1, blocks / Math.max(1, all)), blocks, note.join(', '));
  };
  show();
  return {
    end: progress.end,
    blocks: () => blocks,
    onProven: (proven: ProvenNow) => {
      blocks += proven.blocks;
      bytes += proven.bytes;
      show();
    },
    onEnd: () => {
      ended += 1;
      show();
    },
  };
}

function howToContinue(options: LocalOptions, flags: string, left: readonly UtcDay[]): string {
  const { chain, concurrency } = options;
  const words = [...startWords(chain, options), '--local', '--concurrency', String(concurrency)];
  const days = pluralize(left.length, 'day');
  const reason = interrupted.aborted
    ? `Stopped: ${days} remaining. Blocks read so far are saved.`
    : `${days} not started, because the endpoints or the table are unreachable.`;
  return `${reason} To continue:\n  ${commandLine(flags, ...words)}`;
}
