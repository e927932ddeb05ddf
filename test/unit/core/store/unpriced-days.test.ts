import { chainStore } from '#core/store/table.ts';
import { deleteUnpriced, listUnpriced, noteUnpriced } from '#core/store/unpriced-days.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();

test('lists the noted days of a chain, ascending and once each, until they are deleted', async () => {
  const store = chainStore(table(), 'BSC');
  for (const day of ['2026-11-19', '2026-11-18', '2026-11-19']) await noteUnpriced(store, day);
  await noteUnpriced(chainStore(table(), 'BASE'), '2026-11-20');
  expect(await listUnpriced(store)).toEqual(['2026-11-18', '2026-11-19']);
  await deleteUnpriced(store, '2026-11-18');
  expect(await listUnpriced(store)).toEqual(['2026-11-19']);
});
