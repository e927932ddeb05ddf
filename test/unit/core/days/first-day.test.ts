import { chainOf } from '#core/chains/chains.ts';
import { keepFirstDay, newFirstDay, plannedFirstDay } from '#core/days/first-day.ts';
import { refreshCoverage } from '#core/days/refresh-coverage.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { store } = useMemoryStore('BSC');
const bsc = chainOf('BSC');
const at = (time: string) => Date.parse(time);
const keep = (startDate: string | undefined, time: string) => keepFirstDay(store(), bsc, startDate, at(time));

test('a chain without a start date begins 30 days before its first run, and later runs keep that day', async () => {
  expect(await keep(undefined, '2027-12-31T08:00:00Z')).toBe('2027-12-01');
  expect(await keep(undefined, '2028-06-01T08:00:00Z')).toBe('2027-12-01');
  expect(await plannedFirstDay(store(), bsc, undefined, at('2028-06-01T08:00:00Z'))).toBe('2027-12-01');
});

test('a configured start date wins at any time, and stays when the stage no longer names it', async () => {
  expect(await keep('2026-11-10', '2026-11-20T08:00:00Z')).toBe('2026-11-10');
  expect(await keep('2026-10-01', '2026-11-21T08:00:00Z')).toBe('2026-10-01');
  await refreshCoverage(store(), '2026-10-01');
  expect(await keep(undefined, '2026-11-22T08:00:00Z')).toBe('2026-10-01');
});

test('no chain begins before its first day', async () => {
  expect(await keep('2015-01-01', '2026-11-20T08:00:00Z')).toBe(bsc.firstDay);
  expect(newFirstDay(chainOf('ETHEREUM'), undefined, at('2015-08-04T00:00:00Z'))).toBe('2015-07-30');
});
