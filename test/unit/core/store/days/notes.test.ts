import {
  deleteUnsentEvent,
  getFeed,
  listUnsentEvents,
  noteUnsentEvent,
  putFeed,
} from '#core/store/days/notes.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const event = (day: string, position: number, revision = 1) => ({ day, revision, position });
type Event = ReturnType<typeof event>;
const note = (one: Event, on = store()) => table().commit([noteUnsentEvent(on, one)]);

describe('listUnsentEvents', () => {
  test('lists events in the order of the commits that changed their days', async () => {
    const events = [
      event('2026-11-20', 4),
      event('2026-11-18', 5),
      event('2026-11-18', 7, 2),
      event('2026-11-19', 9),
    ];
    for (const one of events) await note(one);
    await note(event('2026-11-17', 1), chainStore(table(), 'BASE'));
    expect(await listUnsentEvents(store())).toMatchObject(events);
  });

  test('lists an event that is noted again behind the others, also after its earlier note is deleted', async () => {
    const [one, two] = [event('2026-11-18', 1), event('2026-11-19', 2)];
    for (const each of [one, two]) await note(each);
    const sent = await listUnsentEvents(store());
    await note({ ...one, position: 3 });
    for (const each of sent) await deleteUnsentEvent(store(), each);
    expect(await listUnsentEvents(store())).toMatchObject([{ ...one, position: 3 }]);
  });
});

describe('the feed of a day', () => {
  const DAY = '2026-11-18';
  const tried = { tries: 2, tried_at: '2026-11-18T00:05:00.000Z' };

  test('has no attempts before the first, nor where its item cannot be read', async () => {
    expect(await getFeed(store(), DAY)).toEqual({ tries: 0 });
    await table().putIf({ chain: 'BSC', date: `feed#${DAY}`, tries: 'many' });
    expect(await getFeed(store(), DAY)).toEqual({ tries: 0 });
  });

  test('keeps its attempts, and a reading from the first that has one', async () => {
    await putFeed(store(), DAY, tried);
    expect(await getFeed(store(), DAY)).toEqual(tried);
    const reading = { number: 7, hash: '0x7', aggregator: '0x12', evidence: 'proven' } as const;
    await putFeed(store(), DAY, { ...tried, reading });
    await putFeed(store(), DAY, { ...tried, tries: 3 });
    expect(await getFeed(store(), DAY)).toEqual({ ...tried, reading });
  });
});
