import { storageValue } from '#core/dollars/storage-proof.ts';
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
