import type { BlockFile, BlockFiles, FileProblem, FilesFound } from '../files/block-files.ts';
import { type EraFileName, type EraSource, problemOf } from '../files/source.ts';
import type { BlockIndex } from './block-index.ts';
import { readEraBlocks, readEraHeader, readEraIndex } from './read-blocks.ts';

/** An era file whose index is read. */
type OpenFile = Awaited<ReturnType<typeof openEraFile>>;

/** Files that stay open. The search for a midnight reads headers of some 20, each of which has an index of up to 330 KB. */
const MAX_OPEN = 32;

/** Keeps era files open for the headers of the next search. */
function keepOpen(openNew: (name: EraFileName) => Promise<OpenFile>) {
  const opened = new Map<string, Promise<OpenFile>>();
  const close = async (name: string) => {
    const file = opened.get(name);
    opened.delete(name);
    await file?.then((one) => one.file.close()).catch(() => {});
  };
  return {
    open: async (name: EraFileName) => {
      const file = opened.get(name.name) ?? openNew(name);
      // The last one used is the last to be closed.
      opened.delete(name.name);
      opened.set(name.name, file);
      const [oldest = ''] = opened.keys();
      if (opened.size > MAX_OPEN) await close(oldest);
      return file;
    },
    closeAll: async () => {
      for (const name of [...opened.keys()]) await close(name);
    },
  };
}

/** Opens the era files of a place. Each is opened when its first block is needed. @param signal ends every read */
export function createEraFiles(source: EraSource, signal?: AbortSignal): BlockFiles {
  const openNew = (name: EraFileName) => openEraFile(source, name, signal);
  const { open, closeAll } = keepOpen(openNew);
  let names: Promise<readonly EraFileName[]> | undefined;
  const listed = () => {
    names ??= source.list(signal);
    return names;
  };
  const find = async (name: EraFileName): Promise<Found> => {
    try {
      const { index } = await open(name);
      return blockFile(name, index, { open: () => open(name), openNew: () => openNew(name) });
    } catch (error) {
      return problemOf(name.name, error);
    }
  };
  return {
    host: source.host,
    ends: async () => {
      const all = await listed();
      return sorted([...(await firstOf(all, find)), ...(await firstOf(all.toReversed(), find))]);
    },
    withBlock: async (number) => sorted(await allWith(number, candidates(await listed(), number), find)),
    close: closeAll,
  };
}

type Found = BlockFile | FileProblem;
type Find = (name: EraFileName) => Promise<Found>;

/** Returns the first file that can be opened, after the problems of those before it. */
async function firstOf(names: readonly EraFileName[], find: Find): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const name of names) {
    const file = await find(name);
    found.push(file);
    if ('blocks' in file) break;
  }
  return found;
}

/** Returns the files with a block, and the problems of those that may have it. */
async function allWith(number: number, names: readonly EraFileName[], find: Find): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const name of names) {
    if (name.first > number && found.some((one) => 'blocks' in one)) break;
    const file = await find(name);
    if (!('blocks' in file) || (file.first <= number && number <= file.last)) found.push(file);
    else if (file.first > number) break;
  }
  return found;
}

const sorted = (found: readonly Found[]): FilesFound => ({
  files: found.filter((one) => 'blocks' in one),
  problems: found.filter((one) => 'reason' in one),
});

/** Lists the files that may have a block, in order: those whose names say so, and the others after them, whose indexes decide. */
function candidates(names: readonly EraFileName[], number: number): readonly EraFileName[] {
  const named = names.findIndex(({ first, last }) => first <= number && number <= last);
  const before = names.findLastIndex(({ first }) => first <= number);
  return names.slice(Math.max(0, named === -1 ? before : named));
}

async function openEraFile(source: EraSource, name: EraFileName, signal: AbortSignal | undefined) {
  const file = await source.open(name, signal);
  try {
    return { file, index: await readEraIndex(file, name) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const blockFile = (
  name: EraFileName,
  { first, count }: BlockIndex,
  { open, openNew }: Readonly<Record<'open' | 'openNew', () => Promise<OpenFile>>>,
): BlockFile => ({
  name: name.name,
  first,
  last: first + count - 1,
  header: async (number) => {
    const { file, index } = await open();
    return readEraHeader(file, index, number - first);
  },
  // Its own file: the one for headers may be closed meanwhile.
  blocks: async function* (from) {
    const { file, index } = await openNew();
    try {
      yield* readEraBlocks(file, name, index, from - first);
    } finally {
      await file.close();
    }
  },
});
