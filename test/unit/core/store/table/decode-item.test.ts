import { getDay, queryDays } from '#core/store/days/days.ts';
import { createQueryTable } from '#core/store/table/client.ts';
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
