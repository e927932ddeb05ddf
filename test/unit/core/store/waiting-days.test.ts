import { startDayProgress } from '#core/figures/progress.ts';
import { chainStore } from '#core/store/table.ts';
import { deleteWaitingDay, listWaitingDays, putWaitingDay } from '#core/store/waiting-days.ts';
import { hashOf } from '#test/support/generators/builders.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const ref = (number: number) => ({ number, hash: hashOf(number) });
const waiting = (day: string, since = Date.parse('2026-11-21T00:05:00Z')) => ({
  progress: { ...startDayProgress(day, ref(4)), first: ref(5), last: { ...ref(9), host: 'a.example' } },
  next: ref(10),
  since,
});

test('lists the waiting days of one chain, the earliest first, until each is deleted', async () => {
  const store = chainStore(table(), 'BSC');
  const [one, two] = [waiting('2026-11-18'), waiting('2026-11-19')];
  await putWaitingDay(store, two);
  await putWaitingDay(store, one);
  await putWaitingDay(chainStore(table(), 'BASE'), one);
  expect(await listWaitingDays(store)).toEqual([one, two]);
  await deleteWaitingDay(store, '2026-11-18');
  expect(await listWaitingDays(store)).toEqual([two]);
});

test('stores of the next block only its number, hash and host', async () => {
  const store = chainStore(table(), 'BSC');
  const next = { ...ref(10), host: 'a.example', totals: 'many' };
  await putWaitingDay(store, { ...waiting('2026-11-18'), next });
  expect((await listWaitingDays(store))[0]?.next).toEqual({ ...ref(10), host: 'a.example' });
});

test.each([
  ['of another version of the definitions', { definition_version: 2 }],
  ['whose sums do not decode', { progress: {} }],
])('leaves out a day %s, which is read again', async (_, change) => {
  const store = chainStore(table(), 'BSC');
  await putWaitingDay(store, waiting('2026-11-18'));
  const item = await table().getItem({ chain: 'BSC', date: 'waiting#2026-11-18' });
  await table().putIf({ ...item, ...change });
  expect(await listWaitingDays(store)).toEqual([]);
});
