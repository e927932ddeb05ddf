import { getFeed, putFeed } from '#core/store/chain/feed-readings.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();

test('keeps the first reading of a day, and the tries without one', async () => {
  const store = chainStore(table(), 'BSC');
  expect(await getFeed(store, '2026-11-19')).toEqual({ tries: 0, triedAt: 0 });
  await putFeed(store, '2026-11-19', { tries: 1, triedAt: 1_000 });
  expect(await getFeed(store, '2026-11-19')).toEqual({ tries: 1, triedAt: 1_000 });
  const reading = { number: 9, hash: '0x9', aggregator: '0x12', evidence: 'proven' } as const;
  await putFeed(store, '2026-11-19', { tries: 2, triedAt: 2_000, reading });
  expect(await getFeed(store, '2026-11-19')).toEqual({ tries: 2, triedAt: 2_000, reading });
  // Another run that began before.
  await putFeed(store, '2026-11-19', { tries: 2, triedAt: 2_000 });
  expect(await getFeed(store, '2026-11-19')).toMatchObject({ reading });
});
