import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { sha256Of } from '#core/backup/export-files.ts';
import { dayRow, type PublicDay, type PublicRow } from '#core/rows/day-row.ts';
import { CSV_TYPE, serializeRows } from '#lambda/api/formats.ts';
import { days } from '#lambda/api/series/days.ts';
import { decodeDays } from '#lambda/public/read-files.ts';
import { filesOfChain } from '#lambda/public/write-files.ts';
import { createFolder } from '#test/support/folders.ts';
import { archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';

const rowOf = (day: object): PublicRow => dayRow(day as PublicDay);

const rows = storedDays(5).map((day, index) => rowOf(index % 2 ? withDetails(day).day : day));
const csvOf = (some: readonly PublicRow[]) => {
  const { open, text } = serializeRows(CSV_TYPE, days.day.columns, some);
  return open + text;
};

test('writes the CSV of /days, and an index with counts, days and hashes', () => {
  const { files, entry } = filesOfChain('BSC', rows);
  expect(files.map(({ name }) => name)).toEqual(['BSC.csv', 'BSC.parquet']);
  expect(String(files[0]?.bytes)).toBe(csvOf(rows));
  expect(entry).toEqual({
    chain: 'BSC',
    days: 5,
    first_day: '2025-11-18',
    last_day: '2025-11-22',
    files: files.map(({ name, bytes }) => ({ name, days: 5, bytes: bytes.length, sha256: sha256Of(bytes) })),
  });
});

test('writes no file of a chain without days', () => {
  expect(filesOfChain('BSC', [])).toEqual({ files: [] });
});

test('splits a large chain into parts, which have all days once and are full but for the last', () => {
  const plain = storedDays(5).map(rowOf);
  const line = csvOf(plain).length - csvOf(plain.slice(1)).length;
  const { files, entry } = filesOfChain('BSC', plain, 2.5 * line);
  const csv = files.filter(({ name }) => name.endsWith('.csv'));
  expect(csv.map(({ name }) => name)).toEqual(['BSC.csv', 'BSC.2.csv', 'BSC.3.csv']);
  expect(csv.flatMap(({ bytes }) => decodeDays(String(bytes), '').map(({ date }) => date))).toEqual(
    rows.map(({ date }) => date),
  );
  expect(entry?.files.map((file) => file.days)).toEqual([2, 2, 2, 2, 1, 1]);
});

test('DuckDB reads from Parquet what is in the CSV: whole numbers as integers, decimals as exact text', async () => {
  const archived = rowOf({
    ...storedDay({ date: '2025-11-23' }),
    archived_from: archiveOrigin({ name: 'a "b", c' }),
  });
  const all = [...rows, archived];
  const { files } = filesOfChain('BSC', all);
  const file = join(createFolder(), 'BSC.parquet');
  writeFileSync(file, files[1]?.bytes ?? '');
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
  const found = reader.getRowObjectsJS();
  const types = new Set(reader.columnTypes().map(String));
  connection.closeSync();
  expect(types).toEqual(new Set(['BIGINT', 'VARCHAR']));
  const text = (value: unknown) => (value === null ? '' : String(value));
  expect(
    found.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, text(cell)]))),
  ).toEqual(
    decodeDays(csvOf(all), '').map((day) =>
      Object.fromEntries(
        Object.entries(day).map(([name, cell = '']) => [
          name,
          cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'),
        ]),
      ),
    ),
  );
  expect(typeof found[0]?.transaction_count).toBe('bigint');
  for (const row of all)
    for (const [name, cell] of Object.entries(days.day.columns))
      if (typeof cell(row) === 'number')
        expect([name, typeof found[0]?.[name]]).not.toEqual([name, 'string']);
});
