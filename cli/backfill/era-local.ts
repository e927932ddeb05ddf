import pMap from 'p-map';
import type { ChainName } from '../../core/chains/chains.ts';
import { systemClock } from '../../core/clock.ts';
import type { BlockFileName } from '../../core/era/file-name.ts';
import { type FileRunOutcome, runEraFile } from '../../core/era/ingest-files.ts';
import { joinEraFiles } from '../../core/era/join-files.ts';
import type { MissingDays } from '../../core/era/missing-days.ts';
import type { EraFileContext } from '../../core/era/publish-file.ts';
import { blocksIn, type ProvenNow } from '../../core/era/sum-file.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { PriceSource } from '../../core/figures/dollars.ts';
import { isProofRequired } from '../../core/ingest/hosts.ts';
import type { EraSums } from '../../core/store/era-sums.ts';
import { plannedFirstDay } from '../../core/store/first-day.ts';
import { formatRange, groupIntoRanges } from '../day-ranges.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { interrupted } from '../interrupt.ts';
import type { CommonOptions } from '../options.ts';
import { commandLine, formatRate, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainIn, type ServedChain } from '../service.ts';
import { chooseEraFiles, chooseRanges, type EraRangeOptions } from './era-files.ts';
import { type EraThreads, startEraThreads } from './era-threads.ts';
import { startWords } from './start-words.ts';

export interface EraLocalOptions extends CommonOptions, EraRangeOptions {
  readonly chain: ChainName;
  readonly concurrency: number;
}

interface EraResult {
  readonly chain: string;
  readonly files: number;
  readonly failed: readonly { readonly file: string; readonly reason: string }[];
  /** Files with days that neither hosts nor a final day confirm for now. */
  readonly unconfirmed: readonly { readonly file: string; readonly reason: string }[];
  /** Files that Ctrl-C ended early, or that were not begun. */
  readonly left: number;
  /** Days that became final. */
  readonly days: readonly UtcDay[];
  readonly missing: readonly MissingDays[];
  readonly conflicts: readonly { readonly day: UtcDay; readonly reason: string }[];
  readonly blocks: number;
  readonly seconds: number;
}

/** Proves era files on the cores of this machine, and publishes their days to the table of the service. */
export async function backfillLocally(options: EraLocalOptions): Promise<void> {
  const service = await findService(options);
  const served = chainIn(service, options.chain);
  const files = (await chooseRanges(served, options)) ?? (await chooseEraFiles(served, options));
  const startedAt = Date.now();
  const context = await contextOf(served);
  const progress = startFileProgress(files);
  await using threads = startEraThreads(Math.min(options.concurrency, files.length), options.url);
  const ends = await pMap(files, (name) => runFile(context, threads, name, progress), {
    concurrency: options.concurrency,
  }).finally(progress.end);
  const { chain, store, from, isProofRequired } = context;
  const rules = { firstDay: chain.firstDay, now: Date.now(), isProofRequired };
  const joined = await joinEraFiles(store, { from, ...rules });
  const result: EraResult = {
    chain: served.name,
    files: files.length,
    failed: ends.flatMap(failureOf),
    unconfirmed: ends.flatMap(({ name: { name: file }, end }) =>
      end.kind === 'proven' && end.note !== undefined && joined.unconfirmed.includes(file)
        ? [{ file, reason: end.note }]
        : [],
    ),
    left: ends.filter(({ end }) => end.kind === 'unfinished').length,
    days: [...ends.flatMap(({ end }) => (end.kind === 'proven' ? end.days : [])), ...joined.days].toSorted(),
    missing: joined.missing,
    conflicts: joined.conflicts,
    blocks: progress.blocks(),
    seconds: (Date.now() - startedAt) / 1_000,
  };
  printResult(options, result, showResult(result));
  if (result.left > 0) printNote(howToContinue(options, service.flags));
  if (interrupted.aborted) process.exitCode = exitCodes.interrupted;
  else if (result.failed.length > 0) process.exitCode = exitCodes.failed;
  else if (result.conflicts.length > 0) process.exitCode = exitCodes.checkFailed;
}

async function contextOf(served: ServedChain): Promise<EraFileContext> {
  const { chain, store } = served;
  const upstreams = await upstreamsOf(served, undefined);
  const context = requestContext(interrupted);
  const from = await plannedFirstDay(store, chain, served.from, Date.now());
  const probe = () => probeChain(served, upstreams, context);
  return { chain, store, from, clock: systemClock, probe, isProofRequired: isProofRequired(chain, served) };
}

interface EndedFile {
  readonly name: BlockFileName;
  readonly end: FileRunOutcome;
}

/** Proves a file to its end, or as long as it can be read. */
async function runFile(
  context: EraFileContext,
  threads: EraThreads,
  name: BlockFileName,
  progress: ReturnType<typeof startFileProgress>,
): Promise<EndedFile> {
  const chainName = context.chain.name as ChainName;
  const sum = (begun: EraSums | undefined, feed: PriceSource | undefined) => {
    progress.onBegin(name, begun ? blocksIn(begun) : 0);
    return threads.sum({ chain: chainName, name, begun, feed }, (proven) => progress.onBlocks(name, proven));
  };
  let end: FileRunOutcome = { kind: 'unfinished' };
  while (end.kind === 'unfinished' && !interrupted.aborted) end = await runEraFile(context, name, sum);
  // Ctrl-C ends reads too.
  if (end.kind === 'unreadable' && interrupted.aborted) end = { kind: 'unfinished' };
  if (end.kind !== 'unfinished') progress.onEnd(name);
  return { name, end };
}

const failureOf = ({ name, end }: EndedFile) =>
  end.kind === 'refused' || end.kind === 'unreadable' ? [{ file: name.name, reason: end.reason }] : [];

/** Shows progress over several files. */
function startFileProgress(files: readonly BlockFileName[]) {
  const progress = startProgressBar('blocks');
  const startedAt = Date.now();
  const all = files.reduce((sum, name) => sum + countOf(name), 0);
  /** Blocks that are proven of the files that are being read, also by earlier runs. */
  const begun = new Map<string, number>();
  let [blocks, bytes, ended, endedBlocks] = [0, 0, 0, 0];
  let day: UtcDay | undefined;
  const show = () => {
    const reading = [...begun.values()].reduce((sum, one) => sum + one, 0);
    const seconds = Math.max(0.001, (Date.now() - startedAt) / 1_000);
    const note = [
      `${ended} of ${pluralize(files.length, 'file')}`,
      `${formatRate(blocks / seconds)} blocks/s`,
      `${formatRate(bytes / 1e6 / seconds)} MB/s`,
      ...(day === undefined ? [] : [`at ${day}`]),
    ];
    progress.update((endedBlocks + reading) / all, blocks, note.join(', '));
  };
  return {
    end: progress.end,
    blocks: () => blocks,
    onBegin: ({ name }: BlockFileName, proven: number) => {
      begun.set(name, proven);
      show();
    },
    onBlocks: ({ name }: BlockFileName, proven: ProvenNow) => {
      blocks += proven.blocks;
      bytes += proven.bytes;
      day = proven.day;
      begun.set(name, (begun.get(name) ?? 0) + proven.blocks);
      show();
    },
    onEnd: (file: BlockFileName) => {
      ended += 1;
      endedBlocks += countOf(file);
      begun.delete(file.name);
      show();
    },
  };
}

const countOf = ({ first, last }: BlockFileName): number => last - first + 1;

function showResult(result: EraResult): string {
  const { chain, files, failed, unconfirmed, left, days, missing, conflicts, blocks, seconds } = result;
  const proven = files - failed.length - left;
  const isOld = blocks === 0 && proven > 0;
  const read = `${pluralize(blocks, 'block')}, ${formatRate(blocks / Math.max(seconds, 0.001))} blocks/s`;
  return [
    `${chain}: ${proven} of ${pluralize(files, 'file')} proven (${isOld ? 'all by earlier runs' : read}).`,
    days.length > 0
      ? `${pluralize(days.length, 'day')} became final: ${showDays(days)}.`
      : 'No day became final.',
    ...failed.map(({ file, reason }) => `${file} failed: ${reason}`),
    ...(failed.length > 0 ? ['To try again, repeat the command. Replace files that were refused.'] : []),
    ...unconfirmed.map(({ file, reason }) => `${file} is not confirmed: ${reason}`),
    ...missing.map(
      ({ first, last, reason }) =>
        `${formatRange({ start_date: first, end_date: last })} not complete: ${reason}`,
    ),
    ...conflicts.map(({ reason }) => reason),
  ].join('\n');
}

const showDays = (days: readonly UtcDay[]) => groupIntoRanges(days).map(formatRange).join(', ');

function howToContinue(options: EraLocalOptions, flags: string): string {
  const { chain, concurrency } = options;
  const words = [...startWords(chain, options), '--local', '--concurrency', String(concurrency)];
  return `Stopped. Blocks proven so far are saved. To continue:\n  ${commandLine(flags, ...words)}`;
}
