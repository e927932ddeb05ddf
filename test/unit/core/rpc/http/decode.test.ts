import fc from 'fast-check';
import { readBlockFrom } from '#core/blocks/nodes/read-block.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { DecodeError, decodeQuantity, list, withoutForeignText } from '#core/rpc/http/decode.ts';
import { decodeResult, type Rpc } from '#core/rpc/json-rpc.ts';
import { escaped, withForeignDigit } from '#test/support/generators/blocks/foreign-digits.ts';
import { type FullBlock, readSmallBlocks } from '#test/support/generators/blocks/full-blocks.ts';
import { placesIn } from '#test/support/generators/blocks/json-changes.ts';

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

  test('may have as many elements as its limit', () => {
    expect(decode([1, 2, 3])).toEqual([1n, 2n, 3n]);
  });

  test('is refused at the first bad element', () => {
    const decodeOne = jest.fn(decodeQuantity);
    expect(() => list(decodeOne, 3)(['ten', 'eleven'])).toThrow('[0]: ');
    expect(decodeOne).toHaveBeenCalledTimes(1);
  });
});

const parsed = (json: string) => {
  const body = Buffer.from(json);
  return { result: JSON.parse(json), body };
};
const cleaned = (json: string) => {
  const { result, body } = parsed(json);
  return withoutForeignText(result, body);
};

test('replaces any other text, in either encoding and at any depth', () => {
  const value = { a: '0xİ', list: [['0x1\n'], { b: '\u007f', c: '0x1' }] };
  const expected = { a: '0x?', list: [['0x?'], { b: '0x?', c: '0x1' }] };
  expect(cleaned(JSON.stringify(value))).toEqual(expected);
  expect(cleaned(escaped(JSON.stringify(value)))).toEqual(expected);
  expect(cleaned('"0x\\u0130"')).toBe('0x?');
});

test('leaves bytes and the result alone', () => {
  const bytes = Buffer.from([0x80, 0xff]);
  const result = [bytes];
  expect(withoutForeignText(result, Buffer.from('İ'))).toBe(result);
  expect(result).toEqual([Buffer.from([0x80, 0xff])]);
});

test('refuses such text in more than 32 nested arrays, however many', () => {
  const nested = (depth: number, text: string) => `${'['.repeat(depth)}"${text}"${']'.repeat(depth)}`;
  expect(JSON.stringify(cleaned(nested(32, 'İ')))).toBe(nested(32, '0x?'));
  for (const depth of [33, 100_000])
    expect(() => cleaned(nested(depth, 'İ'))).toThrow('nested more than 32 deep');
});

/** Reads a block from a node whose responses are spelled in one way. */
function read({ chain: name, number, block, receipts }: FullBlock, spell = (json: string) => json) {
  const chain: Chain = chainOf(name);
  const endpoint = endpointOf(chain, 'https://node.example');
  const rpc: Rpc = async (method, _, decode) => {
    const result = method.endsWith('Receipts') ? receipts : block;
    const body = Buffer.from(spell(JSON.stringify({ id: 1, result })));
    return decodeResult(endpoint, method, 1, { status: 200, header: () => undefined, body }, decode);
  };
  return readBlockFrom({ chain, evidence: 'proven' }, number, rpc, endpoint.host);
}

/** A real block, one of its texts, and a digit of that. */
const digits = fc.constantFrom(...readSmallBlocks()).chain((full) => {
  const places = placesIn({ block: full.block, receipts: full.receipts }).filter(
    ({ parent, key }) => typeof parent[key] === 'string' && parent[key].length > 2,
  );
  return fc.record({ full: fc.constant(full), place: fc.constantFrom(...places), digit: fc.nat() });
});

test.each([
  ['in UTF-8', (json: string) => json],
  ['as an escape in ASCII', escaped],
])(
  'a digit replaced by a character with its low byte, %s, is refused wherever the digit z is',
  async (_, spell) => {
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(digits, async ({ full, place: { parent, key }, digit }) => {
        const hex = String(parent[key]);
        const at = 2 + (digit % (hex.length - 2));
        const readWith = async (text: string) => {
          parent[key] = text;
          return await read(full, spell);
        };
        try {
          const foreign = await readWith(withForeignDigit(hex, at));
          const other = await readWith(`${hex.slice(0, at)}z${hex.slice(at + 1)}`);
          if ('refused' in other) refusals += 1;
          // A member that no figure depends on may be anything.
          expect(foreign).toEqual(
            'refused' in other ? { refused: expect.any(String), fault: 'not proven' } : other,
          );
        } finally {
          parent[key] = hex;
        }
      }),
      { numRuns: 60 },
    );
    expect(refusals).toBeGreaterThan(15);
  },
);

test('a revert reason that anyone may choose, as Nethermind gives it, refuses no block', async () => {
  const [full] = readSmallBlocks();
  if (!full) throw new Error('no full block');
  const receipts = full.receipts.map((receipt) => ({ ...(receipt as object), error: '0x\\"余额不足"' }));
  expect(await read({ ...full, receipts })).toEqual(await read(full));
  expect(await read(full)).toMatchObject({ value: { isProven: true } });
});
