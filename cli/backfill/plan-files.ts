import { existsSync } from 'node:fs';
import { upstreamsFor } from '../../core/anchor/network.ts';
import { readHeader } from '../../core/anchor/read-header.ts';
import { createEraFiles } from '../../core/blocks/era/era-files.ts';
import { createEraSource, ERA_URL } from '../../core/blocks/files/choose-source.ts';
import { fileBlocks } from '../../core/blocks/files/file-blocks.ts';
import { type BlockFiles, EraFileError, UnreadableError } from '../../core/blocks/files/source.ts';
import { type FreezerRange, findFreezerRange, openFreezer } from '../../core/blocks/freezer/freezer.ts';
import { isFreezer } from '../../core/blocks/freezer/table.ts';
import { addDays, dayOf, earlier, later } from '../../core/figures/calendar.ts';
import { listFinalDays } from '../../core/store/days/days.ts';
import { listWaitingDays } from '../../core/store/days/waiting-days.ts';
import { daysBetween } from '../day-ranges.ts';
import { given, openNetwork, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, explainAwsError, interrupted, orStopped, usageError } from '../exit-codes.ts';
import type { DayOptions } from '../options.ts';
import { commandLine, printNote } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { ServedChain } from '../service.ts';

/** A mirror, bucket or folder of blocks, and the region of the stage, in which the search for a bucket begins. */
type FilePlace = { readonly url: string; readonly region?: string | undefined };

/** Block files, with their range if they are those of a freezer. */
interface OpenedFiles {
  readonly files: BlockFiles;
  readonly range?: FreezerRange | undefined;
  /** The numbers of their first block and of the last. */
  readonly first: number;
  readonly last: number;
}

/** Opens files, and says which blocks of a freezer cannot be proven. @throws CommandError when they have no block */
export async function openFiles(served: ServedChain, place: FilePlace): Promise<OpenedFiles> {
  if (await isFreezer(place.url)) return openNodeFiles(served, place);
  if (served.name !== 'ETHEREUM') {
    const problem = ERA_URL.test(place.url)
      ? `Era files of ${served.name} do not exist.`
      : `${place.url} ${existsSync(place.url) ? 'has no files of a node' : 'does not exist'}.`;
    throw usageError(
      `${problem} With --local, --url may name the folder ancient/chain of a node of ${served.name}; without --from, nodes are read.`,
    );
  }
  const { files, ends } = await orStopped(listEraFiles(place), 'Stopped. No file was read.');
  const [first, last] = [ends.files[0], ends.files.at(-1)];
  if (first && last) return { files, first: first.first, last: last.last };
  const [problem] = ends.problems;
  const reason = problem ? `no era file that can be read: ${problem.reason}` : 'no era file of Ethereum';
  throw new CommandError(`${place.url} has ${reason}.`);
}

async function listEraFiles({ url, region }: FilePlace) {
  try {
    const files = createEraFiles(await createEraSource(url, region), interrupted);
    return { files, ends: await files.ends() };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    // The network errors of a mirror would be explained as those of AWS.
    const explained = url.startsWith('s3://') ? explainAwsError(error.cause) : undefined;
    if (explained !== undefined) throw new CommandError(explained);
    throw new CommandError(`The era files cannot be listed: ${error.message}. Check --url.`);
  }
}

async function openNodeFiles({ chain }: ServedChain, { url }: FilePlace): Promise<OpenedFiles> {
  using progress = startProgressBar('blocks');
  const onScan = (blocks: number) =>
    progress.add(blocks, 0, 'finding blocks, because the folder has no index');
  const range = await orStopped(
    findFreezerRange(url, chain, onScan).catch((error: unknown) => {
      if (!(error instanceof UnreadableError || error instanceof EraFileError)) throw error;
      throw new CommandError(`The blocks of ${url} cannot be listed: ${error.message}. Check --url.`);
    }),
    'Stopped. No block was proven.',
  );
  progress.end();
  for (const note of range.notes) printNote(note);
  const { first, last } = range;
  if (last < first) throw new CommandError(`${url} has no block that can be proven.`);
  return { files: openFreezer(url, chain, range), range, first, last };
}

/** Finds the days of files that are neither final nor wait. @throws CommandError when there is none of the range */
export async function planFiles(
  served: ServedChain,
  opened: OpenedFiles,
  range: DayOptions & { readonly url: string },
) {
  const { startDate, endDate } = range;
  const days = await orStopped(daysIn(served, opened), 'Stopped. No block was read.');
  const first = later(days.first, startDate ?? days.first);
  const last = earlier(days.last, endDate ?? days.last);
  if (first > last) throw new CommandError(`${range.url} has no complete day of this range.`);
  const [final, waiting] = await Promise.all([
    listFinalDays(served.store, first),
    listWaitingDays(served.store),
  ]);
  const read = new Set([...final, ...waiting.map(({ progress }) => progress.day)]);
  const all = daysBetween(first, last);
  const dates = all.filter((day) => !read.has(day));
  return {
    // Ascending.
    dates,
    // The last day of the files if they end within it. It is read so that hosts can confirm the days before it.
    cutDay: dates.includes(days.cutDay) ? days.cutDay : undefined,
    // Days in the range that are final already.
    finalBefore: all.filter((day) => final.includes(day)).length,
  };
}

/** Returns the first day of files that begins in them, and the last. */
async function daysIn(served: ServedChain, { files, first }: OpenedFiles) {
  const { store, chain } = served;
  const upstreams = await upstreamsOf(served, undefined);
  const network = await openNetwork(served, upstreams, requestContext(interrupted), 'Nothing was started: ');
  const blocks = fileBlocks(files, network);
  const [reader] = blocks.headers();
  const end = given(await blocks.lastBlock());
  const known = await readHeader(network, end.number, upstreamsFor(network));
  if (known.kind === 'fetched' && known.value.hash !== end.hash)
    throw new CommandError(
      `Nothing was started: block ${end.number} is ${end.hash} in the files, but ${known.value.hash} at the nodes. Both must be of the same network.`,
    );
  const [head, tail] = [await reader?.read(network, first), await blocks.readKnown(end)];
  if (!head) throw new Error('Files have one reader.');
  const firstDay = dayOf(given(head).timestamp);
  const cutDay = dayOf(given(tail).timestamp);
  const final = new Set(await listFinalDays(store, addDays(firstDay, -1)));
  // The block before the files is known only where it ends a final day.
  const isCut = first > 0 && !final.has(addDays(firstDay, -1));
  return {
    first: isCut ? addDays(firstDay, 1) : later(firstDay, chain.firstDay),
    last: cutDay,
    cutDay: final.has(addDays(cutDay, 1)) ? '' : cutDay,
  };
}

/** Returns the command that starts a backfill of the same days or files. @param url of files; absent when nodes are read */
export const startLine = (
  flags: string,
  chain: string,
  { url, startDate, endDate }: DayOptions & { readonly url?: string | undefined },
  others: object = {},
): string => {
  const files = url !== undefined && { from: 'files', url };
  return commandLine(flags, 'backfill', 'start', { chain, ...files, startDate, endDate, ...others });
};
