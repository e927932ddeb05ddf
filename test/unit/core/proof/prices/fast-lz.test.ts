import fc from 'fast-check';
import { fastLzLength } from '#core/proof/prices/fast-lz.ts';
import { compressFastLz } from '#test/support/generators/blocks/fast-lz.ts';

/*
 * Proves the length of compressed bytes, on which the L1 fee is based. Each byte too many or too few would change the fees of the OP stack.
 */

/** Bytes of which no three repeat. */
const unlike = (count: number) => Uint8Array.from({ length: count }, (_, index) => (index * 7) % 256);

test.each([
  [0, 0],
  [1, 2],
  [31, 32],
  [32, 33],
  [33, 35],
  [64, 66],
  [65, 68],
])('%i bytes without a repetition take %i: one more for each begun run of 32', (count, length) => {
  expect(fastLzLength(unlike(count))).toBe(length);
});

test.each([
  ['two bytes up to a length of 8', 3, 2],
  ['two bytes up to a length of 8', 8, 2],
  ['three bytes from a length of 9 on', 9, 3],
  ['three bytes up to a length of 264', 264, 3],
  ['three bytes, and two for the rest, beyond 264', 265, 5],
])('a match takes %s: %i', (_, matched, length) => {
  const first = unlike(256);
  const repeated = Uint8Array.from({ length: matched }, (_, index) => first[index % 256] as number);
  const others = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
  const bytes = Uint8Array.from([...first, ...repeated, ...others]);
  expect(fastLzLength(bytes)).toBe(fastLzLength(first) + length + 33);
});

/** Returns whether five bytes are found to be those that the input begins with. */
const isFound = (between: Uint8Array, after: number) => {
  const lengthWith = (five: readonly number[]) => {
    const bytes = Uint8Array.from([1, 2, 3, 4, 5, ...between, ...five, ...unlike(after)]);
    expect(fastLzLength(bytes)).toBe(compressFastLz(bytes).length);
    return fastLzLength(bytes);
  };
  return lengthWith([1, 2, 3, 4, 5]) < lengthWith([6, 7, 8, 9, 10]);
};

test('a match begins 15 bytes before the end at the latest', () => {
  expect([9, 10].map((after) => isFound(unlike(20), after))).toEqual([false, true]);
});

test('a match refers back by up to 8,191 bytes', () => {
  expect([8_191, 8_192].map((distance) => isFound(new Uint8Array(distance - 5), 20))).toEqual([true, false]);
});

test('finds the same repetitions as an independent implementation in text of 4,096 words of three bytes', () => {
  // Repeated words are only found if no other word with the same hash came between, so another hash finds others.
  let state = 1;
  const bytes = Uint8Array.from({ length: 9_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return 17 * (state >>> 28);
  });
  expect(fastLzLength(bytes)).toBe(compressFastLz(bytes).length);
});

test('is the length of what an independent implementation writes', () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 300, size: 'max' }),
    fc.uint8Array({ maxLength: 300, max: 2, size: 'max' }),
    fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 600 }))
      .map(([bytes, times]) => Uint8Array.from(Array.from({ length: times }, () => [...bytes]).flat())),
  );
  const payload = fc
    .array(part, { maxLength: 6 })
    .map((parts) => Uint8Array.from(parts.flatMap((one) => [...one])));
  fc.assert(
    fc.property(payload, (bytes) => {
      expect(fastLzLength(bytes)).toBe(compressFastLz(bytes).length);
    }),
    { numRuns: 200 },
  );
});
