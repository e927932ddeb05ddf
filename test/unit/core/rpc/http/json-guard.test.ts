import fc from 'fast-check';
import { endOfString, jsonCostProblem } from '#core/rpc/http/json-guard.ts';
import { readSmallBlocks } from '#test/support/generators/blocks/full-blocks.ts';

const MB = 2 ** 20;
const SIZE = 2 * MB;
const repeated = (part: string) => part.repeat(SIZE / part.length);
const numbered = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join();

test.each<[string, string, string]>([
  ['nested arrays', '['.repeat(SIZE), 'nested more than 32 deep'],
  ['nested objects', repeated('{"a":'), 'nested more than 32 deep'],
  ['empty objects', `[${repeated('{},')}{}]`, 'too many values for its size'],
  ['numbers', `[${repeated('1,')}1]`, 'too many values for its size'],
  ['empty strings', `[${repeated('"",')}""]`, 'too many values for its size'],
  [
    'members of one object',
    `{${numbered(SIZE / 16, (index) => `"${index + 10 ** 8}":"0x1"`)}}`,
    'too many different members',
  ],
  [
    'objects with the same members in different orders',
    `[${numbered(SIZE / 160, (index) => `{${[1, 10, 100].map((place) => `"${String(Math.floor(index / place) % 100)}x":"${'0'.repeat(30)}"`)}}`)}]`,
    'too many different members',
  ],
  ['a name of a megabyte', `{"${'a'.repeat(SIZE)}":1}`, 'too many different members'],
])('refuses megabytes of %s', (_, json, problem) => {
  expect(jsonCostProblem(Buffer.from(json))).toContain(problem);
});

/** A body of more than 1 MB with spaces at its end. */
const padded = (json: string, size = SIZE) => Buffer.from(json.padEnd(size));

test.each<[string, (count: number) => string, number, string]>([
  ['nested arrays', (count) => '['.repeat(count), 32, 'nested more than 32 deep'],
  ['characters in a name', (count) => `{"${'a'.repeat(count)}":1}`, 100, 'too many different members'],
  [
    'different members',
    (count) => `{${numbered(count, (index) => `"${index}":1`)}}`,
    9_999,
    'too many different members',
  ],
])('accepts as many %s as its limit, and refuses one more', (_, write, most, problem) => {
  expect(jsonCostProblem(padded(write(most)))).toBeUndefined();
  expect(jsonCostProblem(padded(write(most + 1)))).toContain(problem);
});

test.each([
  // An array and each of its elements need 8 bytes.
  ['numbers', '1', 200_000, 8],
  // An object needs 40 bytes, and its second member 20.
  ['objects of two members', '{"a":1,"b":2}', 20_000, 8 + 40 + 20],
])('refuses %s that have a byte less than is needed on average', (_, element, count, bytes) => {
  const json = `[${Array(count).fill(element)}]`;
  expect(jsonCostProblem(padded(json, count * bytes))).toBeUndefined();
  expect(jsonCostProblem(padded(json, count * bytes - 1))).toContain('too many values for its size');
});

test('accepts bodies of up to 1 MB, whose cost is small', () => {
  expect(jsonCostProblem(Buffer.from('['.repeat(MB)))).toBeUndefined();
});

test('accepts the responses of real nodes, repeated until they are large', () => {
  for (const { block, receipts } of readSmallBlocks()) {
    const large = Array.from({ length: 40 }, () => [block, receipts]);
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: Array(10).fill(large) }));
    expect(jsonCostProblem(body)).toBeUndefined();
  }
});

test('looks at no character inside a string, whatever is escaped', () => {
  const padding = 'x'.repeat(MB);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20, size: 'max' }), (strings) => {
      const brackets = '[{'.repeat(50) + ',,'.repeat(600);
      expect(jsonCostProblem(Buffer.from(JSON.stringify([padding, brackets, ...strings])))).toBeUndefined();
    }),
  );
});

test.each([
  ['""', 1],
  ['"a" "b"', 2],
  [String.raw`"a\"b" "`, 5],
  [String.raw`"a\"" "`, 4],
  [String.raw`"a\\" "`, 4],
  [String.raw`"a\\\"b" "`, 7],
  [String.raw`"\\\\"`, 5],
  [String.raw`"\"`, undefined],
  ['"a', undefined],
])('the string at the beginning of %s ends at byte %p', (json, end) => {
  expect(endOfString(Buffer.from(json), 0)).toBe(end);
});
