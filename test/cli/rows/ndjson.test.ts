import fc from 'fast-check';
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
