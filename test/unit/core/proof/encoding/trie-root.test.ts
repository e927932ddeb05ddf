import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { toHex } from '#core/proof/encoding/hex.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { createTrieLeaves, proveRoot, trieRoot } from '#core/proof/encoding/trie-root.ts';

/* Proves that roots are those of an independent trie, at the numbers and lengths where its shape changes. */

/** The root by a library that inserts one value after the other. */
async function expectedRoot(values: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) await trie.put(RLP.encode(index), value);
  return toHex(trie.root());
}

/** Different values of one length. */
const valuesOf = (count: number, length: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => new Uint8Array(length).fill(1 + (index % 255)));
/** Each is longer than a hash by as much as its index. */
const longValues = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => new Uint8Array(32 + index).fill(index));

describe('trieRoot', () => {
  // Index 0 is between 127 and 128; keys have one byte up to 127, two up to 255 and three after.
  test.each([0, 1, 2, 15, 16, 17, 127, 128, 129, 255, 256, 257])('hashes %i values', async (count) => {
    const values = valuesOf(count, 40);
    expect(toHex(trieRoot(values))).toBe(await expectedRoot(values));
  });

  // Nodes below 32 bytes are written into their parent, others by their hash.
  test.each([1, 2, 25, 26, 27, 28, 29, 30, 31, 32, 33, 55, 56])(
    'hashes values of %i bytes',
    async (length) => {
      for (const count of [1, 2, 20, 130]) {
        const values = valuesOf(count, length);
        expect(toHex(trieRoot(values))).toBe(await expectedRoot(values));
      }
    },
  );

  test('hashes values of different lengths', async () => {
    const value = fc.uint8Array({ minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 140, size: 'max' }), async (values) => {
        expect(toHex(trieRoot(values))).toBe(await expectedRoot(values));
      }),
      { numRuns: 10 },
    );
  });
});

describe('createTrieLeaves', () => {
  test.each([0, 1, 2, 127, 128, 129, 300])(
    'gives the same root for %i values that arrive in any order',
    (count) => {
      const values = longValues(count);
      const leaves = createTrieLeaves(count);
      const hashes = new Array<Uint8Array>(count);
      for (const [index, value] of [...values.entries()].toReversed())
        hashes[index] = leaves.hash(index, value);
      expect(toHex(leaves.root(hashes))).toBe(toHex(trieRoot(values)));
    },
  );
});

describe('proveRoot', () => {
  const values = longValues(3);
  const root = toHex(trieRoot(values));

  test('accepts the root in either case', () => {
    proveRoot('receipts', values, root);
    proveRoot('receipts', values, `0x${root.slice(2).toUpperCase()}`);
  });

  test.each([
    ['one that is short', values.slice(0, 2), 2],
    ['one in another order', values.toReversed(), 3],
    ['one with an additional value', [...values, new Uint8Array(32)], 4],
  ])('refuses a list: %s', (_, list, count) => {
    const prove = () => proveRoot('transactions', list, root);
    expect(prove).toThrow(ProofError);
    expect(prove).toThrow(
      expect.objectContaining({
        field: 'transactionsRoot',
        message: `${count} transactions hash to ${toHex(trieRoot(list))}, not to ${root}`,
      }),
    );
  });
});
