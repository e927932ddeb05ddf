import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { createListReader, RlpReader } from '#core/proof/encoding/rlp-reader.ts';

type Tree = Uint8Array | Tree[];

const { list } = fc.letrec<{ list: Tree[]; item: Tree }>((tie) => ({
  item: fc.oneof({ depthSize: 'small' }, fc.uint8Array({ maxLength: 70, size: 'max' }), tie('list')),
  list: fc.array(tie('item'), { maxLength: 6 }),
}));

const encode = (tree: Tree): Uint8Array => RLP.encode(tree as Parameters<typeof RLP.encode>[0]);

/** A list is its own payload, and a byte string's payload is its content. */
const payloadOf = (item: Tree): Uint8Array => (Array.isArray(item) ? encode(item) : item);

/** Returns the payload of each item, or undefined when the bytes are refused. */
function payloadsOf(bytes: Uint8Array): Buffer[] | undefined {
  try {
    const items = createListReader(bytes, 'list');
    const payloads: Buffer[] = [];
    while (!items.isAtEnd()) payloads.push(items.payload('item'));
    return payloads;
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}

test('reads the items that another library wrote', () => {
  fc.assert(
    fc.property(list, (tree) => {
      expect(payloadsOf(encode(tree))).toEqual(tree.map((item) => Buffer.from(payloadOf(item))));
    }),
  );
});

const readerOf = (tree: Tree[]) => createListReader(encode(tree), 'list');
/** An integer as RLP writes it: without leading zeros. */
const bytesOf = (value: bigint) =>
  Buffer.from(
    value === 0n ? '' : value.toString(16).padStart(2 * Math.ceil(value.toString(16).length / 2), '0'),
    'hex',
  );

test.each([0n, 1n, 0x7fn, 0x80n, 2n ** 48n - 1n, 2n ** 48n, 2n ** 56n - 1n, 2n ** 256n - 1n])(
  'reads the integer %s',
  (value) => {
    const items = readerOf([bytesOf(value), bytesOf(value)]);
    expect([items.integer('value'), BigInt(items.quantity('value')), items.isAtEnd()]).toEqual([
      value,
      value,
      true,
    ]);
  },
);

test('writes a quantity of zero as 0x0, and bytes as they are', () => {
  const items = readerOf([new Uint8Array(), new Uint8Array(), Uint8Array.of(0x80), Uint8Array.of(0, 1)]);
  expect([items.quantity('a'), items.data('b'), items.data('c'), items.fixed(2, 'd')]).toEqual([
    '0x0',
    '0x',
    '0x80',
    '0x0001',
  ]);
});

test.each([0, 19, 21])('refuses %i bytes where 20 are due, and says where 20 begin', (length) => {
  expect(() => readerOf([new Uint8Array(length).fill(1)]).fixedAt(20, 'to')).toThrow(
    `${length} bytes are not 20`,
  );
  // After the header of the list and that of the string.
  expect(readerOf([new Uint8Array(20)]).fixedAt(20, 'to')).toBe(2);
});

test('counts the items that are left, and returns some as they are', () => {
  const tree = [Uint8Array.of(1), [Uint8Array.of(2)], Uint8Array.of(3, 4)];
  const items = readerOf(tree);
  expect(items.items(2, 'item')).toEqual(Buffer.of(1, 0xc1, 2));
  expect([items.count('item'), items.isAtEnd()]).toEqual([1, true]);
  expect(readerOf(tree).count('item')).toBe(3);
});

test('reads from the first byte to the last unless others are named', () => {
  const bytes = Buffer.of(1, 2, 3, 4);
  expect(new RlpReader(bytes).count('item')).toBe(4);
  expect(new RlpReader(bytes, 1, 3).count('item')).toBe(2);
});

test('reads a length of 55 bytes from one byte, and one of 56 from two', () => {
  const items = readerOf([new Uint8Array(55), new Uint8Array(56)]);
  expect([items.payload('item').length, items.payload('item').length]).toEqual([55, 56]);
});

test.each([
  ['fb01000000', 'its RLP is longer than its list'],
  ['fc0100000000', 'its RLP is too long'],
])('reads a length of four bytes, and not of five: %s', (hex, problem) => {
  expect(() => createListReader(Buffer.from(hex, 'hex'), 'list')).toThrow(problem);
});

test.each([
  ['a byte below 0x80 behind a header', '0xc28105'],
  ['a short string with a long header', `0xc3b80105`],
  ['a short list with a long header', '0xf80105'],
  ['a string of 55 bytes with a long header', `0xf839b837${'05'.repeat(55)}`],
  ['a length that begins with zero', `0xf90038${'05'.repeat(56)}`],
  ['a length of nine bytes', `0xff${'01'.repeat(9)}`],
  ['an item that is longer than its list', '0xc28305'],
  ['a header that ends early', '0xf9'],
  ['a string instead of the list', '0x83010203'],
  ['a header whose length is behind the list', '0xc1b8'],
  ['no bytes', '0x'],
])('refuses %s', (_, hex) => {
  expect(payloadsOf(Buffer.from(hex.slice(2), 'hex'))).toBeUndefined();
});

test.each([
  ['a quantity with a leading zero', '0xc3820005', 'is not an integer'],
  ['a quantity of one zero byte', '0xc100', 'is not an integer'],
  ['a quantity of 33 bytes', `0xe2a1${'01'.repeat(33)}`, 'is not an integer'],
  ['a list instead of a quantity', '0xc1c0', 'is a list'],
])('refuses %s', (_, hex, problem) => {
  const items = createListReader(Buffer.from(hex.slice(2), 'hex'), 'list');
  expect(() => items.quantity('gasPrice')).toThrow(problem);
});
