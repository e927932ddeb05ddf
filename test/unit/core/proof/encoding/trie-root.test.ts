import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { createTrieLeaves, trieRoot } from '#core/proof/encoding/trie-root.ts';

test('the root of a list is that of ethereumjs, at every length up to 300', async () => {
  const values = Array.from({ length: 300 }, (_, index) =>
    Buffer.from(`value ${index}`.repeat(1 + (index % 9))),
  );
  const trie = await createMPT();
  expect(trieRoot([])).toEqual(trie.root());
  for (const [index, value] of values.entries()) {
    await trie.put(RLP.encode(index), value);
    expect(trieRoot(values.slice(0, index + 1))).toEqual(trie.root());
  }
});

const bytesOf = (index: number) => Buffer.alloc(32 + (index % 90), `value ${index}`);

test('values that are hashed one by one, in any order, have the root of all', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300 }), fc.nat(1_000), (count, seed) => {
      const values = Array.from({ length: count }, (_, index) => bytesOf(index + seed));
      const leaves = createTrieLeaves(count);
      const hashes: Uint8Array[] = [];
      for (const index of [...values.keys()].toReversed())
        hashes[index] = leaves.hash(index, values[index] as Buffer);
      expect(leaves.root(hashes)).toEqual(trieRoot(values));
    }),
  );
});

test.each([0, 1, 2, 16, 17, 127, 128, 129, 255, 256, 257, 1_000])('also of %i values', (count) => {
  const values = Array.from({ length: count }, (_, index) => bytesOf(index));
  const leaves = createTrieLeaves(count);
  expect(leaves.root(values.map((value, index) => leaves.hash(index, value)))).toEqual(trieRoot(values));
});
