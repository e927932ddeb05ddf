import type { BlockFileName } from '../../core/era/file-name.ts';
import { createAnyEraSource } from '../../core/era/folder-source.ts';
import { listFreezer } from '../../core/era/freezer/ranges.ts';
import { isFreezer } from '../../core/era/freezer/table.ts';
import { EraFileError, UnreadableError } from '../../core/era/source.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import { explainAwsError } from '../aws-errors.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, usageError } from '../exit-codes.ts';
import { findFirstBlock } from '../first-block.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { checkOrder } from '../options.ts';
import { printNote } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { ServedChain } from '../service.ts';

export interface EraRangeOptions {
  /** Mirror, bucket or folder. */
  readonly url: string;
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
  /** Region of the stage. */
  readonly region?: string | undefined;
}

/**
 * Lists the era files of a place that have blocks of a range of days, with a block before and after it; all files without a range.
 * @throws CommandError when the place cannot be read, or has none
 */
export async function chooseEraFiles(
  served: ServedChain,
  options: EraRangeOptions,
): Promise<readonly BlockFileName[]> {
  if (served.name !== 'ETHEREUM') {
    throw usageError(
      `Era files of ${served.name} do not exist. With --local, --url may name the folder ancient/chain of a node of ${served.name}; without --from, nodes are read.`,
    );
  }
  checkOrder(options);
  const { url, region } = options;
  const files = await orStopped(listFiles(url, region), 'Stopped. No file was read.');
  const chosen = await within(served, options, files);
  if (chosen.length > 0) return chosen;
  throw new CommandError(`${url} has no era file of Ethereum${files.length > 0 ? ' for these days' : ''}.`);
}

/**
 * Lists the ranges of a freezer on this machine that have blocks of a range of days, the newest first: days become final from the newest
 * back. Says which blocks cannot be proven.
 * @returns undefined when the place is no freezer
 * @throws CommandError when nothing of it can be proven
 */
export async function chooseRanges(
  served: ServedChain,
  options: EraRangeOptions,
): Promise<readonly BlockFileName[] | undefined> {
  const { url } = options;
  if (!(await isFreezer(url))) return undefined;
  checkOrder(options);
  using progress = startProgressBar('blocks');
  let scanned = 0;
  const onScan = (blocks: number) => {
    scanned += blocks;
    progress.update(0, scanned, 'finding blocks, because the folder has no index');
  };
  const { ranges, notes } = await orStopped(
    listFreezer(url, served.chain, onScan).catch((error: unknown) => {
      if (!(error instanceof UnreadableError || error instanceof EraFileError)) throw error;
      throw new CommandError(`The blocks of ${url} cannot be listed: ${error.message}. Check --url.`);
    }),
    'Stopped. No block was proven.',
  );
  progress.end();
  for (const note of notes) printNote(note);
  const chosen = await within(served, options, ranges);
  if (chosen.length > 0) return chosen.toReversed();
  throw new CommandError(
    `${url} has no block that can be proven${ranges.length > 0 ? ' for these days' : ''}.`,
  );
}

/** Keeps the files with blocks of a range of days, with a block before and after it. */
async function within(
  served: ServedChain,
  { startDate, endDate }: EraRangeOptions,
  files: readonly BlockFileName[],
): Promise<readonly BlockFileName[]> {
  const first = startDate === undefined ? 0 : (await firstBlockSince(served, startDate)) - 1;
  const last =
    endDate === undefined ? Number.POSITIVE_INFINITY : await firstBlockSince(served, addDays(endDate, 1));
  return files.filter((file) => file.last >= first && file.first <= last);
}

async function listFiles(url: string, region: string | undefined): Promise<readonly BlockFileName[]> {
  try {
    return await (await createAnyEraSource(url, region)).list(interrupted);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    // The network errors of a mirror would be explained as those of AWS.
    const explained = url.startsWith('s3://') ? explainAwsError(error.cause) : undefined;
    if (explained !== undefined) throw new CommandError(explained);
    throw new CommandError(`The era files cannot be listed: ${error.message}. Check --url.`);
  }
}

/** Returns the number of the first block at or after the beginning of a day. */
async function firstBlockSince(served: ServedChain, day: UtcDay): Promise<number> {
  const context = requestContext(interrupted);
  const probe = await probeChain(served, await upstreamsOf(served, undefined), context);
  const found = probe.kind === 'probed' ? await findFirstBlock(probe.source, day) : probe;
  if (found.kind !== 'found') throw notFound(day, found.reason);
  return found.number;
}

const notFound = (day: UtcDay, reason: string) =>
  new CommandError(`Nothing was started: the first block of ${day} was not found. ${reason}`);
