import {
  type BlockFile,
  type BlockFiles,
  type EraFileName,
  type EraSource,
  type FileProblem,
  problemOf,
} from '../files/source.ts';
import { openEraFile } from './read-blocks.ts';

/** Indexes that are kept. The search for a midnight reads headers of some 20 files, each of which has an index of up to 330 KB. */
const MAX_OPEN = 32;

/** Opens the era files of a place. Each is opened when its first block is needed. @param signal ends every read */
export function createEraFiles(source: EraSource, signal?: AbortSignal): BlockFiles {
  const opened = new Map<string, Promise<BlockFile>>();
  const open = (name: EraFileName) => {
    const file = opened.get(name.name) ?? source.open(name, signal).then((bytes) => openEraFile(bytes, name));
    // The last one used is the last to be forgotten.
    opened.delete(name.name);
    opened.set(name.name, file);
    const [oldest = ''] = opened.keys();
    if (opened.size > MAX_OPEN) opened.delete(oldest);
    return file.catch((error: unknown) => problemOf(name.name, error));
  };
  let names: Promise<readonly EraFileName[]> | undefined;
  const listed = () => {
    names ??= source.list(signal);
    return names;
  };
  return {
    host: source.host,
    ends: async () => {
      const all = await listed();
      return sorted([...(await firstOf(all, open)), ...(await firstOf(all.toReversed(), open))]);
    },
    withBlock: async (number) => sorted(await allWith(number, candidates(await listed(), number), open)),
  };
}

type Found = BlockFile | FileProblem;
type Open = (name: EraFileName) => Promise<Found>;

/** Returns the first file that can be opened, after the problems of those before it. */
async function firstOf(names: readonly EraFileName[], open: Open) {
  const found: Found[] = [];
  for (const name of names) {
    const file = await open(name);
    found.push(file);
    if ('blocks' in file) break;
  }
  return found;
}

/** Returns the files with a block, and the problems of those that may have it. */
async function allWith(number: number, names: readonly EraFileName[], open: Open) {
  const found: Found[] = [];
  for (const name of names) {
    if (name.first > number && found.some((one) => 'blocks' in one)) break;
    const file = await open(name);
    if (!('blocks' in file) || (file.first <= number && number <= file.last)) found.push(file);
    else if (file.first > number) break;
  }
  return found;
}

const sorted = (found: readonly Found[]) => ({
  files: found.filter((one) => 'blocks' in one),
  problems: found.filter((one) => 'reason' in one),
});

/** Lists the files that may have a block, in order: those whose names say so, and the others after them, whose indexes decide. */
function candidates(names: readonly EraFileName[], number: number): readonly EraFileName[] {
  const named = names.findIndex(({ first, last }) => first <= number && number <= last);
  const before = names.findLastIndex(({ first }) => first <= number);
  return names.slice(Math.max(0, named === -1 ? before : named));
}
