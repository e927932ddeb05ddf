import fc from 'fast-check';
import { encodeDay, readRows } from '../../../cli/day-files/ndjson.ts';
import { anyStoredDay, restatedDay, storedDay } from '../../support/stored-days.ts';

async function* chunksOf(text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}
const read = (text: string, size = 10_000) => Array.fromAsync(readRows(chunksOf(text, size)));

test('reads the days that it wrote, whatever the size of chunks', async () => {
  const lists = fc.array(anyStoredDay, { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 500 }), async (days, size) => {
      const text = days.map(encodeDay).join('');
      expect(await read(text, size)).toEqual(days.map((day, index) => ({ line: index + 1, day })));
    }),
    { numRuns: 40 },
  );
});

test('reads files of release 0.1.0, which named the retryable double count otherwise', async () => {
  const text = encodeDay(restatedDay()).replaceAll('retryable_double_count', 'fees_reported_twice');
  expect(await read(text)).toEqual([{ line: 1, day: restatedDay() }]);
});

test('counts blank lines, and accepts CRLF and a last line without line break', async () => {
  const row = encodeDay(storedDay()).trimEnd();
  const rows = await read(`${row}\r\n\r\n\n{"chain"\n${row}`);
  expect(rows).toEqual([
    { line: 1, day: storedDay() },
    { line: 4, problems: [expect.stringMatching(/^not JSON: /)] },
    { line: 5, day: storedDay() },
  ]);
});

test('refuses a line that is too long before it fills the memory', async () => {
  let chunks = 0;
  async function* endless() {
    yield 'null\n';
    for (;;) {
      chunks++;
      yield 'x'.repeat(1_000_000);
    }
  }
  await expect(Array.fromAsync(readRows(endless()))).rejects.toThrow('line 2: longer than 3 MB.');
  expect(chunks).toBe(4);
});

test('refuses a line of a million levels without parsing it', async () => {
  const rows = await read('[{"a":'.repeat(400_000));
  expect(rows).toEqual([{ line: 1, problems: ['has more than 20 levels of lists and objects'] }]);
});

test('accepts brackets within text', async () => {
  const day = restatedDay();
  const reason = '[{'.repeat(50);
  const changed = { ...day, restated: day.restated?.map((old) => ({ ...old, reason })) };
  expect(await read(encodeDay(changed))).toEqual([{ line: 1, day: changed }]);
});

test('counts blank lines', async () => {
  const rows = await read('\n \n\r\n[]\n\n');
  expect(rows).toMatchObject([{ line: 4 }]);
});
