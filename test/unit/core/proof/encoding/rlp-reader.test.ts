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
  ['a quantity with a leading zero', '0xc3820005', 'is not an integer'],
  ['a quantity of 33 bytes', `0xe2a1${'01'.repeat(33)}`, 'is not an integer'],
  ['a list instead of a quantity', '0xc1c0', 'is a list'],
])('refuses %s', (_, hex, problem) => {
  const items = createListReader(Buffer.from(hex.slice(2), 'hex'), 'list');
  expect(() => items.quantity('gasPrice')).toThrow(problem);
});
