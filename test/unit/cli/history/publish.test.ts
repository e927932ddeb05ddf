import { publish } from '#cli/history/publish.ts';
import { figuresOf } from '#core/store/days/day-item.ts';
import { deleteUnsentEvent, listUnpriced, listUnsentEvents } from '#core/store/days/notes.ts';
import { provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const figures = figuresOf(storedDay());
const publishFrom = (file_sha256: string) =>
  publish(servedChain('BSC', table()), [{ figures, hosts: ['a.example'] }], archiveOrigin({ file_sha256 }));

test('a file sends no event about a day that is proven already', async () => {
  await putDay(store(), figures, provenance());
  for (const event of await listUnsentEvents(store())) await deleteUnsentEvent(store(), event);
  expect(await publishFrom('12'.repeat(32))).toBe(0);
  expect(await listUnsentEvents(store())).toEqual([]);
});

test('a day of an archive is not to be priced, also if it replaces one whose file is void', async () => {
  await putDay(
    store(),
    figures,
    archivedProvenance(archiveOrigin({ void_since: '2026-11-25T08:00:00.000Z' })),
  );
  expect(await publishFrom('12'.repeat(32))).toBe(1);
  expect(await listUnpriced(store())).toEqual([]);
});
