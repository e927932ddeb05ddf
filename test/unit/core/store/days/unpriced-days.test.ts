import { deleteUnpriced, listUnpriced, noteUnpriced } from '#core/store/days/unpriced-days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();

test('lists the noted days of a chain, ascending and once each, until they are deleted', async () => {
  const store = chainStore(table(), 'BSC');
  for (const day of ['2026-11-19', '2026-11-18', '2026-11-19'])
    await noteUnpriced(store, { day, revision: 1 });
  await noteUnpriced(chainStore(table(), 'BASE'), { day: '2026-11-20', revision: 1 });
  expect(await listUnpriced(store)).toEqual(['2026-11-18', '2026-11-19']);
  await deleteUnpriced(store, { day: '2026-11-18', revision: 1 });
  expect(await listUnpriced(store)).toEqual(['2026-11-19']);
});
