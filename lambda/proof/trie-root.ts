import { keccak256 } from './keccak.ts';
import { type RlpWriter, rlpWriter } from './rlp.ts';

interface Entry {
  /** RLP of the index, in half bytes. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

const writer = rlpWriter();

/**
 * Returns the root of the Merkle Patricia trie that holds each value under RLP(its index), as headers commit to the
 * transactions and receipts of a block.
 * https://ethereum.org/developers/docs/data-structures-and-encoding/patricia-merkle-trie/
 */
export function trieRoot(values: readonly Uint8Array[]): Uint8Array {
  writer.truncate(0);
  if (values.length === 0) writer.empty();
  else writeNode(entriesByPath(values), 0, values.length, 0);
  return keccak256(writer.since(0));
}

/** Index 0 has the key 0x80, so it comes after 127 and before 128, whose key is 0x8180. */
function entriesByPath(values: readonly Uint8Array[]): readonly Entry[] {
  const entries = values.map((value, index) => ({ path: pathOf(index), value }));
  const smallest = entries.slice(1, 128);
  return [...smallest, ...entries.slice(0, 1), ...entries.slice(128)];
}

function pathOf(index: number): readonly number[] {
  const mark = writer.size();
  writer.quantity(`0x${index.toString(16)}`, 'index');
  const path = [...writer.since(mark)].flatMap((byte) => [byte >>> 4, byte & 0xf]);
  writer.truncate(mark);
  return path;
}

/** Writes the node of `entries` from `from` to before `to`, which are sorted and share their paths' first `depth` half bytes. */
function writeNode(entries: readonly Entry[], from: number, to: number, depth: number): void {
  const first = entries[from] as Entry;
  const mark = writer.size();
  if (to - from === 1) {
    writer.bytes(first.value);
    writePath(writer, first.path, depth, first.path.length, true);
    return writer.list(mark);
  }
  const shared = sharedDepth(first.path, (entries[to - 1] as Entry).path);
  if (shared > depth) {
    writeReference(entries, from, to, shared);
    writePath(writer, first.path, depth, shared, false);
    return writer.list(mark);
  }
  // No key is the beginning of another, so no branch has a value.
  writer.empty();
  let end = to;
  for (let half = 15; half >= 0; half--) {
    let begin = end;
    while (begin > from && entries[begin - 1]?.path[depth] === half) begin--;
    if (begin === end) writer.empty();
    else writeReference(entries, begin, end, depth + 1);
    end = begin;
  }
  writer.list(mark);
}

/** Writes the hash of a node, or the node when it is shorter than a hash. */
function writeReference(entries: readonly Entry[], from: number, to: number, depth: number): void {
  const mark = writer.size();
  writeNode(entries, from, to, depth);
  if (writer.size() - mark < 32) return;
  const hash = keccak256(writer.since(mark));
  writer.truncate(mark);
  writer.bytes(hash);
}

function sharedDepth(a: readonly number[], b: readonly number[]): number {
  let depth = 0;
  while (depth < a.length && a[depth] === b[depth]) depth++;
  return depth;
}

/** Writes part of a path with its prefix: 2 marks a leaf, and 1 an odd number of half bytes. */
function writePath(writer: RlpWriter, path: readonly number[], from: number, to: number, isLeaf: boolean) {
  const isOdd = (to - from) % 2;
  const halves = [2 * Number(isLeaf) + isOdd, ...(isOdd ? [] : [0]), ...path.slice(from, to)];
  const bytes = new Uint8Array(halves.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = ((halves[2 * at] as number) << 4) | (halves[2 * at + 1] as number);
  }
  writer.bytes(bytes);
}
