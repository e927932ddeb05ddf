import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csv } from '../../../cli/rows/csv.ts';
import { readRows } from '../../../cli/rows/read-rows.ts';
import { toRow } from '../../../cli/rows/row.ts';
import { anyStoredDay, restatedDay, storedDay, storedDays } from '../../support/stored-days.ts';

async function* chunksOf(text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}
const read = (text: string, size = 10_000) => Array.fromAsync(readRows(csv, chunksOf(text, size)));
const write = (days: readonly Parameters<typeof toRow>[0][]) =>
  csv.header + days.map((day) => csv.encode(toRow(day))).join('');
const linesOf = (rows: readonly { readonly line: number }[]) => rows.map(({ line }) => line);

test('any days come back as they were, however the text is cut', async () => {
  const lists = fc.array(anyStoredDay, { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 500 }), async (days, size) => {
      // What files are read in is never cut within a character.
      const rows = await read(write(days), /[\ud800-\udfff]/.test(write(days)) ? 1e6 : size);
      expect(rows.map((row) => ('day' in row ? row.day : row.problems))).toEqual(days);
    }),
    { numRuns: 40 },
  );
});

test('any other program finds one record a day, with a cell for each column', () => {
  const days = [restatedDay(), storedDay({ software_version: 'a\nb\r"c",' })];
  const records = parse(write(days), { columns: true });
  expect(records).toMatchObject([
    { chain: 'BSC', execution_fees: '1000000000000000001', endpoint_hosts: 'a.example b.example:8545' },
    { software_version: 'a\nb\r"c",', first_block_number: '1', restated: '' },
  ]);
});

test('the order of columns does not matter', async () => {
  const [header = [], ...rows] = parse(write(storedDays(2))).map((cells) => cells.toReversed());
  const text = [header, ...rows].map((cells) => cells.join(',')).join('\n');
  expect(await read(text)).toEqual(storedDays(2).map((day, index) => ({ line: index + 2, day })));
});

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('a row is where it begins, though others span lines, with %s', async (_, end) => {
  const [first = '', second = '', third = ''] = storedDays(3).map((day) => csv.encode(toRow(day)).trimEnd());
  const spanning = second.replace(',1.2.3,', `,"1${end}2${end}3",`);
  const text = [csv.header.trimEnd(), '', first, spanning, '', third, third.replace('BSC', 'BASIC')].join(
    end,
  );
  const rows = await read(text);
  expect(linesOf(rows)).toEqual([3, 4, 8, 9]);
  expect(rows[1]).toMatchObject({ day: { software_version: `1${end}2${end}3` } });
  expect(rows[3]).toEqual({ line: 9, problems: [expect.stringMatching(/^chain: expected one of/)] });
});

test.each([
  ['a count in words', ',9,', ',nine,', 'transaction_count: expected a whole number'],
  ['a count with an exponent', ',9,', ',9e1,', 'transaction_count: expected a whole number'],
  ['a block without a number', ',1,0x', ',,0x', 'first_block.number: expected a whole number'],
  ['a list that is not JSON', /$/, '[{', 'restated: expected a list of earlier revisions'],
  ['a cell too many', /$/, ',', 'has 21 cells, and the header row 20'],
])('%s is named with its line', async (_, from, to, problem) => {
  const row = csv.encode(toRow(storedDay())).trimEnd();
  expect(await read(`${csv.header}${row.replace(from, to)}`)).toEqual([{ line: 2, problems: [problem] }]);
});

test.each([
  [
    'no column',
    'a',
    /^line 1: the header row misses chain, date, block_count, .*, restated; has unknown a\.$/,
  ],
  ['an empty line before a wrong header row', '\r\na\r\n', /^line 2: the header row misses/],
  [
    'a column that is not known',
    csv.header.replace('chain', 'colour,chain'),
    'line 1: the header row has unknown colour.',
  ],
  ['a column less', csv.header.replace(',revision', ''), 'line 1: the header row misses revision.'],
  ['a column twice', csv.header.replace('chain', 'date,chain'), 'line 1: the header row has twice date.'],
])('a file with %s is refused by name', async (_, header, message) => {
  await expect(read(header)).rejects.toThrow(message);
});

test.each([
  ['nothing closes', ',"1.2.3,'],
  ['is in the middle of a cell', ',1"2".3,'],
  ['is followed by more', ',"1.2".3,'],
])('a quote that %s is told with the line where its row begins', async (_, cell) => {
  const [first = '', second = ''] = storedDays(2).map((day) => csv.encode(toRow(day)));
  const text = `${csv.header}${first.replace(',1.2.3,', ',"1\r\n2\r\n3",')}\r\n${second.replace(',1.2.3,', cell)}`;
  await expect(read(text)).rejects.toThrow(/^line 6: this row has a quote in a wrong place/);
});

test('a row longer than any, as one with an open quote is, is refused with the line where it begins', async () => {
  async function* endless() {
    yield `${csv.header}\n"`;
    for (;;) yield 'x'.repeat(100_000);
  }
  await expect(Array.fromAsync(readRows(csv, endless()))).rejects.toThrow(
    'line 3: this row is longer than 3 MB, as no row of a day is, or it has a quote that nothing closes.',
  );
});

test('nothing, and a header row alone, have no rows', async () => {
  expect(await read('')).toEqual([]);
  expect(await read(csv.header)).toEqual([]);
});
