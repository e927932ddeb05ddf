import { createHash } from 'node:crypto';
import type { BeaconHeader, Committee, PayloadHeader } from './answers.ts';

/*
 * Roots and branches of SSZ, the trees of beacon chains. Only what light clients need.
 * https://github.com/ethereum/consensus-specs/blob/master/ssz/simple-serialize.md and merkle-proofs.md beside it
 */

/** Bytes of a leaf and of a node. */
const CHUNK = 32;

export const hashPair = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(left).update(right).digest();

/** Returns the root of leaves or other nodes. Missing ones are roots of zeros. */
function merkleRoot(nodes: readonly Uint8Array[], padding: Uint8Array = Buffer.alloc(CHUNK)): Buffer {
  if (nodes.length <= 1) return Buffer.from(nodes[0] ?? padding);
  const above = Array.from({ length: Math.ceil(nodes.length / 2) }, (_, index) =>
    hashPair(nodes[2 * index] as Uint8Array, nodes[2 * index + 1] ?? padding),
  );
  return merkleRoot(above, hashPair(padding, padding));
}

/** Returns the root of a byte vector, or the leaf of an unsigned integer, which is little endian. */
function memberRoot(member: Uint8Array | bigint | number): Buffer {
  if (typeof member === 'object') {
    const chunks = Array.from({ length: Math.ceil(member.length / CHUNK) }, (_, index) => {
      const chunk = Buffer.alloc(CHUNK);
      // The last one may be short.
      chunk.set(member.subarray(index * CHUNK, (index + 1) * CHUNK));
      return chunk;
    });
    return merkleRoot(chunks);
  }
  const hex = member.toString(16).padStart(2 * CHUNK, '0');
  return Buffer.from(hex, 'hex').reverse();
}

/** Returns the root of a beacon block, which is that of its header. */
export const headerRoot = (header: BeaconHeader): Buffer => merkleRoot(Object.values(header).map(memberRoot));

export const committeeRoot = ({ pubkeys, aggregate_pubkey }: Committee): Buffer =>
  hashPair(merkleRoot(pubkeys.map(memberRoot)), memberRoot(aggregate_pubkey));

/**
 * Returns the root of the header of an execution payload.
 * @param hasBlobs true since Deneb, which added two members for blobs
 * @returns undefined if they are missing
 */
export function payloadRoot(header: PayloadHeader, hasBlobs: boolean): Buffer | undefined {
  const { extra_data: extra } = header;
  // The only byte list. Its root covers its length.
  const extra_data = hashPair(memberRoot(extra), memberRoot(extra.length));
  const { blob_gas_used, excess_blob_gas, ...others } = { ...header, extra_data };
  const blobs = [blob_gas_used, excess_blob_gas].filter((member) => member !== undefined);
  if (hasBlobs && blobs.length < 2) return undefined;
  return merkleRoot([...Object.values(others), ...(hasBlobs ? blobs : [])].map(memberRoot));
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
