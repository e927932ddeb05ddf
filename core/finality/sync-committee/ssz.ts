import { createHash } from 'node:crypto';

/*
 * Roots and branches of SSZ, the trees of Ethereum's consensus layer. Only what its light clients need.
 * https://github.com/ethereum/consensus-specs/blob/master/ssz/simple-serialize.md and merkle-proofs.md beside it
 */

/** Bytes of a leaf and of a node. */
const CHUNK = 32;
const ZERO = Buffer.alloc(CHUNK);

export const hashPair = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(left).update(right).digest();

/** Returns the leaf of an unsigned integer: little endian. */
export function uintLeaf(value: bigint): Buffer {
  const hex = value.toString(16).padStart(2 * CHUNK, '0');
  return Buffer.from(hex, 'hex').reverse();
}

/** Returns the root of a byte vector. Its last leaf may be short. */
export function bytesRoot(bytes: Uint8Array): Buffer {
  const count = Math.max(1, Math.ceil(bytes.length / CHUNK));
  const padded = Buffer.alloc(count * CHUNK);
  padded.set(bytes);
  return merkleRoot(
    Array.from({ length: count }, (_, index) => padded.subarray(index * CHUNK, (index + 1) * CHUNK)),
  );
}

/** Returns the root of a byte list of up to 32 bytes, which covers their number. */
export const shortListRoot = (bytes: Uint8Array): Buffer =>
  hashPair(bytesRoot(bytes), uintLeaf(BigInt(bytes.length)));

/** Returns the root of a container's members, or of a vector's elements, from their roots. */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  let level = leaves;
  let padding: Uint8Array = ZERO;
  while (level.length > 1) {
    const below = level;
    const fill = padding;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, index) =>
      hashPair(below[2 * index] as Uint8Array, below[2 * index + 1] ?? fill),
    );
    padding = hashPair(padding, padding);
  }
  return Buffer.from(level[0] ?? ZERO);
}

/** Returns the number of nodes in a branch to a generalized index: the root has 1, and the children of `i` have `2 i` and `2 i + 1`. */
export const branchLength = (index: number): number => Math.floor(Math.log2(index));

/** Returns whether a leaf is at a generalized index under a root. */
export function isInBranch(
  leaf: Uint8Array,
  branch: readonly Uint8Array[],
  index: number,
  root: Uint8Array,
): boolean {
  if (branch.length !== branchLength(index)) return false;
  let node = leaf;
  let at = index;
  for (const sibling of branch) {
    node = at % 2 === 1 ? hashPair(sibling, node) : hashPair(node, sibling);
    at = Math.floor(at / 2);
  }
  return Buffer.compare(node, root) === 0;
}
