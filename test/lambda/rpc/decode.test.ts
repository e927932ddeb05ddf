import fc from 'fast-check';
import {
  address,
  count,
  type Decode,
  DecodeError,
  hash,
  header,
  list,
  object,
  optional,
  quantity,
  timestamp,
} from '../../../lambda/rpc/decode.ts';
import { blockAt, sampleChain } from '../../support/sample-chain.ts';

const raw = blockAt(sampleChain([0, 10, 20]), 2).header;

test('decodes a quantity exactly, in either case and as a number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
      const digits = value.toString(16);
      expect(quantity(`0x${digits}`)).toBe(value);
      expect(quantity(`0x${digits.toUpperCase()}`)).toBe(value);
    }),
  );
  expect(quantity(1_763_424_000)).toBe(1_763_424_000n);
});

test.each([
  ['0x'],
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
  expect(() => quantity(value)).toThrow(DecodeError);
});

test('decodes a header and drops unused fields', () => {
  expect(header({ ...raw, size: '0x5', number: '0x2', timestamp: 20 })).toEqual({
    number: 2,
    hash: raw.hash,
    parentHash: raw.parentHash,
    timestamp: 20,
  });
});

test.each(['number', 'hash', 'parentHash', 'timestamp'])('refuses a header without %s', (field) => {
  expect(() => header({ ...raw, [field]: undefined })).toThrow(`.${field}: expected`);
});

test('refuses an unsafe count', () => {
  expect(count('0x1fffffffffffff')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => count('0x20000000000000')).toThrow('expected a number below 2^53');
});

test('accepts timestamps up to the year 9999', () => {
  expect(timestamp(253_402_300_799)).toBe(253_402_300_799);
  expect(() => timestamp(253_402_300_800)).toThrow('expected a timestamp in seconds');
});

test.each<[string, Decode<string>, number]>([
  ['a hash of 32 bytes', hash, 64],
  ['an address of 20 bytes', address, 40],
])('decodes %s to lower case, and refuses another length', (name, decode, digits) => {
  expect(decode(`0x${'A'.repeat(digits)}`)).toBe(`0x${'a'.repeat(digits)}`);
  for (const wrong of [
    '',
    '0x',
    `0x${'a'.repeat(digits - 1)}`,
    `0x${'a'.repeat(digits + 1)}`,
    'a'.repeat(digits),
    5,
  ]) {
    expect(() => decode(wrong)).toThrow(`expected ${name}`);
  }
});

test('decodes null and an absent value as absent', () => {
  expect([undefined, null, '0x5'].map(optional(quantity))).toEqual([undefined, undefined, 5n]);
  expect(() => optional(quantity)('five')).toThrow(DecodeError);
});

describe('a list of objects', () => {
  const decode = list(object({ gas: quantity, at: object({ time: timestamp }) }), 3);
  const good = { gas: '0x1', at: { time: 5 }, other: 'dropped' };

  test('is decoded', () => {
    expect(decode([good])).toEqual([{ gas: 1n, at: { time: 5 } }]);
  });

  test.each<[string, unknown, string]>([
    ['another value', { length: 0 }, 'expected an array'],
    ['too many elements', [good, good, good, good], '4 elements, more than 3'],
    ['null in it', [good, null], '[1]: expected an object'],
    ['an array in it', [[]], '[0]: expected an object'],
    ['a bad member', [good, { ...good, gas: 'ten' }], '[1].gas: expected a hex quantity'],
    ['a nested bad member', [{ ...good, at: { time: -1 } }], '[0].at.time: expected a hex quantity'],
  ])('with %s is refused, with the path', (_, value, message) => {
    expect(() => decode(value)).toThrow(new DecodeError(message));
  });

  test('is refused at the first bad element', () => {
    const touched = jest.fn();
    const second = {
      get gas() {
        return touched();
      },
    };
    expect(() => decode([{}, second])).toThrow('[0].gas');
    expect(touched).not.toHaveBeenCalled();
  });
});
