import { isSameHex, toHex } from './hex.ts';
import { hashTogether, keccak256 } from './keccak.ts';
import { HASH } from './keccak-kernel.ts';
import { ProofError } from './proof-error.ts';
import { RlpWriter } from './rlp.ts';

/** A value of a trie. */
interface Leaf {
  /** RLP of the index, in half bytes. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

interface Trie {
  /** Sorted by their paths. */
  readonly leaves: readonly Leaf[];
  /** Those of the leaves' nodes, one after the other. */
  readonly hashes: Uint8Array;
}

const writer = new RlpWriter();

/**
 * Returns the root of the Merkle Patricia trie that holds each value under RLP(its index), as headers commit to the
 * transactions and receipts of a block.
 * https://ethereum.org/developers/docs/data-structures-and-encoding/patricia-merkle-trie/
 */
export function trieRoot(values: readonly Uint8Array[]): Uint8Array {
  const leaves = sortedLeaves(values);
  writer.truncate(0);
  // Hashed in one batch, because leaves are most of the nodes and depend on no others.
  const hashes = hashTogether((add) => {
    leaves.forEach((leaf, position) => {
      writeLeaf(leaf, leafDepth(leaves, position));
      add(writer.since(0));
      writer.truncate(0);
    });
  });
  return rootOf({ leaves, hashes });
}

/** The leaves of a trie whose values arrive one by one. */
export interface TrieLeaves {
  /** Returns the hash of a value's leaf. */
  readonly hash: (index: number, value: Uint8Array) => Uint8Array;
  /** @param hashes of all values, in their order */
  readonly root: (hashes: readonly Uint8Array[]) => Uint8Array;
}

/**
 * Hashes values one by one as they arrive, so that none need be kept until the root is computed. Each is at least as long as a hash.
 * @param count the number of values, which decides the shape of the trie
 */
export function createTrieLeaves(count: number): TrieLeaves {
  const leaves = sortedLeaves(Array.from({ length: count }, () => LONG));
  const positions = new Map(leaves.map(({ index }, position) => [index, position]));
  return {
    hash: (index, value) => {
      const position = positions.get(index) ?? 0;
      writer.truncate(0);
      writeLeaf({ path: pathOf(index), value }, leafDepth(leaves, position));
      return keccak256(writer.since(0));
    },
    root: (hashes) =>
      count === 1
        ? (hashes[0] as Uint8Array)
        : rootOf({ leaves, hashes: Buffer.concat(leaves.map(({ index }) => hashes[index] as Uint8Array)) }),
  };
}

/** Replaces a value whose leaf is long enough to be referred to by its hash. */
const LONG = new Uint8Array(HASH);

function rootOf(trie: Trie): Uint8Array {
  writer.truncate(0);
  if (trie.leaves.length === 0) writer.empty();
  else writeNode(trie, 0, trie.leaves.length, 0);
  return keccak256(writer.since(0));
}

/** The lists of a block whose roots its header states. */
type List = 'transactions' | 'receipts';

/** Checks that the payloads of a list hash to the root in the header. @throws ProofError naming the root */
export function proveRoot(what: List, payloads: readonly Uint8Array[], given: string): void {
  checkRoot(what, payloads.length, trieRoot(payloads), given);
}

/** @throws ProofError naming the root */
export function checkRoot(what: List, count: number, computed: Uint8Array, given: string): void {
  const root = toHex(computed);
  if (isSameHex(root, given)) return;
  throw new ProofError(`${what}Root`, `${count} ${what} hash to ${root}, not to ${given}`);
}

/** Index 0 has the key 0x80, so it comes after 127 and before 128, whose key is 0x8180. */
function sortedLeaves(values: readonly Uint8Array[]) {
  const leaves = values.map((value, index) => ({ index, path: pathOf(index), value }));
  return [...leaves.slice(1, 128), ...leaves.slice(0, 1), ...leaves.slice(128)];
}

/** Caches paths by index, because they are the same for every list. */
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

/** Returns the number of half bytes of a leaf's path that nodes above it cover: one more than it shares with a neighbor. */
function leafDepth(leaves: readonly Pick<Leaf, 'path'>[], position: number): number {
  const path = leaves[position]?.path ?? [];
  const sharedWith = (neighbor: number) => {
    const other = leaves[neighbor];
    return other ? sharedDepth(path, other.path) + 1 : 0;
  };
  return Math.max(sharedWith(position - 1), sharedWith(position + 1));
}

function writeLeaf({ path, value }: Leaf, depth: number): void {
  const mark = writer.size();
  writer.bytes(value);
  writePath(path, depth, path.length, LEAF);
  writer.list(mark);
}

/** Writes the node of the leaves from `from` to before `to`, which share their paths' first `depth` half bytes. */
function writeNode(trie: Trie, from: number, to: number, depth: number): void {
  const first = trie.leaves[from] as Leaf;
  if (to - from === 1) {
    writeLeaf(first, depth);
    return;
  }
  const mark = writer.size();
  const shared = sharedDepth(first.path, (trie.leaves[to - 1] as Leaf).path);
  if (shared > depth) {
    writeReference(trie, from, to, shared);
    writePath(first.path, depth, shared, EXTENSION);
  } else {
    writeBranch(trie, from, to, depth);
  }
  writer.list(mark);
}

/** Writes the 16 children of a branch and its value, which is empty because no key is a prefix of another. */
function writeBranch(trie: Trie, from: number, to: number, depth: number): void {
  writer.empty();
  let end = to;
  for (let half = 15; half >= 0; half--) {
    let begin = end;
    while (begin > from && trie.leaves[begin - 1]?.path[depth] === half) begin--;
    if (begin === end) writer.empty();
    else writeReference(trie, begin, end, depth + 1);
    end = begin;
  }
}

/** Writes the hash of a node, or the node when it is shorter than a hash. */
function writeReference(trie: Trie, from: number, to: number, depth: number): void {
  if (to - from === 1 && (trie.leaves[from] as Leaf).value.length >= HASH) {
    writer.bytes(trie.hashes.subarray(from * HASH, to * HASH));
    return;
  }
  const mark = writer.size();
  writeNode(trie, from, to, depth);
  if (writer.size() - mark < HASH) return;
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

/** Writes part of a path after its prefix, which is the kind of the node, plus 1 for an odd number of half bytes. */
function writePath(path: readonly number[], from: number, to: number, kind: number): void {
  const mark = writer.size();
  let end = to;
  for (; end - from >= 2; end -= 2) {
    writer.rawByte(((path[end - 2] as number) << 4) | (path[end - 1] as number));
  }
  const isOdd = end > from;
  writer.rawByte(isOdd ? ((kind + 1) << 4) | (path[from] as number) : kind << 4);
  writer.string(mark);
}
