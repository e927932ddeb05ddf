import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pMapIterable } from 'p-map';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { RlpReader } from '../../proof/encoding/rlp-reader.ts';
import { MAX_ENTRY } from '../era/e2store-entries.ts';
import { EraFileError, throwUnreadable, UnreadableError } from '../files/source.ts';

/*
 * A table of a freezer, as geth and its forks keep old blocks: data files of items, each compressed on its own, and an index of their ends.
 * https://github.com/ethereum/go-ethereum core/rawdb/freezer_table.go and freezer_meta.go. Files are only read, and never locked, so that
 * the node may run meanwhile: what the index has is written.
 */

/** Bor keeps receipts of state-syncs apart, until they got a type of their own. */
export const STATE_SYNC_TABLE = 'matic-bor-receipts';
export type TableName = 'headers' | 'bodies' | 'receipts' | typeof STATE_SYNC_TABLE;

export interface Place {
  /** Number of the data file. */
  readonly file: number;
  /** Bytes before it. */
  readonly offset: number;
}

/** File number, 16 bits, and offset, 32 bits. */
const ENTRY = 6;

const indexPath = (folder: string, table: TableName) => join(folder, `${table}.cidx`);
const dataPath = (folder: string, table: TableName, file: number) =>
  join(folder, `${table}.${String(file).padStart(4, '0')}.cdat`);

/** Lists the numbers of a table's data files, ascending. @throws UnreadableError */
export async function dataFilesOf(folder: string, table: TableName): Promise<readonly number[]> {
  const names = await readdir(folder).catch(throwUnreadable);
  const pattern = new RegExp(`^${table}\\.(\\d{4})\\.cdat$`);
  return names.flatMap((name) => pattern.exec(name)?.slice(1).map(Number) ?? []).toSorted((a, b) => a - b);
}

/** Returns whether a folder of this machine holds a freezer. */
export const isFreezer = async (folder: string): Promise<boolean> =>
  (await dataFilesOf(folder, 'headers').catch(() => [])).length > 0;

/**
 * Reads the range of a table's index; undefined where the table has none, as in a folder of downloaded files.
 * @returns the number of the first item that can be read, since the tail may be pruned, and that after the last
 * @throws UnreadableError, EraFileError
 */
export async function readTableIndex(
  folder: string,
  table: TableName,
): Promise<{ first: number; end: number; removed: number } | undefined> {
  const index = await open(indexPath(folder, table)).catch(() => undefined);
  if (!index) return undefined;
  await using _ = index;
  const { size } = await index.stat();
  const { tail, flushed } = await readTableMeta(folder, table);
  const entries = Math.floor(Math.min(size, flushed) / ENTRY);
  if (entries === 0) throw new EraFileError(`the index of ${table} is empty`);
  const start = Buffer.alloc(ENTRY);
  await index.read(start, 0, ENTRY, 0);
  // The first entry states no end, but how many items were removed.
  const removed = start.readUInt32BE(2);
  return { first: Math.max(removed, tail), end: removed + entries - 1, removed };
}

/**
 * Reads the number of hidden items of a table, and the bytes of its index that are written; the other bytes may still change.
 * @throws EraFileError
 */
async function readTableMeta(folder: string, table: string) {
  const bytes = await readFile(join(folder, `${table}.meta`)).catch(() => undefined);
  if (!bytes) return { tail: 0, flushed: Number.POSITIVE_INFINITY };
  const [version, tail, flushed] = integersIn(bytes);
  if (version === 1 && tail !== undefined) return { tail, flushed: Number.POSITIVE_INFINITY };
  if (version === 2 && tail !== undefined && flushed !== undefined) return { tail, flushed };
  throw new EraFileError(`${table}.meta has an unknown version, or is damaged`);
}

/** Returns the members of a list of integers; none when it is not such a list. Geth pads the file with zeros since v1.17.9. */
function integersIn(bytes: Buffer): number[] {
  try {
    const members = new RlpReader(bytes).list('');
    const integers: number[] = [];
    while (!members.isAtEnd()) integers.push(Number(members.integer('')));
    return integers;
  } catch (error) {
    if (error instanceof ProofError) return [];
    throw error;
  }
}

/** Items to read from one data file at once. */
interface Batch extends Place {
  /** Ends of the items, from the offset of the batch. */
  readonly ends: number[];
}

/** Bytes to read at once, unless one item is larger. One more read is ahead. */
const WINDOW = 4 << 20;

/** Entries of an index to read at once. */
const ENTRIES = 4_096;

/**
 * Reads items as they are stored by the index of their table, in order.
 * @param from number of the first item
 * @param end number after that of the last
 * @throws EraFileError naming the block, or UnreadableError
 */
export async function* indexedItems(
  folder: string,
  table: TableName,
  from: number,
  end: number,
): AsyncGenerator<{ readonly bytes: Buffer }, void> {
  const read = async (batch: Batch) => ({ ends: batch.ends, data: await readBatch(folder, table, batch) });
  // A batch is read while the items of the one before are used.
  for await (const { ends, data } of pMapIterable(batchesOf(folder, table, from, end), read, {
    concurrency: 1,
  }))
    for (const [item, to] of ends.entries()) yield { bytes: data.subarray(ends[item - 1] ?? 0, to) };
}

/** Groups items that are read at once, up to the first whose place is wrong. */
async function* batchesOf(folder: string, table: TableName, from: number, end: number) {
  const index = await readTableIndex(folder, table);
  if (!index || from < index.first || end > index.end)
    throw new EraFileError(`the table ${table} lacks blocks of ${from} to ${end - 1}`);
  for (let first = from; first < end; first += ENTRIES) {
    const count = Math.min(ENTRIES, end - first);
    let [before, ...ends] = await readEntries(folder, table, first - index.removed, count);
    let batch: Batch | undefined;
    for (const [item, to] of ends.entries()) {
      // An item never spans two files.
      const offset = to.file === before?.file ? before.offset : 0;
      const size = to.offset - offset;
      const isWrong = size < 0 || size > MAX_ENTRY || to.file < (before?.file ?? 0);
      if (batch && !isWrong && batch.file === to.file && to.offset - batch.offset <= WINDOW)
        batch.ends.push(to.offset - batch.offset);
      else {
        // What comes before a damaged entry is valid.
        if (batch) yield batch;
        if (isWrong)
          throw new EraFileError(`block ${first + item}: the index of ${table} is wrong about its place`);
        batch = { file: to.file, offset, ends: [size] };
      }
      before = to;
    }
    if (batch) yield batch;
  }
}

/** Reads an entry more than there are items: an item ends where its own entry says, and begins where the one before ends. */
async function readEntries(folder: string, table: TableName, at: number, count: number): Promise<Place[]> {
  await using index = await open(indexPath(folder, table)).catch(throwUnreadable);
  const bytes = Buffer.alloc((count + 1) * ENTRY);
  const { bytesRead } = await index.read(bytes, 0, bytes.length, at * ENTRY);
  if (bytesRead < bytes.length) throw new UnreadableError(`the index of ${table} became shorter`);
  return Array.from({ length: count + 1 }, (_, entry) => ({
    file: bytes.readUInt16BE(entry * ENTRY),
    // The first entry of all states no offset.
    offset: at + entry === 0 ? 0 : bytes.readUInt32BE(entry * ENTRY + 2),
  }));
}

async function readBatch(folder: string, table: TableName, { file, offset, ends }: Batch): Promise<Buffer> {
  const path = dataPath(folder, table, file);
  await using data = await open(path).catch(() => {
    throw new EraFileError(`${path} is missing`);
  });
  const size = ends.at(-1) ?? 0;
  const { buffer, bytesRead } = await data.read(Buffer.allocUnsafeSlow(size), 0, size, offset);
  if (bytesRead === size) return buffer;
  throw new EraFileError(`${path} ends before byte ${offset + size}, where its index has a block`);
}

/**
 * Reads the items of a table without its index, with their places: each item ends where its own length is reached.
 * @param start absent to begin with the first data file
 * @param endOf returns where an item ends, or undefined when more bytes are needed
 * @throws EraFileError, UnreadableError
 */
export async function* itemsInOrder(
  folder: string,
  table: TableName,
  endOf: (bytes: Buffer, at: number) => number | undefined,
  start?: Place,
): AsyncGenerator<Place & { readonly bytes: Buffer }, void> {
  for (const file of await dataFilesOf(folder, table)) {
    if (file < (start?.file ?? 0)) continue;
    const path = dataPath(folder, table, file);
    await using data = await open(path).catch(throwUnreadable);
    const { size } = await data.stat();
    let offset = file === start?.file ? start.offset : 0;
    let window: Buffer = Buffer.alloc(0);
    let at = 0;
    while (offset < size) {
      const end = endOf(window, at);
      if (end !== undefined) {
        yield { file, offset, bytes: window.subarray(at, end) };
        offset += end - at;
        at = end;
        continue;
      }
      const wanted = Math.min(size - offset, Math.max(WINDOW, 2 * (window.length - at)));
      if (wanted <= window.length - at) throw new EraFileError(`${path} ends within an item`);
      if (wanted > 2 * MAX_ENTRY) throw new EraFileError(`${path} has an item that is larger than any block`);
      const read = await data.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, offset);
      window = read.buffer.subarray(0, read.bytesRead);
      at = 0;
    }
  }
}
