import fc from 'fast-check';
import { compareDays, readStored, writeDays } from '#cli/import/stored-days.ts';
import { dayId } from '#cli/import/validate-rows.ts';
import { decodeLines } from '#core/backup/export-files.ts';
import { exportDays } from '#core/backup/export-table.ts';
import { parseStoredDay, type StoredDay } from '#core/store/days/day-item.ts';
import { getDetailsOfDay } from '#core/store/days/details.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { startEmbeddedTable } from '#local/embedded-table.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import {
  anyStoredDay,
  restatedDay,
  storedDay,
  storedDays,
} from '#test/support/generators/rows/stored-days.ts';
import { putStoredDay } from '#test/support/tables/put-day.ts';
import { useTable } from '#test/support/tables/table.ts';

/** Pauses take no time. */
jest.mock('#core/clock.ts', () => {
  const { systemClock } = jest.requireActual('#core/clock.ts');
  return { systemClock: { ...systemClock, sleep: async () => {} } };
});

const table = useTable();
const [one = storedDay(), two = storedDay()] = storedDays(2);

const inFile = (days: readonly StoredDay[]) =>
  days.map((day, index) => ({ file: 'days.ndjson', line: index + 1, day }));
const compare = (days: readonly StoredDay[], stored: readonly StoredDay[] = [], replace = false) =>
  compareDays(inFile(days), new Map(stored.map((day) => [dayId(day), day])), replace);
const write = (
  to: Table,
  days: readonly StoredDay[],
  onWritten = (_: number) => {},
  end = new AbortController(),
) => writeDays(to, compare(days).writes, end.signal, true, onWritten);
const readAll = async () => [...(await readStored(table(), ['BSC'])).values()];

test('refuses a final day with other figures, and keeps one with the same figures of other provenance', () => {
  const again = { ...one, software_version: '2.0.0', revision: 2 };
  const other = { ...two, transaction_count: 10, blob_fees: 8n };
  expect(compare([again, other], [one, two])).toMatchObject({
    writes: [],
    alreadyFinal: [{ line: 1 }],
    problems: [
      {
        line: 2,
        problem: 'BSC 2025-11-19 is final with other figures (transaction_count 9 → 10, blob_fees 7 → 8)',
      },
    ],
  });
});

test('leaves the details of a day that was priced between the plan and the write', async () => {
  const own = withDetails(storedDay());
  await putStoredDay(table(), own.day, undefined, own.details);
  const other = withDetails(storedDay({ transaction_count: 5 }));
  const { writes } = compareDays(
    [{ ...other, file: 'a', line: 1 }],
    await readStored(table(), ['BSC']),
    true,
  );
  await table().putIf({ ...own.day, unpriced_reason: 'none', amendments: 1 });
  await writeDays(table(), writes, new AbortController().signal, false, () => {});
  const { hours = [] } = (await getDetailsOfDay(chainStore(table(), 'BSC'), own.day.date)) ?? {};
  expect(hours.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(own.day.transaction_count);
});

test('replaces a final day of other figures or provenance where it may, but not an identical one', () => {
  const again = { ...one, software_version: '2.0.0' };
  expect(compare([again, two, { ...two, chain: 'BASE' }], [one, two], true)).toMatchObject({
    writes: [
      { line: 1, stored: one },
      { line: 3, stored: undefined },
    ],
    alreadyFinal: [{ line: 2 }],
    problems: [],
  });
});

test('a day that was replaced is not replaced again, though its counter of additions was raised', () => {
  expect(compare([one], [{ ...one, amendments: 1 }], true)).toMatchObject({ writes: [], alreadyFinal: [{}] });
});

test('imports exactly the item that was exported, which exports the same text again', async () => {
  const other = await startEmbeddedTable();
  await fc.assert(
    fc.asyncProperty(anyStoredDay, async (day) => {
      const key = { chain: day.chain, date: day.date };
      // Two random days may have one date.
      await other.deleteItem(key);
      await table().putIf(day);
      const { text } = await exportDays(table(), day.chain, day.date, day.date);
      const read = [...decodeLines(text)].map((row) => parseStoredDay('item' in row && row.item));
      await write(
        other,
        read.flatMap((found) => ('day' in found ? [found.day] : [])),
      );
      expect(await other.getItem(key)).toEqual(await table().getItem(key));
      expect((await exportDays(other, day.chain, day.date, day.date)).text).toBe(text);
    }),
    { numRuns: 8, examples: [[restatedDay()]] },
  );
  await other.close();
});

test.each([
  ['restated', { transaction_count: 10, revision: 2 }],
  ['priced or proved', { amendments: 1 }],
])('leaves a day that another writer %s since the plan', async (_, change) => {
  const theirs = { ...two, ...change };
  await putStoredDay(table(), theirs, undefined);
  const changed = { ...two, blob_fees: 8n };
  await writeDays(
    table(),
    compare([one, changed], [two], true).writes,
    new AbortController().signal,
    false,
    () => {},
  );
  expect(await readAll()).toEqual([one, theirs]);
});

test('stops between two days, and stops reading, when the signal aborts', async () => {
  const end = new AbortController();
  await write(table(), storedDays(60), (done) => done === 5 && end.abort(), end);
  const { length } = await readAll();
  expect(length).toBeGreaterThanOrEqual(5);
  expect(length).toBeLessThan(30);
  await expect(readStored(table(), ['BSC'], end.signal)).rejects.toThrow('aborted');
});
