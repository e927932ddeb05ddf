import { deleteUnsentEvent, listUnsentEvents, saveUnsentEvent } from '#core/store/days/notes.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const event = (day: string, revision = 1) => ({ day, revision });

test('lists events in the order in which they were saved, whatever their days', async () => {
  const events = [event('2026-11-20'), event('2026-11-18'), event('2026-11-18', 2), event('2026-11-19')];
  for (const one of events) await saveUnsentEvent(store(), one);
  await saveUnsentEvent(chainStore(table(), 'BASE'), event('2026-11-17'));
  expect(await listUnsentEvents(store())).toEqual(events);
});

test('saves an event behind those that are left, also when it is saved again', async () => {
  const [one, two, three] = [event('2026-11-18'), event('2026-11-19'), event('2026-11-20')];
  for (const each of [one, two, one]) await saveUnsentEvent(store(), each);
  expect(await listUnsentEvents(store())).toEqual([two, one]);
  await deleteUnsentEvent(store(), two);
  await saveUnsentEvent(store(), three);
  expect(await listUnsentEvents(store())).toEqual([one, three]);
});
