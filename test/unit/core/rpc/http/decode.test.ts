import fc from 'fast-check';
import { DecodeError, decodeQuantity, list } from '#core/rpc/http/decode.ts';

test('decodes a quantity exactly, in either case and as a number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
      const digits = value.toString(16);
      expect(decodeQuantity(`0x${digits}`)).toBe(value);
      expect(decodeQuantity(`0x${digits.toUpperCase()}`)).toBe(value);
    }),
  );
  expect(decodeQuantity(1_763_424_000)).toBe(1_763_424_000n);
});

test.each([
  ['0x'],
  [' 0x1'],
  ['0x1\n'],
  ['\u00a00x1'],
  ['12'],
  [''],
  ['0xg'],
  ['-0x1'],
  [-1],
  [1.5],
  [Number.MAX_VALUE],
  [null],
  [undefined],
  [{}],
  [['0x1']],
  [`0x1${'0'.repeat(64)}`],
])('refuses the quantity %p', (value) => {
  expect(() => decodeQuantity(value)).toThrow(DecodeError);
});

describe('a list', () => {
  const decode = list(decodeQuantity, 3);

  test.each<[string, unknown, string]>([
    ['another value', { length: 0 }, 'expected an array'],
    ['too many elements', [1, 2, 3, 4], '4 elements, more than 3'],
    ['a bad element', [1, 'ten'], '[1]: expected a hex quantity'],
  ])('with %s is refused, with the path', (_, value, message) => {
    expect(() => decode(value)).toThrow(new DecodeError(message));
  });

  test('is refused at the first bad element', () => {
    const decodeOne = jest.fn(decodeQuantity);
    expect(() => list(decodeOne, 3)(['ten', 'eleven'])).toThrow('[0]: ');
    expect(decodeOne).toHaveBeenCalledTimes(1);
  });
});
