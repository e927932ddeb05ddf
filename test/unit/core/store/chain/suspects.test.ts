import { deleteSuspect, listSuspects, saveSuspect } from '#core/store/chain/suspects.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const suspect = { host: 'a.example:8545', process: 'p1', since: Date.parse('2026-11-20T12:00:00.123Z') };
const other = { ...suspect, process: 'p2' };

test('lists the suspects of one chain until each is deleted', async () => {
  const store = chainStore(table(), 'BASE');
  await saveSuspect(store, suspect);
  await saveSuspect(store, other);
  await saveSuspect(chainStore(table(), 'BSC'), suspect);
  expect(await listSuspects(store)).toEqual([suspect, other]);
  await deleteSuspect(store, suspect);
  expect(await listSuspects(store)).toEqual([other]);
});
