import type { ExportedDay } from '#cli/restore/read-export.ts';
import { writeMissing } from '#cli/restore/restore-chains.ts';
import { getStoredDay } from '#core/store/days/stored-days.ts';
import { TableUnavailableError } from '#core/store/table/client.ts';
import type { Table } from '#core/store/table/table.ts';
import { storedDay, storedDays } from '#test/support/generators/stored-days.ts';
import { useStore } from '#test/support/tables/table.ts';

/** Pauses take no time. */
jest.mock('#core/clock.ts', () => {
  const { systemClock } = jest.requireActual('#core/clock.ts');
  return { systemClock: { ...systemClock, sleep: async () => {} } };
});

const { table, store } = useStore('BSC');
const exported: readonly ExportedDay[] = storedDays(3).map((day) => ({ day, items: [{ ...day }] }));
const write = (to: Table, onWritten = (_days: number) => {}) =>
  writeMissing(to, exported, { signal: new AbortController().signal, onWritten });

/** Returns a table that refuses the first writes. */
function throttling(times: number): Table {
  let refused = 0;
  return {
    ...table(),
    putIf: async (...given) => {
      if (refused++ < times) throw new TableUnavailableError(new Error('too fast'));
      return table().putIf(...given);
    },
  };
}

test('waits for a table that throttles, and counts each day once', async () => {
  const counts: number[] = [];
  await write(throttling(5), (days) => counts.push(days));
  expect(counts).toEqual([1, 2, 3]);
  for (const { day } of exported) expect(await getStoredDay(store(), day.date)).toEqual(day);
});

test('ends with the error of a table that throttles for too long', async () => {
  await expect(write(throttling(1_000))).rejects.toThrow(TableUnavailableError);
});

test('keeps a day that another writer stored first', async () => {
  const own = storedDay({ transaction_count: 10 });
  await table().putIf(own);
  await write(table());
  expect(await getStoredDay(store(), own.date)).toEqual(own);
});
