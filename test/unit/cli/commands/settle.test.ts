import { addDays, dayOf } from '#core/figures/calendar.ts';
import { listConflicts, saveConflict } from '#core/store/chain/conflicts.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const { table, cli } = useAnnouncedTable(addDays(dayOf(Date.now() / 1_000), -9));
const store = () => chainStore(table(), 'BASE');
const settle = (date: string) => cli(['settle', '--chain', 'BASE', '--date', date], { BASE: [] });

test.each([
  ['a day', '2026-11-18', '2026-11-18'],
  ['the dispute about the final block', 'final-block', undefined],
])('settles %s, and fails when it is settled already', async (_, date, day) => {
  await saveConflict(store(), { day, reason: 'why', since: 0 });
  expect(await settle(date)).toMatchObject({ code: 0, stdout: `Settled the conflict of BASE ${date}.\n` });
  expect(await listConflicts(store())).toEqual([]);
  const again = await settle(date);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain(`BASE ${date} has no open conflict. To list them: `);
});
