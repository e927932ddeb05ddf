import { uncompress } from 'snappyjs';

/* The parts of an era file, by other code than the one under test. */

const WORD = 8;
const HEADER = 8;

/** Returns the entries of a file, headers included. */
export function entriesOf(file: Buffer): readonly Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < file.length; at += entries.at(-1)?.length ?? 0) {
    entries.push(file.subarray(at, at + HEADER + file.readUInt32LE(at + 2)));
  }
  return entries;
}

/** An entry of the file that is laid out, perhaps with other bytes in its place. */
type Moved = Buffer | { readonly entry: Buffer; readonly bytes: Buffer };

/**
 * Lays a file out in another way, and lets its index point to where its entries are then.
 * @param change gets all entries but the index
 */
export function laidOut(file: Buffer, change: (entries: readonly Buffer[]) => readonly Moved[]): Buffer {
  const entries = entriesOf(file);
  const index = Buffer.from(entries.at(-1) ?? []);
  const moved = change(entries.slice(0, -1)).map((one) =>
    Buffer.isBuffer(one) ? { entry: one, bytes: one } : one,
  );
  const old = new Map(entries.map((entry, at) => [positionOf(entries, at), entry]));
  const now = new Map(moved.map(({ entry }, at) => [entry, at]));
  const after = moved.map(({ bytes }) => bytes);
  const [oldStart, start] = [file.length - index.length, positionOf(after, after.length)];
  // The first word is the number of a block, and the last ones are counts.
  for (let at = HEADER + WORD; at < index.length; at += WORD) {
    const target = old.get(oldStart + Number(index.readBigInt64LE(at)));
    const place = target && now.get(target);
    if (place !== undefined) index.writeBigInt64LE(BigInt(positionOf(after, place) - start), at);
  }
  return Buffer.concat([...after, index]);
}

const positionOf = (entries: readonly Buffer[], index: number): number =>
  entries.slice(0, index).reduce((sum, { length }) => sum + length, 0);

/** Returns whether the data of an entry is compressed. */
export const isCompressed = ({ 0: type }: Buffer): boolean =>
  [0x03, 0x04, 0x05, 0x0a, 0x0b].includes(type ?? 0);

/** Returns the data of an entry, decompressed. */
export const dataOf = (entry: Buffer): Buffer =>
  isCompressed(entry) ? unframed(entry.subarray(HEADER)) : entry.subarray(HEADER);

function unframed(frames: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 10; at < frames.length; ) {
    const end = at + 4 + frames.readUIntLE(at + 1, 3);
    const data = frames.subarray(at + 8, end);
    chunks.push(frames[at] === 0 ? Buffer.from(uncompress(data)) : data);
    at = end;
  }
  return Buffer.concat(chunks);
}
