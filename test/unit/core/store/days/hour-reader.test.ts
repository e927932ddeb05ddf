import { integer } from '#core/store/attributes/shared-attributes.ts';
import { hourReader } from '#core/store/days/hour-reader.ts';
import { putStoredDay } from '#core/store/days/stored-days.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const [first = storedDay(), second = storedDay()] = storedDays(2);
const readHours = hourReader({ transaction_count: integer }, { definition_version: integer });

test('the hours of a day have the attributes asked for, those of the day, and a name of their own', async () => {
  const { day, details } = withDetails(first);
  await putStoredDay(table(), day, 0, details);
  const [read] = await readHours(store(), first.date, second.date);
  expect(read?.hours).toHaveLength(24);
  expect(read?.hours.slice(0, 2)).toEqual(
    [0, day.transaction_count].map((transaction_count, hour) => ({
      date: `${first.date}T0${hour}`,
      definition_version: 1,
      revision: 1,
      transaction_count,
    })),
  );
});
