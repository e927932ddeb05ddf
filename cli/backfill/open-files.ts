import { createEraFiles } from '../../core/blocks/era/era-files.ts';
import type { BlockFiles } from '../../core/blocks/files/block-files.ts';
import { createAnyEraSource } from '../../core/blocks/files/folder-source.ts';
import { EraFileError, UnreadableError } from '../../core/blocks/files/source.ts';
import { openFreezer } from '../../core/blocks/freezer/blocks.ts';
import { type FreezerRange, findFreezerRange } from '../../core/blocks/freezer/range.ts';
import { isFreezer } from '../../core/blocks/freezer/table.ts';
import { CommandError, explainAwsError, usageError } from '../exit-codes.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { printNote } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { ServedChain } from '../service.ts';

/** The place that the blocks of a backfill come from. */
export interface FilePlace {
  /** Mirror, bucket or folder. */
  readonly url: string;
  /** Region of the stage, in which the search for a bucket begins. */
  readonly region?: string | undefined;
}

/** Block files, with their range if they are those of a freezer. */
export interface OpenedFiles {
  readonly files: BlockFiles;
  readonly range?: FreezerRange | undefined;
  /** The numbers of their first block and of the last. */
  readonly first: number;
  readonly last: number;
}

/**
 * Opens the files of a place, and says which blocks of a freezer cannot be proven.
 * @throws CommandError when the place cannot be read, or has no block
 */
export async function openFiles(served: ServedChain, place: FilePlace): Promise<OpenedFiles> {
  if (await isFreezer(place.url)) return openNodeFiles(served, place);
  if (served.name !== 'ETHEREUM') {
    throw usageError(
      `Era files of ${served.name} do not exist. With --local, --url may name the folder ancient/chain of a node of ${served.name}; without --from, nodes are read.`,
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
    const files = createEraFiles(await createAnyEraSource(url, region), interrupted);
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
  let scanned = 0;
  const onScan = (blocks: number) => {
    scanned += blocks;
    progress.update(0, scanned, 'finding blocks, because the folder has no index');
  };
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
