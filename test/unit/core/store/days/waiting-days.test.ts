import { chainOf } from '#core/chains/chains.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { listDiscardedDays, listWaitingDays, putWaitingDay } from '#core/store/days/waiting-days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { blockAt } from '#test/support/generators/rows/stored-days.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const waiting = (day: string) => ({
  progress: {
    ...startDayProgress(day, blockAt(4)),
    first: blockAt(5),
    last: { ...blockAt(9), host: 'a.example' },
  },
  next: blockAt(10),
  since: 0,
});

type Item = Record<string, unknown>;

test.each<[string, (item: Item) => Item]>([
  ['of another version of the definitions', (item) => ({ ...item, definition_version: 2 })],
  ['whose sums do not decode', (item) => ({ ...item, progress: {} })],
  [
    'of an earlier version, whose rules are not known',
    (item) => ({ ...item, progress: { ...(item.progress as Item), rules: undefined } }),
  ],
])('leaves out a day %s, which is read again', async (_, change) => {
  const store = chainStore(table(), 'BSC');
  await putWaitingDay(store, waiting('2026-11-18'));
  const item = await table().getItem({ chain: 'BSC', date: 'waiting#2026-11-18' });
  await table().putIf(change(item ?? {}));
  expect(await listWaitingDays(store)).toEqual([]);
  expect(await listDiscardedDays(store)).toEqual(['2026-11-18']);
});

test('a fork that an update brings lets the day that it concerns be read again, and no other', async () => {
  const before = chainStore(table(), 'BSC');
  const { name, rules } = chainOf('BSC');
  if (rules.family !== 'bsc') throw new Error('not BSC');
  const fork = { from: startOfDay('2026-11-19') + 60, target: 6, max: 9, updateFraction: 5_007_716 };
  const after = chainStore(table(), {
    name,
    rules: { ...rules, blobSchedule: [...rules.blobSchedule, fork] },
  });
  const untilMidnight = (day: string) => {
    const one = waiting(day);
    return { ...one, progress: { ...one.progress, notBefore: startOfDay(day) + 86_399 } };
  };
  await putWaitingDay(before, untilMidnight('2026-11-18'));
  await putWaitingDay(before, untilMidnight('2026-11-19'));
  expect(await listDiscardedDays(before)).toEqual([]);
  expect((await listWaitingDays(after)).map(({ progress }) => progress.day)).toEqual(['2026-11-18']);
  expect(await listDiscardedDays(after)).toEqual(['2026-11-19']);
});
