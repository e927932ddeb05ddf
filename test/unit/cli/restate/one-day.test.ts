import { request } from '#cli/restate/one-day.ts';
import { nextRestatement } from '#core/days/ingest-days.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { putStoredDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');

test('runs perform a restatement that was requested from them after one by hand was stopped', async () => {
  const day = storedDay();
  await putStoredDay(table(), day, undefined);
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const served = { name: 'BSC', store: store() } as const;
  await request(served, day.date, { reason: 'by hand', isByHand: true });
  expect(await nextRestatement(store())).toBeUndefined();
  await request(served, day.date, { reason: 'again', isByHand: false });
  expect(await nextRestatement(store())).toMatchObject({ day: day.date });
});
