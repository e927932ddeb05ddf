import { startDayProgress } from '#core/figures/progress.ts';
import { listDiscardedDays, listWaitingDays } from '#core/store/days/waiting-days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';
import { putWaitingDay } from '#test/support/tables/put-day.ts';
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

test('lists a day that waits as it was stored', async () => {
  const store = chainStore(table(), 'BSC');
  await putWaitingDay(store, waiting('2026-11-18'));
  expect(await listWaitingDays(store)).toEqual([waiting('2026-11-18')]);
  expect(await listDiscardedDays(store)).toEqual([]);
});

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
