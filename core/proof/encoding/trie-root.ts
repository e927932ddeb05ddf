import { isSameHex, toHex } from './hex.ts';
import { keccak256 } from './keccak.ts';
import { HASH } from './keccak-kernel.ts';
import { hashTogether } from './keccak-pairs.ts';
import { ProofError } from './proof-error.ts';
import { RlpWriter } from './rlp.ts';

interface Entry {
  /** RLP of the index, in half bytes. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

interface Trie {
  /** Sorted by path. */
  readonly entries: readonly Entry[];
  /** Hashes of the entries' leaf nodes, in the same order. */
  readonly leafHashes: Uint8Array;
}

const writer = new RlpWriter();

/**
 * Returns the root of the Merkle Patricia trie that holds each value under RLP(its index), as headers commit to the
 * transactions and receipts of a block.
 * https://ethereum.org/developers/docs/data-structures-and-encoding/patricia-merkle-trie/
 */
export function trieRoot(values: readonly Uint8Array[]): Uint8Array {
  writer.truncate(0);
  if (values.length === 0) {
    writer.empty();
  } else {
    const entries = entriesByPath(values);
    writeNode({ entries, leafHashes: hashLeaves(entries) }, 0, values.length, 0);
  }
  return keccak256(writer.since(0));
}

export type TrieLeaves = ReturnType<typeof createTrieLeaves>;

/**
 * Hashes values one by one as they arrive, so that none need be kept until the root is computed. Each is at least as long as a hash.
 * @param count the number of values, which decides the shape of the trie
 */
export function createTrieLeaves(count: number) {
  const entries = entriesByPath(Array.from({ length: count }, () => LONG));
  // The path of index 0 comes after that of 127.
  const smaller = Math.min(count, 128) - 1;
  const positionOf = (index: number) => (index === 0 ? smaller : index <= smaller ? index - 1 : index);
  return {
    hash: (index: number, value: Uint8Array): Uint8Array => {
      const position = positionOf(index);
      const { path } = entries[position] as Entry;
      writer.truncate(0);
      writeLeaf({ path, value }, leafDepth(entries, position));
      return keccak256(writer.since(0));
    },
    /** @param hashes of all values, in their order */
    root: (hashes: readonly Uint8Array[]): Uint8Array => {
      if (count === 0) return trieRoot([]);
      if (count === 1) return hashes[0] as Uint8Array;
      const leafHashes = new Uint8Array(count * HASH);
      for (const [index, hash] of hashes.entries()) leafHashes.set(hash, positionOf(index) * HASH);
      writer.truncate(0);
      writeNode({ entries, leafHashes }, 0, count, 0);
      return keccak256(writer.since(0));
    },
  };
}

/** Replaces a value whose leaf is long enough to be referred to by its hash. */
const LONG = new Uint8Array(HASH);

/**
 * Checks that the payloads of a block's transactions or receipts hash to the root that its header states.
 * @throws ProofError naming the root
 */
export function proveRoot(
  what: 'transactions' | 'receipts',
  payloads: readonly Uint8Array[],
  given: string,
): void {
  checkRoot(what, payloads.length, trieRoot(payloads), given);
}

/** @throws ProofError naming the root */
export function checkRoot(
  what: 'transactions' | 'receipts',
  count: number,
  computed: Uint8Array,
  given: string,
): void {
  const root = toHex(computed);
  if (isSameHex(root, given)) return;
  throw new ProofError(`${what}Root`, `${count} ${what} hash to ${root}, not to ${given}`);
}

/** Index 0 has the key 0x80, so it comes after 127 and before 128, whose key is 0x8180. */
function entriesByPath(values: readonly Uint8Array[]): readonly Entry[] {
  const entries = values.map((value, index) => ({ path: pathOf(index), value }));
  const smallest = entries.slice(1, 128);
  return [...smallest, ...entries.slice(0, 1), ...entries.slice(128)];
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

/** Hashes the leaf nodes in one batch, because they are most of the nodes and depend on no others. */
const hashLeaves = (entries: readonly Entry[]): Uint8Array =>
  hashTogether((add) => {
    for (let index = 0; index < entries.length; index++) {
      writeLeaf(entries[index] as Entry, leafDepth(entries, index));
      add(writer.since(0));
      writer.truncate(0);
    }
  });

/** Returns the number of half bytes of a leaf's path that nodes above it cover: one more than it shares with a neighbor. */
function leafDepth(entries: readonly Entry[], index: number): number {
  const { path } = entries[index] as Entry;
  const before = entries[index - 1]?.path;
  const after = entries[index + 1]?.path;
  return Math.max(before ? sharedDepth(path, before) + 1 : 0, after ? sharedDepth(path, after) + 1 : 0);
}

function writeLeaf({ path, value }: Entry, depth: number): void {
  const mark = writer.size();
  writer.bytes(value);
  writePath(path, depth, path.length, LEAF);
  writer.list(mark);
}

/** Writes the node of the entries from `from` to before `to`, which share their paths' first `depth` half bytes. */
function writeNode(trie: Trie, from: number, to: number, depth: number): void {
  const { entries } = trie;
  const first = entries[from] as Entry;
  if (to - from === 1) {
    writeLeaf(first, depth);
    return;
  }
  const mark = writer.size();
  const shared = sharedDepth(first.path, (entries[to - 1] as Entry).path);
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
    while (begin > from && trie.entries[begin - 1]?.path[depth] === half) begin--;
    if (begin === end) writer.empty();
    else writeReference(trie, begin, end, depth + 1);
    end = begin;
  }
}

/** Writes the hash of a node, or the node when it is shorter than a hash. */
function writeReference(trie: Trie, from: number, to: number, depth: number): void {
  const isLongLeaf = to - from === 1 && (trie.entries[from] as Entry).value.length >= HASH;
  if (isLongLeaf) {
    writer.bytes(trie.leafHashes.subarray(from * HASH, to * HASH));
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
