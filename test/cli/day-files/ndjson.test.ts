import fc from 'fast-check';
import { csv } from '../../../cli/rows/csv.ts';
import { ndjson } from '../../../cli/rows/ndjson.ts';
import { readRows } from '../../../cli/rows/read-rows.ts';
import { toRow } from '../../../cli/rows/row.ts';
import { anyStoredDay, storedDay } from '../../support/stored-days.ts';

async function* chunksOf(text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}
const read = (text: string, size = 10_000) => Array.fromAsync(readRows(ndjson, chunksOf(text, size)));

test('any days come back as they were, however the text is cut', async () => {
  const lists = fc.array(anyStoredDay, { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 500 }), async (days, size) => {
      const text = days.map((day) => ndjson.encode(toRow(day))).join('');
      expect(await read(text, size)).toEqual(days.map((day, index) => ({ line: index + 1, day })));
    }),
    { numRuns: 40 },
  );
});

test('lines are counted with the empty ones, and may end with CRLF or, the last, with nothing', async () => {
  const row = JSON.stringify(toRow(storedDay()));
  const rows = await read(`${row}\r\n\r\n\n{"chain"\n${row}`);
  expect(rows).toEqual([
    { line: 1, day: storedDay() },
    { line: 4, problems: [expect.stringMatching(/^is not JSON: /)] },
    { line: 5, day: storedDay() },
  ]);
});

test('a line longer than any row is refused with its number, before it fills the memory', async () => {
  let chunks = 0;
  async function* endless() {
    yield 'null\n';
    for (;;) {
      chunks++;
      yield 'x'.repeat(1_000_000);
    }
  }
  await expect(Array.fromAsync(readRows(ndjson, endless()))).rejects.toThrow(
    'line 2: this line is longer than 3 MB, as no row of a day is.',
  );
  expect(chunks).toBe(4);
});

test('CSV is told from a bad row by its header row, once', async () => {
  const message = 'line 2: this is not JSON, but the header row of CSV. Is it CSV? Add --format csv.';
  await expect(read(`\n${csv.header}1,2\n`)).rejects.toThrow(message);
  await expect(read('\n"date","chain"\n')).rejects.toThrow(message);
  expect(await read('{"chain":"BSC",\nchain,date\n')).toMatchObject([{ line: 1 }, { line: 2 }]);
});
