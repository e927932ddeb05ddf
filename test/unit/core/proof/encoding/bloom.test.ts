import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { BLOOM, bloomOf as bloomOfLogs, createBlooms, mayContain } from '#core/proof/encoding/bloom.ts';
import { toHex } from '#core/proof/encoding/hex.ts';

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

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const value = fc.oneof(
  bytes(20),
  bytes(32),
  fc
    .tuple(fc.constantFrom(20, 32), fc.nat(40))
    .map(([length, seed]) => new Uint8Array(length).fill(seed, length - 6, length - 5)),
);

test('derives the bloom of logs, in which each of their contracts is found', () => {
  const log = fc.record({ address: bytes(20), topics: fc.array(bytes(32), { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(log, { maxLength: 5 }), bytes(20), (logs, other) => {
      const given = logs.map(({ address, topics }) => ({
        address: toHex(address),
        topics: topics.map(toHex),
      }));
      const bloom = bloomOfLogs(given);
      expect(bloom).toBe(`0x${bloomOf(logs.flatMap(({ address, topics }) => [address, ...topics]))}`);
      expect(given.map(({ address }) => mayContain(bloom, address))).toEqual(given.map(() => true));
      const all = BigInt(bloom);
      const own = BigInt(`0x${bloomOf([other])}`);
      expect(mayContain(bloom, toHex(other))).toBe((all & own) === own);
    }),
  );
});

test('finds no contract in a bloom that lacks one of its three bits', () => {
  const address = new Uint8Array(20).fill(7);
  const bloom = BigInt(`0x${bloomOf([address])}`);
  const bits = Array.from({ length: 8 * BLOOM }, (_, bit) => 1n << BigInt(bit)).filter((bit) => bloom & bit);
  expect(bits).toHaveLength(3);
  for (const bit of bits) {
    const without = (bloom & ~bit).toString(16).padStart(2 * BLOOM, '0');
    expect(mayContain(`0x${without}`, toHex(address))).toBe(false);
  }
});

test('sets no bit of a receipt without logs', () => {
  const lists = [[], [new Uint8Array(20).fill(7)]];
  expect(written(createBlooms(), lists)).toEqual(lists.map(bloomOf));
});

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
