import { chainOf } from '#core/chains/chains.ts';
import { keepFirstDay, newFirstDay, plannedFirstDay } from '#core/days/first-day.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');

describe('the first day to ingest', () => {
  const bsc = chainOf('BSC');
  const at = (time: string) => Date.parse(time);
  const keep = (startDate: string | undefined, time: string) =>
    keepFirstDay(store(), bsc, startDate, at(time));

  test('a chain without a start date begins 30 days before its first run, and later runs keep that day', async () => {
    expect(await keep(undefined, '2027-12-31T08:00:00Z')).toBe('2027-12-01');
    expect(await keep(undefined, '2028-06-01T08:00:00Z')).toBe('2027-12-01');
    expect(await plannedFirstDay(store(), bsc, undefined, at('2028-06-01T08:00:00Z'))).toBe('2027-12-01');
  });

  test('a configured start date wins at any time, and stays when the stage no longer names it', async () => {
    expect(await keep('2026-11-10', '2026-11-20T08:00:00Z')).toBe('2026-11-10');
    expect(await keep('2026-10-01', '2026-11-21T08:00:00Z')).toBe('2026-10-01');
    expect(await keep(undefined, '2026-11-22T08:00:00Z')).toBe('2026-10-01');
  });

  test('no chain begins before its first day', async () => {
    expect(await keep('2015-01-01', '2026-11-20T08:00:00Z')).toBe(bsc.firstDay);
    expect(newFirstDay(chainOf('ETHEREUM'), undefined, at('2015-08-04T00:00:00Z'))).toBe('2015-07-30');
  });

  test('a coverage that was deleted counts the stored days again as soon as a run begins', async () => {
    for (const day of ['2026-11-18', '2026-11-19', '2026-11-21'])
      await putDay(store(), dayFigures(day), provenance());
    const before = await getCoverage(store());
    await table().deleteItem({ chain: 'BSC', date: 'coverage' });
    await keep('2026-11-18', '2026-11-22T08:00:00Z');
    const after = await getCoverage(store());
    expect(after).toMatchObject({
      through_day: '2026-11-19',
      last_day: '2026-11-21',
      begun_at: '2026-11-22T08:00:00.000Z',
    });
    // So that caches and entity tags of the deleted one are not taken for those of the new one.
    expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
  });
});
