import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { decodeLines, decodeManifest, encodeItem } from '#core/backup/export-files.ts';
import { parseStoredDay } from '#core/store/days/day-item.ts';
import { parseDetails, toDetailAttributes } from '#core/store/days/details.ts';
import { anyDetails } from '#test/support/generators/rows/details.ts';
import { anyStoredDay, storedDay } from '#test/support/generators/rows/stored-days.ts';

const lineOf = (item: object) => encodeItem(marshall(item, { removeUndefinedValues: true }));
const decode = (text: string) => [...decodeLines(text)];

test('decodes the days and details that it encoded, as lines without characters that a terminal acts on', () => {
  fc.assert(
    fc.property(anyStoredDay, anyDetails, (day, details) => {
      const text = lineOf(day) + lineOf(toDetailAttributes(details));
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const [first, second] = decode(text).map((row) => ('item' in row ? row.item : row));
      expect(parseStoredDay(first)).toEqual({ day });
      expect(parseDetails(second)).toEqual({ details });
    }),
    { numRuns: 60 },
  );
});

test('decodes a manifest of version 1, and none of another', () => {
  const written = (format: number) => {
    const times = { exported_at: '2026-01-03T02:30:00.000Z', software_version: '1.0.0' };
    return Buffer.from(JSON.stringify({ format, ...times, chains: [] }));
  };
  expect(decodeManifest(written(1))).toMatchObject({ format: 1, chains: [] });
  expect(decodeManifest(written(2))).toBeUndefined();
  expect(decodeManifest(Buffer.from('{'))).toBeUndefined();
});

test('counts blank lines, and accepts CRLF and a last line without line break', () => {
  const row = lineOf(storedDay()).trimEnd();
  const item = expect.objectContaining({ chain: 'BSC', blob_fees: 7n });
  expect(decode(`\n${row}\r\n\r\n\n{"chain"\n${row}`)).toEqual([
    { line: 2, item },
    { line: 5, problem: expect.stringMatching(/^not an item of the table: /) },
    { line: 6, item },
  ]);
});

const listOf = (count: number) => `{"Item":{"a":{"L":[${Array(count).fill('{"S":"x"}')}]}}}`;

test('decodes a list of 100,000 elements, as of an audit with many ranges', () => {
  expect(decode(listOf(100_000))).toEqual([{ line: 1, item: { a: Array(100_000).fill('x') } }]);
});

test.each([
  ['a line of more than 2 MB', `"${'x'.repeat(1_999_999)}"`, /^longer than 2 MB/],
  ['a line of 2 MB', `"${'x'.repeat(1_999_998)}"`, /^not an item of the table, such as /],
  ['deeply nested objects', '{"a":['.repeat(300_000), /^not an item of the table: /],
  ['a deeply nested item', `{"Item":{"a":${'{"L":['.repeat(90_000)}${']}'.repeat(90_000)}}}`, /^not an item/],
  ['another object', '{"chain":"BSC"}', /^not an item of the table, such as /],
  ['no object', 'null', /^not an item of the table, such as /],
  [
    'an attribute of no type',
    '{"Item":{"chain":{"\\u001b":"BSC"}}}',
    /^not an item of the table: [^\p{Cc}]+$/u,
  ],
  [
    'an attribute of no type whose name is long, with 200 characters',
    `{"Item":{"chain":{"${'x'.repeat(300)}":"BSC"}}}`,
    /^not an item of the table: .{200}$/,
  ],
  ['100,001 elements', listOf(100_001), /: a list is too long$/],
])('names the problem of %s', (_, text, problem) => {
  expect(decode(text)).toEqual([{ line: 1, problem: expect.stringMatching(problem) }]);
});

const problemOf = (change: object) => {
  const [row] = decode(lineOf({ ...storedDay(), ...change }));
  const parsed = row && 'item' in row ? parseStoredDay(row.item) : row;
  return parsed && 'problem' in parsed ? parsed.problem : undefined;
};

test.each<[string, object, string]>([
  ['wei with a fraction', { execution_fees: 1.5 }, 'execution_fees is missing or invalid'],
  ['wei as text', { blob_fees: '7' }, 'blob_fees is missing or invalid'],
  ['negative wei', { blob_fees: -7 }, 'blob_fees is missing or invalid'],
  ['wei of 39 digits', { blob_fees: 10n ** 38n }, 'blob_fees is missing or invalid'],
  ['an unknown field', { colour: 'red' }, 'colour is unknown'],
])('leaves %s to the schema of days, which names the field', (_, change, problem) => {
  expect(problemOf(change)).toBe(problem);
});
