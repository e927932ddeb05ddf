import { RLP } from '@ethereumjs/rlp';
import { storageValue } from '#core/dollars/storage-proof.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { keccak256 } from '#core/proof/encoding/keccak.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { stateWith } from '#test/support/generators/blocks/storage.ts';

const ADDRESS = `0x${'5f'.repeat(20)}`;

const OTHER = `0x${'60'.repeat(20)}`;

const aggregator = Buffer.from(`0007${'7d'.repeat(20)}`, 'hex');
const slots = new Map<bigint, Uint8Array>(
  Array.from({ length: 60 }, (_, index) => [BigInt(index), Buffer.from([index + 1])] as const),
).set(2n, aggregator);

test('finds the values that another implementation stored, among few slots and many', async () => {
  for (const given of [slots, new Map([[2n, aggregator]])]) {
    const { root, prove } = await stateWith(ADDRESS, given);
    for (const [slot, value] of given)
      expect(storageValue(root, ADDRESS, slot, await prove(slot))).toEqual(Buffer.from(value));
  }
});

test('no changed byte of a proof gives another value', async () => {
  const { root, prove } = await stateWith(ADDRESS, slots);
  const proof = await prove(2n);
  for (const part of ['accountProof', 'storageProof'] as const) {
    for (const [index, node] of proof[part].entries()) {
      for (let at = 2; at < node.length; at += 7) {
        const changed = node.slice(0, at) + (node[at] === '0' ? '1' : '0') + node.slice(at + 1);
        const forged = { ...proof, [part]: proof[part].with(index, changed) };
        expect(() => storageValue(root, ADDRESS, 2n, forged)).toThrow(ProofError);
      }
    }
  }
});

test('a proof of another account, another root or of less is refused', async () => {
  const { root, prove } = await stateWith(ADDRESS, slots);
  const proof = await prove(2n);
  expect(() => storageValue(root, OTHER, 2n, proof)).toThrow(ProofError);
  expect(() => storageValue(`0x${'00'.repeat(32)}`, ADDRESS, 2n, proof)).toThrow(ProofError);
  for (const part of ['accountProof', 'storageProof'] as const)
    expect(() => storageValue(root, ADDRESS, 2n, { ...proof, [part]: proof[part].slice(0, -1) })).toThrow(
      ProofError,
    );
});

test('a slot that was never set is empty, as proven among few slots and many', async () => {
  for (const given of [slots, new Map([[2n, aggregator]])]) {
    const { root, prove } = await stateWith(ADDRESS, given);
    for (const slot of [100n, 101n, 102n, 103n])
      expect(storageValue(root, ADDRESS, slot, await prove(slot))).toEqual(Buffer.alloc(0));
  }
});

/* Nodes that this test makes itself: https://ethereum.org/developers/docs/data-structures-and-encoding/patricia-merkle-trie/ */

type Items = Parameters<typeof RLP.encode>[0];
const nodeOf = (items: Items) => Buffer.from(RLP.encode(items));
const hashOf = (node: Uint8Array) => Buffer.from(keccak256(node));
/** The path of a key that a leaf at the root has: flag 2, then 64 half bytes. */
const wholePath = (key: string, flag = '20') =>
  Buffer.from(`${flag}${toHex(keccak256(Buffer.from(key, 'hex'))).slice(2)}`, 'hex');
const SLOT = '0'.repeat(63);
const storage = nodeOf([wholePath(`${SLOT}2`), RLP.encode(aggregator)]);
const account = (storageRoot: Uint8Array, ...more: readonly Uint8Array[]) =>
  RLP.encode([Buffer.of(1), Buffer.of(), storageRoot, Buffer.alloc(32), ...more]);

/** The value of slot 2 by nodes of the state and of the storage. */
function valueIn(state: Buffer, own = storage): Buffer {
  const proof = { accountProof: [toHex(state)], storageProof: [toHex(own)] };
  return storageValue(toHex(hashOf(state)), ADDRESS, 2n, proof);
}
const stateOf = (value: Uint8Array) => nodeOf([wholePath(ADDRESS.slice(2)), value]);

test('an account has four members, of which the third is the root of its storage', () => {
  expect(valueIn(stateOf(account(hashOf(storage))))).toEqual(aggregator);
  const problem = 'it does not end with an account';
  expect(() => valueIn(stateOf(account(hashOf(storage), Buffer.of(1))))).toThrow(problem);
  expect(() => valueIn(stateOf(account(hashOf(storage).subarray(1))))).toThrow(problem);
});

test('an account that does not exist has empty slots', () => {
  const other = nodeOf([wholePath(OTHER.slice(2)), account(hashOf(storage))]);
  expect(valueIn(other)).toEqual(Buffer.alloc(0));
  const empty = Array.from({ length: 17 }, () => Buffer.alloc(0));
  expect(valueIn(nodeOf(empty))).toEqual(Buffer.alloc(0));
});

test.each<[string, Items, string]>([
  ['three items', [wholePath(`${SLOT}2`), RLP.encode(aggregator), Buffer.of(1)], 'neither 2 nor 17 items'],
  ['one item', [wholePath(`${SLOT}2`)], 'neither 2 nor 17 items'],
  ['16 items', Array.from({ length: 16 }, () => Buffer.alloc(0)), 'neither 2 nor 17 items'],
  ['a path with the flag 4', [wholePath(`${SLOT}2`, '40'), RLP.encode(aggregator)], 'an unknown flag'],
  ['a path without a flag', [Buffer.alloc(0), RLP.encode(aggregator)], 'an unknown flag'],
  [
    'a leaf with half a path',
    [wholePath(`${SLOT}2`).subarray(0, 17), RLP.encode(aggregator)],
    'not at the end',
  ],
])('refuses a node with %s', (_, items, problem) => {
  const own = nodeOf(items);
  expect(() => valueIn(stateOf(account(hashOf(own))), own)).toThrow(problem);
});
