import {
  DIGITS,
  hexOf,
  isQuantity,
  isSameHex,
  NO_DIGIT,
  shown,
  toCount,
  toHex,
} from '#core/proof/encoding/hex.ts';

/* Proves which values of a node are taken as numbers, and what of them a message may quote. */

test('writes the bytes of a part of a buffer', () => {
  expect(toHex(Uint8Array.of(1, 2, 0xab, 4).subarray(1, 3))).toBe('0x02ab');
});

test('has a value for each hex digit in either case, and for no other character', () => {
  const values = Array.from({ length: 256 }, (_, code) => {
    const value = Number.parseInt(String.fromCharCode(code), 16);
    return Number.isNaN(value) ? NO_DIGIT : value;
  });
  expect([...DIGITS]).toEqual(values);
});

test('compares hex in any case', () => {
  expect(isSameHex('0xAb', '0xaB')).toBe(true);
  expect(isSameHex('0xab', '0xac')).toBe(false);
});

test.each(['0x0', '0xAf', `0x${'f'.repeat(64)}`, 0, 7, Number.MAX_SAFE_INTEGER])(
  '%p is a quantity',
  (value) => {
    expect(isQuantity(value)).toBe(true);
  },
);

test.each([
  '',
  '0x',
  ' 0x1',
  '0x1 ',
  '7',
  '0xg',
  `0x${'f'.repeat(65)}`,
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  null,
  undefined,
  [],
  {},
])('%p is not a quantity', (value) => {
  expect(isQuantity(value)).toBe(false);
});

test('takes a number for hex, and nothing else that is not hex', () => {
  expect([hexOf(0, 'gas'), hexOf(255, 'gas')]).toEqual(['0x0', '0xff']);
  for (const absent of [undefined, null]) expect(() => hexOf(absent, 'gas')).toThrow('the node left it out');
  for (const wrong of [-1, 1.5, true, {}])
    expect(() => hexOf(wrong, 'gas')).toThrow('it is not a hex string');
});

test('quotes hex of up to 32 bytes, and no other text', () => {
  const word = `0x${'0a'.repeat(32)}`;
  expect(shown(word)).toBe(word);
  expect(shown(`${word}c`)).toBe(`${word}…`);
  for (const text of ['a secret', '0xsecret', 7, undefined]) expect(shown(text)).toBe('the given value');
});

test('counts up to the highest value that is given, or that a number holds exactly', () => {
  expect([toCount('0xa', 'gas', 10), toCount('0x1fffffffffffff', 'gas')]).toEqual([10, 2 ** 53 - 1]);
  expect(() => toCount('0xb', 'gas', 10)).toThrow('0xb is too large');
  expect(() => toCount('0x20000000000000', 'gas', Infinity)).toThrow('is too large');
});
