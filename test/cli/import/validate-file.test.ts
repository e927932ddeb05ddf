import { toRow } from '../../../cli/day-files/day-row.ts';
import type { InputFile } from '../../../cli/import/input-file.ts';
import { validateFile } from '../../../cli/import/validate-file.ts';
import { putStoredDay } from '../../../lambda/store/stored-days.ts';
import { storedDay, storedDays } from '../../support/stored-days.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();

/** @param atEnd called once the text is read */
const fileOf = (text: string, atEnd: () => void = () => {}): InputFile => ({
  name: 'days.ndjson',
  open: () => ({
    share: () => 0,
    async *[Symbol.asyncIterator]() {
      yield text;
      atEnd();
    },
  }),
  [Symbol.asyncDispose]: async () => {},
});
const validate = (file: InputFile, { signal } = new AbortController()) =>
  validateFile(table(), file, { replace: false, signal });
const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
const textOf = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test('reports the problems of rows and of days together, in the order of lines', async () => {
  await putStoredDay(table(), one, 0);
  const other = toRow({ ...one, blob_fees: 8n });
  const file = fileOf(
    textOf(toRow({ ...two, block_count: 5, proven_blocks: 5 }), other, toRow(three), { chain: 1 }),
  );
  const { writes, problems } = await validate(file);
  expect(writes.map(({ line }) => line)).toEqual([3]);
  expect(problems.count).toBe(3);
  expect(problems.first.slice(0, 3).map(({ line }) => line)).toEqual([1, 2, 4]);
});

test('refuses a file without rows, since the command that wrote it may have failed', async () => {
  await expect(validate(fileOf('\n'))).rejects.toThrow(/^days\.ndjson has no rows, so nothing was written\./);
});

test('names the file and the line at which it cannot be read', async () => {
  await expect(validate(fileOf(`\n${'x'.repeat(3_000_001)}`))).rejects.toMatchObject({
    message: 'days.ndjson: line 2: longer than 3 MB. Expected NDJSON, one day per line.',
    exitCode: 1,
  });
});

test('stops after the file is read', async () => {
  const end = new AbortController();
  const file = fileOf(textOf(toRow(one)), () => end.abort());
  await expect(validate(file, end)).rejects.toThrow('aborted');
});

test('stops while the table is read', async () => {
  await putStoredDay(table(), one, 0);
  const end = new AbortController();
  table().client.middlewareStack.add(
    (next) => (args) => {
      end.abort();
      return next(args);
    },
    { step: 'initialize' },
  );
  await expect(validate(fileOf(textOf(toRow(two))), end)).rejects.toThrow('aborted');
});
