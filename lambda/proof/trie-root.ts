import { isSameHex, toHex } from './hex.ts';
import { keccak256 } from './keccak.ts';
import { RlpWriter } from './rlp.ts';
import { ProofError } from './types.ts';

interface Entry {
  /** RLP of the index, in half bytes. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

const writer = new RlpWriter();

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

/**
 * Checks that the payloads of a block's transactions or receipts hash to the root that its header states.
 * @throws ProofError naming the root
 */
export function proveRoot(
  what: 'transactions' | 'receipts',
  payloads: readonly Uint8Array[],
  given: string,
): void {
  const root = toHex(trieRoot(payloads));
  if (isSameHex(root, given)) return;
  throw new ProofError(`${what}Root`, `${payloads.length} ${what} hash to ${root}, not to ${given}`);
}

/** Index 0 has the key 0x80, so it comes after 127 and before 128, whose key is 0x8180. */
function entriesByPath(values: readonly Uint8Array[]): readonly Entry[] {
  const entries = values.map((value, index) => ({ path: pathOf(index), value }));
  const smallest = entries.slice(1, 128);
  return [...smallest, ...entries.slice(0, 1), ...entries.slice(128)];
}

/** Paths by index, since every list has the same. */
const paths: (readonly number[])[] = [];

function pathOf(index: number): readonly number[] {
  const known = paths[index];
  if (known) return known;
  const mark = writer.size();
  writer.quantity(`0x${index.toString(16)}`, 'index');
  const path = [...writer.since(mark)].flatMap((byte) => [byte >>> 4, byte & 0xf]);
  writer.truncate(mark);
  paths[index] = path;
  return path;
}

/** Writes the node of `entries` from `from` to before `to`, which are sorted and share their paths' first `depth` half bytes. */
function writeNode(entries: readonly Entry[], from: number, to: number, depth: number): void {
  const mark = writer.size();
  const { path, value } = entries[from] as Entry;
  const shared = sharedDepth(path, (entries[to - 1] as Entry).path);
  if (to - from === 1) {
    writer.bytes(value);
    writePath(path, depth, path.length, LEAF);
  } else if (shared > depth) {
    writeReference(entries, from, to, shared);
    writePath(path, depth, shared, EXTENSION);
  } else {
    writeBranch(entries, from, to, depth);
  }
  writer.list(mark);
}

/** Writes the 16 children of a branch and its value, which is empty: no key is the beginning of another. */
function writeBranch(entries: readonly Entry[], from: number, to: number, depth: number): void {
  writer.empty();
  let end = to;
  for (let half = 15; half >= 0; half--) {
    let begin = end;
    while (begin > from && entries[begin - 1]?.path[depth] === half) begin--;
    if (begin === end) writer.empty();
    else writeReference(entries, begin, end, depth + 1);
    end = begin;
  }
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

const EXTENSION = 0;
const LEAF = 2;

/** Writes part of a path behind its prefix: the kind of node, plus 1 for an odd number of half bytes. */
function writePath(path: readonly number[], from: number, to: number, kind: number): void {
  const isOdd = (to - from) % 2 === 1;
  const halves = [...(isOdd ? [kind + 1] : [kind, 0]), ...path.slice(from, to)];
  const bytes = new Uint8Array(halves.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = ((halves[2 * at] as number) << 4) | (halves[2 * at + 1] as number);
  }
  writer.bytes(bytes);
}
