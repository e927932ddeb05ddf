import fc from 'fast-check';
import { jsonCostProblem } from '#core/rpc/http/json-guard.ts';
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
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (strings) => {
      const brackets = '[{'.repeat(50) + ',,'.repeat(600);
      expect(jsonCostProblem(Buffer.from(JSON.stringify([padding, brackets, ...strings])))).toBeUndefined();
    }),
  );
});
