import { toHex } from '../proof/encoding/hex.ts';
import { keccak256 } from '../proof/encoding/keccak.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import { createListReader, RlpReader } from '../proof/encoding/rlp-reader.ts';

/* A value of a contract's storage that follows from the state root of a block. https://eips.ethereum.org/EIPS/eip-1186 */

/** An answer of `eth_getProof` for one slot, decoded but not proven. */
export interface StorageProof {
  readonly accountProof: readonly string[];
  readonly storageProof: readonly string[];
}

/** A node of the tree has 16 children, which have 32 bytes each. */
const CHILDREN = 16;
const HASH = 32;

/**
 * Returns the value of a slot without leading zeros. It is empty if the slot was never set or the contract does not exist.
 * @throws ProofError when the proof does not lead from the state root to the slot
 */
export function storageValue(
  stateRoot: string,
  address: string,
  slot: bigint,
  { accountProof, storageProof }: StorageProof,
): Buffer {
  const account = valueAt(stateRoot, Buffer.from(address.slice(2), 'hex'), accountProof, 'accountProof');
  if (!account) return Buffer.alloc(0);
  const members = itemsOf(account, 'accountProof');
  const storageRoot = members[2];
  if (members.length !== 4 || storageRoot?.length !== HASH)
    throw new ProofError('accountProof', 'it does not end with an account');
  const key = Buffer.from(slot.toString(16).padStart(2 * HASH, '0'), 'hex');
  const value = valueAt(toHex(storageRoot), key, storageProof, 'storageProof');
  return value ? new RlpReader(value).payload('storageProof') : Buffer.alloc(0);
}

/** Follows the path of a key through the nodes of a proof. Each must have the hash that the node before names. */
function valueAt(root: string, key: Buffer, proof: readonly string[], field: string): Buffer | undefined {
  const path = Buffer.from(keccak256(key)).toString('hex');
  let expected: Buffer = Buffer.from(root.slice(2), 'hex');
  let depth = 0;
  for (const text of proof) {
    let node: Buffer = Buffer.from(text.slice(2), 'hex');
    if (!expected.equals(keccak256(node)))
      throw new ProofError(field, 'a node does not have the hash that leads to it');
    for (;;) {
      const step = stepOf(itemsOf(node, field), path, depth, field);
      if (!step || step.isLeaf) return step?.item;
      ({ depth } = step);
      // A node of less than 32 bytes is within its parent.
      if (step.item.length === HASH) {
        expected = step.item;
        break;
      }
      node = step.item;
    }
  }
  throw new ProofError(field, 'it ends before the value');
}

/** Returns the value, or the child that the path leads to and the depth below it; undefined if the key is absent. */
function stepOf(items: readonly Buffer[], path: string, depth: number, field: string) {
  if (items.length === CHILDREN + 1) {
    const item = items[Number.parseInt(path[depth] ?? '', 16)];
    return item && item.length > 0 ? { item, depth: depth + 1, isLeaf: false } : undefined;
  }
  const [encoded, item] = items;
  if (items.length !== 2 || !encoded || !item)
    throw new ProofError(field, 'a node has neither 2 nor 17 items');
  const text = encoded.toString('hex');
  const flag = Number.parseInt(text[0] ?? '', 16);
  if (!(flag <= 3)) throw new ProofError(field, 'a path has an unknown flag');
  const isLeaf = flag >= 2;
  const nibbles = text.slice(flag % 2 === 1 ? 1 : 2);
  if (!path.startsWith(nibbles, depth)) return undefined;
  const end = depth + nibbles.length;
  if (isLeaf && end !== path.length) throw new ProofError(field, 'a leaf is not at the end of the path');
  return { item, depth: end, isLeaf };
}

function itemsOf(node: Buffer, field: string): readonly Buffer[] {
  const reader = createListReader(node, field);
  const items: Buffer[] = [];
  while (!reader.isAtEnd()) items.push(reader.payload(field));
  return items;
}
