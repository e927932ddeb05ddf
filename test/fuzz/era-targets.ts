import fc from 'fast-check';
import { entry, snappyFrames } from '#test/support/generators/files/era-files.ts';
import { dataOf, isCompressed, laidOut } from '#test/support/generators/files/era-layout.ts';
import {
  SMALL_FILES,
  type SmallFile,
  type Summed,
  smallFiles,
  sumOf,
} from '#test/support/generators/files/small-era-files.ts';
import { type FuzzTarget, fuzzTarget, must } from './target.ts';

/* Era files of a mirror. */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let small: ReturnType<typeof smallFiles> | undefined;

async function fileOf(kind: (typeof SMALL_FILES)[number]): Promise<SmallFile> {
  small ??= smallFiles();
  return small[kind];
}

const lastHash = ({ days }: Summed) => days.at(-1)?.last?.hash;
const figuresOf = ({ days }: Summed): string =>
  JSON.stringify(days, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

/**
 * Reads a file. It must be refused, end with another block, which no header names, or have the figures of the file that it was made from.
 */
async function readFile(original: SmallFile, bytes: Buffer): Promise<void> {
  const sums = await sumOf({ ...original, bytes });
  const { problem } = sums;
  if (problem === undefined) {
    const whole = await sumOf(original);
    must(
      lastHash(sums) !== lastHash(whole) || figuresOf(sums) === figuresOf(whole),
      'the figures of an accepted file follow from the hash of its last block',
    );
  } else {
    must(
      problem.length < 1_000 && !UNPRINTABLE.test(problem),
      `a problem is printable and short: ${problem}`,
    );
  }
}

/** A place in a file or a list. */
const share = fc.noBias(fc.nat(0xffffff)).map((part) => part / 0x1000000);

/** Bytes that replace as many others, or more, or fewer. */
const change = fc
  .record({
    at: share,
    removed: fc.option(fc.nat(40), { freq: 1 }),
    inserted: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40, size: 'max' }),
      fc
        .constantFrom('00', 'ff', '80', 'c0', 'f8', 'bf', 'ffffff', 'ffffffffffffff7f', '0000000000000080')
        .map((hex) => Buffer.from(hex, 'hex')),
    ),
  })
  .map(({ at, removed, inserted }) => ({ at, removed: removed ?? inserted.length, inserted }));
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const changedBytes = (bytes: Buffer, changes: readonly Change[]): Buffer =>
  changes.reduce((before, { at, removed, inserted }) => {
    const start = Math.floor(at * before.length);
    return Buffer.concat([before.subarray(0, start), inserted, before.subarray(start + removed)]);
  }, bytes);

const changes = fc.array(change, { minLength: 1, maxLength: 3 });
const kinds = fc.constantFrom(...SMALL_FILES);

/** Returns a file with other bytes in one of its entries, with a new checksum, and an index that fits. */
function withOtherEntry(file: Buffer, at: number, changes: readonly Change[]): Buffer {
  return laidOut(file, (entries) => {
    const chosen = Math.floor(at * entries.length);
    return entries.map((one, index) => {
      if (index !== chosen) return one;
      const data = changedBytes(dataOf(one), changes);
      return { entry: one, bytes: entry(one.readUInt16BE(), isCompressed(one) ? snappyFrames(data) : data) };
    });
  });
}

const CHUNK = 65_536;
const MB = 2 ** 20;
const IDENTIFIER = snappyFrames(new Uint8Array());
const framed = (bytes: Uint8Array) => snappyFrames(bytes).subarray(IDENTIFIER.length);

/** The headers of lists, one in the other, of which the innermost has `length` bytes. */
function openLists(depth: number, length: number): Buffer {
  const heads = Array.from({ length: depth }, (_, index) => {
    const head = Buffer.alloc(5, 0xfb);
    head.writeUInt32BE(length + 5 * (depth - 1 - index), 1);
    return head;
  });
  return framed(Buffer.concat(heads));
}

/** Frames of `size` bytes that decompress to 21 times as many: one byte, or a receipt without logs, again and again in lists. */
const largeFrames = fc
  .tuple(
    fc.constantFrom('00', '80', 'c0', 'c1', 'ff', 'c48080c080', 'c480808001', 'f8'),
    fc.constantFrom(MB, 3 * MB, 7 * MB, 16 * MB),
    fc.nat(4),
  )
  .map(([hex, size, depth]) => {
    const chunk = framed(Buffer.alloc(CHUNK - (CHUNK % (hex.length / 2)), hex, 'hex'));
    const count = Math.floor(size / chunk.length);
    const opening = depth === 0 ? [] : [openLists(depth, count * (CHUNK - (CHUNK % (hex.length / 2))))];
    return Buffer.concat([IDENTIFIER, ...opening, ...Array<Buffer>(count).fill(chunk)]);
  });

/** Returns a file with large frames in the entries of one type, or of all. */
const withLargeEntries = (file: Buffer, type: number, frames: Buffer): Buffer =>
  laidOut(file, (entries) =>
    entries.map((one) => {
      const isLarge = isCompressed(one) && (type === 0 || one[0] === type);
      return isLarge ? { entry: one, bytes: entry(one.readUInt16BE(), frames) } : one;
    }),
  );

export const eraTargets: readonly FuzzTarget[] = [
  fuzzTarget('era files with other bytes', fc.tuple(kinds, changes), async ([kind, given]) => {
    const file = await fileOf(kind);
    await readFile(file, changedBytes(file.bytes, given));
  }),
  fuzzTarget('era files with other entries', fc.tuple(kinds, share, changes), async ([kind, at, given]) => {
    const file = await fileOf(kind);
    await readFile(file, withOtherEntry(file.bytes, at, given));
  }),
  fuzzTarget(
    'era files with entries of up to 16 MB',
    fc.tuple(kinds, fc.constantFrom(0x00, 0x03, 0x04, 0x05, 0x0a, 0x0b), largeFrames),
    async ([kind, type, frames]) => {
      const file = await fileOf(kind);
      await readFile(file, withLargeEntries(file.bytes, type, frames));
    },
  ),
];
