import fc from 'fast-check';
import { fastLzLength } from '#core/proof/prices/fast-lz.ts';
import { compressFastLz, decompressFastLz } from '#test/support/generators/fast-lz.ts';

/** Bytes with repetitions, near and far, as transactions have them. */
const repetitive = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.tuple(fc.nat(255), fc.nat(600)).map(([byte, count]) => new Uint8Array(count).fill(byte)),
      fc
        .tuple(fc.nat(7), fc.nat(300))
        .map(([seed, count]) => Uint8Array.from({ length: count }, (_, i) => (i * seed) & 31)),
    ),
    { maxLength: 30 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

const bytes = fc.oneof(repetitive, fc.uint8Array({ maxLength: 500 }));

test('returns the length of a FastLZ stream that decompresses to the same bytes', () => {
  fc.assert(
    fc.property(bytes, (input) => {
      const compressed = compressFastLz(input);
      expect(decompressFastLz(compressed)).toEqual(input);
      expect(fastLzLength(input)).toBe(compressed.length);
    }),
    { numRuns: 500 },
  );
});

test('finds matches up to 8,191 bytes back, and none farther', () => {
  const start = Uint8Array.from({ length: 64 }, (_, i) => i + 1);
  const withGap = (gap: number) => new Uint8Array(Buffer.concat([start, noise(gap), start, noise(20)]));
  expect(fastLzLength(withGap(8_191 - 64))).toBeLessThan(fastLzLength(withGap(8_192 - 64)) - 40);
  for (const gap of [8_120, 8_127, 8_128, 8_200]) {
    expect(fastLzLength(withGap(gap))).toBe(compressFastLz(withGap(gap)).length);
  }
});

test('finds a match that begins 15 bytes before the end, and none that begins later', () => {
  const start = Uint8Array.from({ length: 30 }, (_, i) => i);
  const withRepeated = (count: number) => new Uint8Array([...start, ...start.slice(0, count)]);
  expect(fastLzLength(withRepeated(14))).toBe(44 + 2);
  expect(fastLzLength(withRepeated(15))).toBeLessThan(44);
});

test('returns the same length whatever was compressed before', () => {
  fc.assert(
    fc.property(bytes, bytes, (earlier, input) => {
      const expected = compressFastLz(input).length;
      fastLzLength(earlier);
      expect(fastLzLength(input)).toBe(expected);
    }),
  );
});

/** Bytes without a repeated triple that a match could use: pairs of a counter, in an order that FastLZ cannot follow. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) | 0x80;
  });
}

test.each([
  [0, 0],
  [1, 2],
  [12, 13],
  [32, 33],
  [33, 35],
])('compresses %i bytes without repetition to %i', (length, expected) => {
  expect(fastLzLength(Uint8Array.from({ length }, (_, i) => i))).toBe(expected);
});
