import * as z from 'zod/mini';
import { readDetail } from '#core/store/days/detail-reader.ts';
import { getDetails, getDetailsOfDay, putDetails } from '#core/store/days/details.ts';
import { putStoredDay } from '#core/store/days/stored-days.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const [first = storedDay(), , third = storedDay()] = storedDays(3);
const range = { first: first.date, last: third.date };

test('details belong to one revision of a day', async () => {
  const [old, restated] = [withDetails(first), withDetails({ ...first, revision: 2 }, 301)];
  await putStoredDay(table(), old.day, 0, old.details);
  expect(await getDetailsOfDay(store(), first.date)).toEqual(old.details);
  await putStoredDay(table(), restated.day, 1, restated.details);
  expect(await getDetailsOfDay(store(), first.date)).toEqual(restated.details);
  expect(await getDetails(store(), { day: first.date, revision: 1 })).toEqual(old.details);
  expect(await getDetails(store(), { day: first.date, revision: 3 })).toBeUndefined();
});

test('one attribute of the hours is read without the others', async () => {
  const { details } = withDetails(first);
  await putDetails(store(), { day: first.date, revision: 1 }, details);
  const gas = z.object({ gas_used: z.array(z.bigint()) });
  const gasOf = await readDetail(store(), range, 'hours', gas, ['gas_used']);
  expect(gasOf({ day: first.date, revision: 1 })?.gas_used[1]).toBe(21_000n);
});
