import { refuseOldTable } from '#core/store/table/table-format.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');

test('refuses a table of an older version, and says what to do', async () => {
  await table().putIf({ chain: 'BSC', date: 'coverage', from_day: '2026-11-18', revision: 1 });
  await expect(refuseOldTable(store())).rejects.toThrow(
    /^The table has days of BSC that this version cannot read: .* Deploy a stage with another name, or use an empty DATA_DIR/,
  );
});
