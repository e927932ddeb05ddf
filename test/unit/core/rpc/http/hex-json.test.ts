import fc from 'fast-check';
import { freeBytes, parseHexJson } from '#core/rpc/http/hex-json.ts';

const parse = (json: unknown) => parseHexJson(Buffer.from(JSON.stringify(json)));
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const bytes = fc.uint8Array({ minLength: 1, maxLength: 300, size: 'max' });

test('turns each hex string of a result into bytes, in either case of its digits', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 20, size: 'max' }), (given) => {
      const result = given
        .map(hexOf)
        .map((hex, index) => (index % 2 ? `0x${hex.slice(2).toUpperCase()}` : hex));
      expect(parse({ id: 1, result })).toEqual({ id: 1, result: given.map((one) => Buffer.from(one)) });
    }),
  );
});

test('leaves a long string a string wherever one of its characters is not a hex digit', () => {
  const long = Buffer.alloc(10_000, 0xa5);
  expect(parse({ result: hexOf(long) })).toEqual({ result: long });
  const noDigit = fc.constantFrom('g', '/', ':', '@', 'G', '`', ' ', 'é', '\u0000');
  fc.assert(
    fc.property(fc.nat(2 * long.length - 1), noDigit, (at, character) => {
      const digits = hexOf(long).slice(2);
      const result = `0x${digits.slice(0, at)}${character}${digits.slice(at + 1)}`;
      expect(parse({ result })).toEqual({ result });
    }),
  );
});

test.each(['0x', '0x1', '0xzz', '0x00\\u0030', '1', ''])('leaves %j a string', (text) => {
  expect(parse({ result: [text, '0x01'] })).toEqual({ result: [text, Buffer.of(1)] });
});

test.each([null, 5, true, 'a', [], ['0x'], {}, { error: '0x' }])(
  'leaves %j, without a result, as it is',
  (json) => {
    expect(parse(json)).toEqual(json);
  },
);

test('gives a placeholder of a node no more than one of its own strings', () => {
  expect(parse({ result: ['#0', '#1', '#2'] })).toEqual({ result: ['#0', '#1', '#2'] });
  expect(parse({ result: ['#0', '0x07'] })).toEqual({ result: [Buffer.of(7), Buffer.of(7)] });
});

test('leaves more strings than receipts of a block undecoded, which would take a hundred times their size', () => {
  const result = Array<string>(100_001).fill('0x00');
  expect(parse({ result })).toEqual({ result });
});

test.each(['', '{"result":"0x00', '{"result":"0x00"', '"0x00"}'])('refuses %s', (text) => {
  expect(() => parseHexJson(Buffer.from(text))).toThrow(SyntaxError);
});

test('frees the memory of all bytes of a result', () => {
  const { result } = parse({ result: ['0x01', '0x0203'] }) as { result: Buffer[] };
  freeBytes(result);
  expect(result.map(({ length }) => length)).toEqual([0, 0]);
  freeBytes([]);
});
