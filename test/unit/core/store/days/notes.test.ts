import { deleteUnsentEvent, listUnsentEvents, saveUnsentEvent } from '#core/store/days/notes.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const event = (day: string, revision = 1) => ({ day, revision });

test('lists events in the order in which they were saved, whatever their days', async () => {
  const events = [event('2026-11-20'), event('2026-11-18'), event('2026-11-18', 2), event('2026-11-19')];
  for (const one of events) await saveUnsentEvent(store(), one);
  await saveUnsentEvent(chainStore(table(), 'BASE'), event('2026-11-17'));
  expect(await listUnsentEvents(store())).toMatchObject(events);
});

test('an event that is saved again moves behind the others, and deleting its earlier note leaves it', async () => {
  const [one, two, three] = [event('2026-11-18'), event('2026-11-19'), event('2026-11-20')];
  for (const each of [one, two]) await saveUnsentEvent(store(), each);
  const sent = await listUnsentEvents(store());
  await saveUnsentEvent(store(), one);
  expect(await listUnsentEvents(store())).toMatchObject([two, one]);
  for (const each of sent) await deleteUnsentEvent(store(), each);
  await saveUnsentEvent(store(), three);
  expect(await listUnsentEvents(store())).toMatchObject([one, three]);
});
