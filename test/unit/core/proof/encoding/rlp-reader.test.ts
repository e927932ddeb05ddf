import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { createListReader } from '#core/proof/encoding/rlp-reader.ts';

type Tree = Uint8Array | Tree[];

const { list } = fc.letrec<{ list: Tree[]; item: Tree }>((tie) => ({
  item: fc.oneof({ depthSize: 'small' }, fc.uint8Array({ maxLength: 70 }), tie('list')),
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

test('refuses a list that lacks its last byte or has one more', () => {
  fc.assert(
    fc.property(list, (tree) => {
      const bytes = encode(tree);
      expect(payloadsOf(bytes.subarray(0, -1))).toBeUndefined();
      expect(payloadsOf(Uint8Array.of(...bytes, 0))).toBeUndefined();
    }),
  );
});

test.each([
  ['a byte below 0x80 behind a header', '0xc28105'],
  ['a short string with a long header', `0xc3b80105`],
  ['a short list with a long header', '0xf80105'],
  ['a length that begins with zero', `0xf90038${'05'.repeat(56)}`],
  ['a length of nine bytes', `0xff${'01'.repeat(9)}`],
  ['an item that is longer than its list', '0xc28305'],
  ['a header that ends early', '0xf9'],
  ['a string instead of the list', '0x83010203'],
  ['no bytes', '0x'],
])('refuses %s', (_, hex) => {
  expect(payloadsOf(Buffer.from(hex.slice(2), 'hex'))).toBeUndefined();
});

test.each([
  ['a quantity with a leading zero', '0xc3820005', 'is no integer'],
  ['a quantity of 33 bytes', `0xe2a1${'01'.repeat(33)}`, 'is no integer'],
  ['a list instead of a quantity', '0xc1c0', 'is a list'],
])('refuses %s', (_, hex, problem) => {
  const items = createListReader(Buffer.from(hex.slice(2), 'hex'), 'list');
  expect(() => items.quantity('gasPrice')).toThrow(problem);
});

test('reads quantities, byte strings and nested lists as hex', () => {
  const items = createListReader(RLP.encode([1024, '0x', '0x1234', ['0x05']]), 'list');
  expect([items.quantity('a'), items.quantity('b'), items.fixed(2, 'c')]).toEqual([
    '0x0400',
    '0x0',
    '0x1234',
  ]);
  const nested = items.list('d');
  expect([nested.data('e'), nested.isAtEnd(), items.isAtEnd()]).toEqual(['0x05', true, true]);
});

test('reads integers of up to 32 bytes', () => {
  const integer = fc.nat(256).chain((bits) => fc.bigInt(0n, 2n ** BigInt(bits) - 1n));
  fc.assert(
    fc.property(fc.array(integer), (integers) => {
      const items = createListReader(RLP.encode(integers), 'list');
      expect(integers.map(() => items.integer('integer'))).toEqual(integers);
    }),
  );
});

test('enters lists, and leaves them for the item behind', () => {
  const items = createListReader(RLP.encode([[Uint8Array.of(1, 2), [], [3]], 4]), 'list');
  const outer = items.enter('outer');
  expect(items.fixedAt(2, 'bytes')).toBe(3);
  items.leave(items.enter('empty'), 'empty');
  const inner = items.enter('inner');
  expect(() => items.leave(inner, 'inner')).toThrow('it has more members');
  expect(items.integer('three')).toBe(3n);
  expect(() => items.skip('fourth')).toThrow('its RLP ends early');
  items.leave(inner, 'inner');
  items.leave(outer, 'outer');
  expect(items.integer('four')).toBe(4n);
  expect(items.isAtEnd()).toBe(true);
});

test('refuses an item that ends behind the list it is in', () => {
  const items = createListReader(Uint8Array.of(0xc3, 0xc1, 0x82, 0x05), 'list');
  items.enter('inner');
  expect(() => items.skip('item')).toThrow('its RLP is longer than its list');
});
