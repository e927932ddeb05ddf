import type { BlockFile, BlockFiles, FileProblem, FilesFound } from './block-files.ts';
import type { BlockIndex } from './block-index.ts';
import type { EraFileName } from './file-name.ts';
import { readEraBlocks, readEraHeader, readEraIndex } from './read-blocks.ts';
import { type EraSource, problemOf, type RandomAccess } from './source.ts';

/** An era file whose index is read. */
interface OpenFile {
  readonly file: RandomAccess;
  readonly index: BlockIndex;
}

/** Files that stay open. The search for a midnight reads headers of some 20, each of which has an index of up to 330 KB. */
const MAX_OPEN = 32;

/** Opens the era files of a place. Each is opened when its first block is needed. @param signal ends every read */
export function createEraFiles(source: EraSource, signal?: AbortSignal): BlockFiles {
  const opened = new Map<string, Promise<OpenFile>>();
  let names: Promise<readonly EraFileName[]> | undefined;
  const listed = () => {
    names ??= source.list(signal);
    return names;
  };
  const close = async (name: string) => {
    const file = opened.get(name);
    opened.delete(name);
    await file?.then((one) => one.file.close()).catch(() => {});
  };
  const openOnce = async (name: EraFileName): Promise<OpenFile> => {
    const known = opened.get(name.name);
    const file = known ?? openEraFile(source, name, signal);
    // The last one used is the last to be closed.
    opened.delete(name.name);
    opened.set(name.name, file);
    const [oldest = ''] = opened.keys();
    if (opened.size > MAX_OPEN) await close(oldest);
    return file;
  };
  const find = async (name: EraFileName): Promise<BlockFile | FileProblem> => {
    try {
      const { index } = await openOnce(name);
      return blockFile(name, index, { openOnce, openNew: () => openEraFile(source, name, signal) });
    } catch (error) {
      return problemOf(name.name, error);
    }
  };
  return {
    host: source.host,
    ends: async () => {
      const found: (BlockFile | FileProblem)[] = [];
      for (const all of [await listed(), (await listed()).toReversed()]) {
        for (const name of all) {
          const file = await find(name);
          found.push(file);
          if ('blocks' in file) break;
        }
      }
      return sorted(found);
    },
    withBlock: async (number) => {
      const found: (BlockFile | FileProblem)[] = [];
      const isFound = () => found.some((one) => 'blocks' in one);
      for (const name of candidates(await listed(), number)) {
        if (name.first > number && isFound()) break;
        const file = await find(name);
        if (!('blocks' in file) || (file.first <= number && number <= file.last)) found.push(file);
        else if (file.first > number) break;
      }
      return sorted(found);
    },
    close: async () => {
      for (const name of [...opened.keys()]) await close(name);
    },
  };
}

const sorted = (found: readonly (BlockFile | FileProblem)[]): FilesFound => ({
  files: found.filter((one) => 'blocks' in one),
  problems: found.filter((one) => 'reason' in one),
});

/** Lists the files that may have a block, in order: those whose names say so, and the others after them, whose indexes decide. */
function candidates(names: readonly EraFileName[], number: number): readonly EraFileName[] {
  const named = names.findIndex(({ first, last }) => first <= number && number <= last);
  const before = names.findLastIndex(({ first }) => first <= number);
  return names.slice(Math.max(0, named === -1 ? before : named));
}

async function openEraFile(
  source: EraSource,
  name: EraFileName,
  signal: AbortSignal | undefined,
): Promise<OpenFile> {
  const file = await source.open(name, signal);
  try {
    return { file, index: await readEraIndex(file, name) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Opening {
  readonly openOnce: (name: EraFileName) => Promise<OpenFile>;
  readonly openNew: () => Promise<OpenFile>;
}

const blockFile = (
  name: EraFileName,
  { first, count }: BlockIndex,
  { openOnce, openNew }: Opening,
): BlockFile => ({
  name: name.name,
  first,
  last: first + count - 1,
  header: async (number) => {
    const { file, index } = await openOnce(name);
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
