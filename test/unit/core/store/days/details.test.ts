import * as z from 'zod/mini';
import { feeCountsSchema } from '#core/store/attributes/fee-counts.ts';
import { readDetail } from '#core/store/days/detail-reader.ts';
import { getDetails, getDetailsOfDay, putDetails, readDetails } from '#core/store/days/details.ts';
import { putStoredDay } from '#core/store/days/stored-days.ts';
import { withDetails } from '#test/support/generators/details.ts';
import { storedDay, storedDays } from '#test/support/generators/stored-days.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const [first = storedDay(), second = storedDay(), third = storedDay()] = storedDays(3);
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

test('a range finds those of each day, and none of days without them', async () => {
  const [one, three] = [withDetails(first, 300), withDetails(third, 302)];
  await putStoredDay(table(), one.day, 0, one.details);
  await putStoredDay(table(), second, 0);
  await putStoredDay(table(), three.day, 0, three.details);
  const detailsOf = await readDetails(store(), range);
  const countsOf = await readDetail(store(), range, 'fee_counts', feeCountsSchema);
  const found = [first, second, third].map(({ date, revision }) => ({ day: date, revision }));
  expect(found.map(detailsOf)).toEqual([one.details, undefined, three.details]);
  expect(found.map(countsOf)).toEqual([one.details.feeCounts, undefined, three.details.feeCounts]);
  expect(await getDetailsOfDay(store(), second.date)).toBeUndefined();
});

test('one attribute of the hours is read without the others', async () => {
  const { details } = withDetails(first);
  await putDetails(store(), { day: first.date, revision: 1 }, details);
  const gas = z.object({ gas_used: z.array(z.bigint()) });
  const gasOf = await readDetail(store(), range, 'hours', gas, ['gas_used']);
  expect(gasOf({ day: first.date, revision: 1 })?.gas_used[1]).toBe(21_000n);
});
