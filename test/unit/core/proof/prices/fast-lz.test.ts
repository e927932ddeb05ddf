import fc from 'fast-check';
import { fastLzLength } from '#core/proof/prices/fast-lz.ts';
import { compressFastLz, decompressFastLz } from '#test/support/generators/blocks/fast-lz.ts';

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
  );
});
