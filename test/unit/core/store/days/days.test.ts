import { noDollars } from '#core/figures/dollars.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { requestRestatement, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { figuresOf } from '#core/store/days/day-item.ts';
import { getDay, listCheckedDays, listFinalDays, queryDays } from '#core/store/days/days.ts';
import { listUnpriced } from '#core/store/days/notes.ts';
import { blockAt, dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance } from '#test/support/generators/rows/archived-days.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import {
  putDay,
  putStoredDay,
  putWaitingDay,
  refreshCoverage,
  replaceDay,
} from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');

const put = (day: string) => putDay(store(), dayFigures(day), provenance());

test('an archived day is served but not final, and only checked days are to be proven', async () => {
  const [archived, checked, proven] = ['2026-11-18', '2026-11-19', '2026-11-20'] as const;
  await putDay(store(), dayFigures(archived), archivedProvenance());
  await putDay(store(), dayFigures(checked), provenance({ evidence: 'checked' }));
  await put(proven);
  expect(await getDay(store(), archived)).toBeUndefined();
  expect(await getDay(store(), checked)).toEqual(dayFigures(checked));
  expect(await listFinalDays(store(), archived)).toEqual([checked, proven]);
  expect(await listFinalDays(store(), archived, true)).toEqual([archived, checked, proven]);
  expect((await listCheckedDays(store(), archived)).map(({ date }) => date)).toEqual([checked]);
});

const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };

const itemOf = (day: string) => table().getItem({ chain: 'BSC', date: day });

test('ranges of days never include checkpoints, waiting days or the coverage', async () => {
  await put('2026-11-20');
  await refreshCoverage(store(), '2026-11-20');
  const progress = startDayProgress('2026-11-21', undefined);
  await saveCheckpoint(store(), { day: '2026-11-21', sequence: 0 }, { progress });
  await putWaitingDay(store(), { progress, next: blockAt(0), since: 0 });
  await requestRestatement(store(), '2026-11-20', restatement);
  expect(await queryDays(store(), '0000-01-01', '9999-12-31')).toHaveLength(1);
  expect(await listFinalDays(store(), '0000-01-01')).toEqual(['2026-11-20']);
});

test('a restatement stores the new figures and keeps all earlier ones with the reason and the times', async () => {
  const ingestedAt = new Date('2026-11-25T09:00:00Z');
  const replace = (transactions: number, requestedAt = restatement.requestedAt) =>
    replaceDay(
      store(),
      dayFigures('2026-11-20', { totals: { ...NO_TOTALS, transactions } }),
      provenance({ softwareVersion: '2.0.0', ingestedAt, hosts: ['b.example'] }),
      { ...restatement, requestedAt },
    );
  await put('2026-11-20');
  const old = await itemOf('2026-11-20');
  expect(await replace(4)).toBe(true);
  expect((await getDay(store(), '2026-11-20'))?.totals).toEqual({ ...NO_TOTALS, transactions: 4 });
  const { chain, date, ...kept } = old ?? {};
  const first = {
    ...kept,
    reason: 'a node lied',
    requested_at: '2026-11-25T08:00:00Z',
    restated_at: '2026-11-25T09:00:00.000Z',
  };
  expect(await itemOf('2026-11-20')).toMatchObject({
    chain,
    date,
    revision: 2n,
    software_version: '2.0.0',
    ingested_at: '2026-11-25T09:00:00.000Z',
    endpoint_hosts: ['b.example'],
    restated: [first],
  });
  expect(await replace(5, '2026-11-25T08:30:00Z')).toBe(true);
  expect(await itemOf('2026-11-20')).toMatchObject({ revision: 3n, restated: [first, { revision: 2n }] });
});

const DAY = '2025-11-18';

test('a restated day is read with all its attributes and written back unchanged', async () => {
  const day = storedDay();
  const of = figuresOf(day);
  await putDay(store(), of, provenance());
  await replaceDay(store(), { ...of, first: undefined }, provenance(), restatement);
  const item = await itemOf(DAY);
  const read = await getStoredDay(store(), DAY);
  expect(read).toMatchObject({
    revision: 2,
    restated: [{ reason: 'a node lied', first_block: day.first_block }],
  });

  expect(read && (await putStoredDay(table(), read, read))).toBe(true);
  // Raised, so that no run stores dollars of the figures before.
  expect(await itemOf(DAY)).toEqual({ ...item, amendments: 1n });
});

test('a day that was not priced when it was exported is noted to be priced', async () => {
  const { day, details } = withDetails(storedDay());
  const dollars = noDollars({ aggregator: '0x12', maxAge: 1 });
  const reason = { unpriced_reason: 'no price: none' };
  await putStoredDay(table(), day, undefined, details);
  await putStoredDay(table(), { ...day, date: '2025-11-19', ...reason }, undefined, { ...details, dollars });
  await putStoredDay(table(), { ...day, date: '2025-11-20' }, undefined, { ...details, dollars });
  expect(await listUnpriced(store())).toEqual(['2025-11-20']);
});
