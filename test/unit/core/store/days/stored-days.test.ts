import type { UtcDay } from '#core/figures/calendar.ts';
import { noDollars } from '#core/figures/dollars.ts';
import { figuresOf } from '#core/store/days/day-item.ts';
import { putDay } from '#core/store/days/days.ts';
import { replaceDay } from '#core/store/days/restatements.ts';
import { putStoredDay, readStoredDays } from '#core/store/days/stored-days.ts';
import { listUnpriced } from '#core/store/days/unpriced-days.ts';
import { provenance } from '#test/support/generators/blocks/builders.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { restatedDay, storedDay } from '#test/support/generators/rows/stored-days.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const DAY = '2025-11-18';

const put = (item: object) => table().putIf({ ...item });
const readAll = (first: UtcDay = '0000-01-01', last: UtcDay = '9999-12-31') =>
  Array.fromAsync(readStoredDays(store(), first, last));

const itemOf = (day: UtcDay) => table().getItem({ chain: 'BSC', date: day });

test('a restated day is read with all its attributes and written back unchanged', async () => {
  const day = storedDay();
  const figures = figuresOf(day);
  await putDay(store(), figures, provenance());
  const restatement = { reason: 'a node lied', requestedAt: '2025-11-22T08:00:00Z' };
  await replaceDay(store(), { ...figures, first: undefined }, provenance(), restatement);
  const item = await itemOf(DAY);
  const read = await getStoredDay(store(), DAY);
  expect(read).toMatchObject({
    revision: 2,
    restated: [{ reason: 'a node lied', first_block: day.first_block }],
  });

  expect(read && (await putStoredDay(table(), read, 2))).toBe(true);
  expect(await itemOf(DAY)).toEqual(item);
});

test.each([
  ['an unknown attribute', { colour: 'red' }, /cannot read the item BSC 2025-11-18: colour is unknown\. /],
  [
    'an unknown nested attribute',
    { last_block: { number: 4, hash: '0x', size: 1 } },
    /last_block\.size is unknown/,
  ],
  [
    'an unknown attribute of an earlier revision',
    { restated: [{ ...restatedDay().restated?.[0], mood: 'bad' }] },
    /restated\.0\.mood is unknown/,
  ],
  ['a missing attribute', { revision: undefined }, /revision is missing or invalid/],
])('refuses an item with %s and names it', async (_, change, message) => {
  await put({ ...storedDay(), ...change });
  await expect(readAll()).rejects.toThrow(message);
  await expect(getStoredDay(store(), DAY)).rejects.toThrow(message);
});

test('a day that was not priced when it was exported is noted to be priced', async () => {
  const { day, details } = withDetails(storedDay());
  const dollars = noDollars({ aggregator: '0x12', maxAge: 1 });
  const reason = { unpriced_reason: 'no price: none' };
  await putStoredDay(table(), day, 0, details);
  await putStoredDay(table(), { ...day, date: '2025-11-19', ...reason }, 0, { ...details, dollars });
  await putStoredDay(table(), { ...day, date: '2025-11-20' }, 0, { ...details, dollars });
  expect(await listUnpriced(store())).toEqual(['2025-11-20']);
});
