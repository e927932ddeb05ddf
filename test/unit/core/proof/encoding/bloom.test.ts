import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { BLOOM, createBlooms } from '#core/proof/encoding/bloom.ts';

/** The bloom of values as the yellow paper defines it: three bits of eleven each, from the first six bytes of the hash. */
function bloomOf(values: readonly Uint8Array[]): string {
  let bloom = 0n;
  for (const value of values) {
    const hash = Buffer.from(keccak_256(value));
    for (const at of [0, 2, 4]) bloom |= 1n << BigInt(hash.readUInt16BE(at) & 0x7ff);
  }
  return bloom.toString(16).padStart(2 * BLOOM, '0');
}

/** Writes one bloom for each list of values behind each other. */
function written(
  blooms: ReturnType<typeof createBlooms>,
  lists: readonly (readonly Uint8Array[])[],
): string[] {
  const output = Buffer.alloc(lists.length * BLOOM);
  for (const [index, values] of lists.entries()) {
    for (const value of values) {
      const view = new DataView(value.buffer, value.byteOffset, value.length);
      blooms.add(output, index * BLOOM, view, 0, value.length);
    }
  }
  blooms.finish(output);
  return lists.map((_, index) => output.toString('hex', index * BLOOM, (index + 1) * BLOOM));
}

const value = fc
  .tuple(fc.constantFrom(20, 32), fc.nat(40))
  .map(([length, seed]) => new Uint8Array(length).fill(seed, length - 6, length - 5));

test('sets the bits of each address and topic, also of those that repeat in later blocks', () => {
  const blooms = createBlooms();
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 8 }), { maxLength: 8 }), (lists) => {
      expect(written(blooms, lists)).toEqual(lists.map(bloomOf));
    }),
  );
});

/** @param at position of the number. The first and the last bytes decide in which slot a value is looked up. */
const numbered = (number: number, at = 12): Uint8Array => {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(number, at);
  return bytes;
};

test.each([
  ['in one slot', 12],
  ['in many slots', 0],
])('sets the bits of more values than it remembers, also of those that it just forgot, %s', (_, at) => {
  const remembered = Array.from({ length: 2 ** 14 }, (_, number) => numbered(number, at));
  const later = remembered.map((_, number) => numbered(2 ** 14 + number, at));
  // The values behind them are stored in their places before their bits are set.
  const lists = [remembered, [...remembered.slice(0, 20), ...remembered.slice(-1)], later];
  expect(written(createBlooms(), lists)).toEqual(lists.map(bloomOf));
});
