import fc from 'fast-check';
import { createElementStream } from '#core/rpc/http/element-stream.ts';

/** Feeds a response in pieces, as a body does: what is not taken is given again with the next piece. */
async function read(
  json: string,
  pieces: readonly number[] = [],
  convert = (value: unknown): unknown => value,
) {
  const stream = createElementStream(async () => convert);
  await stream.ready();
  let kept = Buffer.alloc(0);
  let most = 0;
  const bytes = Buffer.from(json);
  const ends = [...pieces.map((piece) => piece % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  let begin = 0;
  for (const end of ends) {
    kept = Buffer.concat([kept, bytes.subarray(begin, end)]);
    kept = kept.subarray(stream.take(kept));
    most = Math.max(most, kept.length);
    begin = end;
  }
  return { parsed: stream.parse(kept), most };
}

const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '[{"', ']}', '0xabc', '😀'));
/**
 * Node 24.21 itself takes a key that continues with a quotation mark for one that ends with a backslash, once it has parsed such an object:
 * `JSON.parse('{"a":1,"\\\\":2}')`, then `JSON.parse('{"a":1,"\\"":2}')`. No field that we read has either.
 */
const key = text.filter((value) => !value.endsWith('\\'));
const element = fc.dictionary(
  key,
  fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(key, text)),
  { maxKeys: 4 },
);

test('gives the elements of any result in any pieces as JSON.parse does, but for text that is not ASCII', async () => {
  const ascii = (value: string) => value.replaceAll(/[^ -~]/g, '');
  const clean = (json: string) =>
    JSON.stringify(JSON.parse(json, (_, value) => (typeof value === 'string' ? ascii(value) : value)));
  const response = fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.nat(),
    result: fc.array(element, { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(
      response,
      fc.array(fc.nat(2_000), { maxLength: 6 }),
      fc.boolean(),
      async (given, pieces, isPretty) => {
        const json = clean(JSON.stringify(given));
        const spelled = isPretty ? JSON.stringify(JSON.parse(json), null, 2) : json;
        expect((await read(spelled, pieces)).parsed).toEqual(JSON.parse(json));
      },
    ),
  );
});

test.each([
  ['before the result', '{"id":7,"jsonrpc":"2.0","result":[{"a":1}]}'],
  ['after it', '{"result":[{"a":1}],"jsonrpc":"2.0","id":7}'],
])('keeps the members of the response %s', async (_, json) => {
  expect((await read(json)).parsed).toEqual({ id: 7, jsonrpc: '2.0', result: [{ a: 1 }] });
});

test.each([
  ['is', 1_024, ['converted']],
  ['is not', 1_025, [{ a: 1 }]],
])('a result %s read as it arrives if it begins at byte %i', async (_, begin, result) => {
  const head = '{"result":[';
  const json = `${head.replace('{', `{${' '.repeat(begin - head.length)}`)}{"a":1}]}`;
  expect((await read(json, [], () => 'converted')).parsed).toEqual({ result });
});

test.each([
  ['is', '', ['converted']],
  ['is', 'x'.repeat(20), ['converted']],
  ['is not', 'x'.repeat(21), [{ a: 1 }]],
])('a result %s read as it arrives after the ID "%s"', async (_, id, result) => {
  const json = JSON.stringify({ id, result: [{ a: 1 }] });
  expect((await read(json, [], () => 'converted')).parsed).toEqual({ id, result });
});

test('takes 100,001 elements, and refuses one more', async () => {
  const listOf = (count: number) => read(`{"result":[${Array(count).fill('{}')}]}`, [], () => 0);
  expect((await listOf(100_001)).parsed).toEqual({ result: Array(100_001).fill(0) });
  await expect(listOf(100_002)).rejects.toThrow('[100001]: more than 100001 elements');
});

test('keeps no more than the element that is not complete', async () => {
  const elements = Array.from({ length: 500 }, (_, index) => ({ index, data: `0x${'ab'.repeat(50)}` }));
  const json = JSON.stringify({ jsonrpc: '2.0', id: 1, result: elements });
  const pieces = Array.from({ length: 1_000 }, (_, index) => index * 67);
  const { parsed, most } = await read(json, pieces, (value) => (value as { index: number }).index);
  expect(parsed).toMatchObject({ result: elements.map(({ index }) => index) });
  expect(most).toBeLessThan(300);
});

test.each([
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"[{}]"}}'],
  ['a result that is not a list', '{"jsonrpc":"2.0","id":1,"result":{"a":[{}]}}'],
  ['a result within another member', '{"jsonrpc":"2.0","x":{"result":[{"a":1}]},"id":1}'],
])('leaves %s to JSON.parse', async (_, json) => {
  expect((await read(json, [10, 30])).parsed).toEqual(JSON.parse(json));
});

test.each([
  ['an element that is not JSON', '{"result":[{"a":}]}', '[0]: it is not JSON'],
  ['a bracket too many', '{"result":[{}}]}', '[1]: it is not JSON'],
])('refuses %s', async (_, json, problem) => {
  await expect(read(json)).rejects.toThrow(problem);
});
