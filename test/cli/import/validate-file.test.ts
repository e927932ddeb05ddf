import { csv } from '../../../cli/rows/csv.ts';
import type { Format } from '../../../cli/rows/format.ts';
import { judgeFile } from '../../../cli/rows/judge-file.ts';
import { ndjson } from '../../../cli/rows/ndjson.ts';
import { toRow } from '../../../cli/rows/row.ts';
import type { Source } from '../../../cli/rows/source.ts';
import { putStoredDay } from '../../../lambda/store/stored-days.ts';
import { storedDay, storedDays } from '../../support/stored-days.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();

/** A file with this text, that calls something when it is read to its end. */
const sourceOf = (text: string, atEnd: () => void = () => {}): Source => ({
  title: 'days.csv',
  open: () => ({
    share: () => 0,
    async *[Symbol.asyncIterator]() {
      yield text;
      atEnd();
    },
  }),
  [Symbol.asyncDispose]: async () => {},
});
const judged = (source: Source, format: Format = ndjson, { signal } = new AbortController()) =>
  judgeFile(table(), source, format, { replace: false, signal });
const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
const textOf = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test('what is wrong with rows and with their days is told together, in the order of lines', async () => {
  await putStoredDay(table(), one, 0);
  const other = toRow({ ...one, blob_fees: 8n });
  const source = sourceOf(textOf(toRow({ ...two, block_count: 5 }), other, toRow(three), { chain: 1 }));
  const { writes, problems } = await judged(source);
  expect(writes.map(({ line }) => line)).toEqual([3]);
  expect(problems.count).toBeGreaterThan(15);
  expect(problems.first.slice(0, 3).map(({ line }) => line)).toEqual([1, 2, 4]);
});

test.each([
  ['NDJSON without a row', ndjson, '\n'],
  ['CSV with a header row alone', csv, csv.header],
  ['CSV without one', csv, ''],
])('%s is no success: what was to write it may have failed', async (_, format, text) => {
  await expect(judged(sourceOf(text), format)).rejects.toThrow(/^There is no day in days\.csv, so nothing/);
});

test('a file that cannot be read on is named, with the line', async () => {
  const text = csv.header.replace('chain', 'colour');
  await expect(judged(sourceOf(text), csv)).rejects.toMatchObject({
    message: 'days.csv: line 1: the header row misses chain; has unknown colour.',
    exitCode: 1,
  });
});

test('it can be stopped after the file is read', async () => {
  const end = new AbortController();
  const source = sourceOf(textOf(toRow(one)), () => end.abort());
  await expect(judged(source, ndjson, end)).rejects.toThrow('aborted');
});

test('it can be stopped while the table is read', async () => {
  await putStoredDay(table(), one, 0);
  const end = new AbortController();
  table().client.middlewareStack.add(
    (next) => (args) => {
      end.abort();
      return next(args);
    },
    { step: 'initialize' },
  );
  await expect(judged(sourceOf(textOf(toRow(two))), ndjson, end)).rejects.toThrow('aborted');
});
