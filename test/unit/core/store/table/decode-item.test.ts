import * as z from 'zod/mini';
import { getDay, queryDays } from '#core/store/days/days.ts';
import { createQueryTable } from '#core/store/table/client.ts';
import { describeIssues, readItem } from '#core/store/table/decode-item.ts';
import { chainStore } from '#core/store/table/table.ts';
import { embeddedAccess } from '#local/embedded-table.ts';
import { storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const DAY = '2025-11-19';

test.each([
  ['a text in place of a count', 'many'],
  ['a fraction', 1.5],
])('names the chain and the date of a day with %s, in both clients', async (_, transaction_count) => {
  for (const day of storedDays(3)) await table().putIf(day);
  await table().putIf({ ...storedDays(2)[1], transaction_count });
  const queryTable = createQueryTable(table().name, { ...embeddedAccess, endpoint: table().endpoint });
  for (const each of [store(), chainStore(queryTable, 'BSC')]) {
    const problem = { chain: 'BSC', item: DAY, message: expect.stringMatching(/^The item BSC 2025-11-19 /) };
    await expect(getDay(each, DAY)).rejects.toMatchObject(problem);
    await expect(queryDays(each, '2025-11-18', '2025-11-20')).rejects.toMatchObject(problem);
    expect((await queryDays(each, '2025-11-20', '2025-11-20')).length).toBe(1);
  }
});

test('an item that is not stored is undefined, rather than invalid', async () => {
  const schema = z.object({ date: z.string() });
  expect(await readItem(schema, store(), { chain: 'BSC', date: DAY })).toBeUndefined();
  await table().putIf({ chain: 'BSC', date: DAY });
  expect(await readItem(schema, store(), { chain: 'BSC', date: DAY })).toEqual({ date: DAY });
});

describe('describeIssues', () => {
  const describeOf = (value: unknown) =>
    describeIssues(z.strictObject({ date: z.string() }).safeParse(value).error?.issues ?? []);

  test('names what is missing, and what is unknown', () => {
    expect(describeOf(7)).toBe('the object is missing or invalid');
    expect(describeOf({ colour: 'red' })).toBe('date is missing or invalid, colour is unknown');
  });

  test('names 10 attributes at most, with 100 characters each, since a file may have any', () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, 1]));
    const named = (count: number) => describeOf({ date: DAY, ...unknown(count) }).split(', ').length;
    expect([named(9), named(10), named(11)]).toEqual([9, 10, 10]);
    expect(describeOf({ date: DAY, ['x'.repeat(101)]: 1 })).toBe(`${'x'.repeat(100)} is unknown`);
    const lacking = z.object(Object.fromEntries(Object.keys(unknown(11)).map((name) => [name, z.string()])));
    expect(describeIssues(lacking.safeParse({}).error?.issues ?? []).split(', ')).toHaveLength(10);
  });
});
