import { daysOf, sourceOf, TODAY } from '#test/support/generators/random/arbitrary-shown.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { formatExact } from '#web/model/amounts.ts';
import { panelsOf } from '#web/model/panels.ts';
import { hoursOf } from '#web/model/periods.ts';
import { drawnDates, shownOf } from '#web/model/shown.ts';
import { sortedDates, toCsv } from '#web/model/table-rows.ts';
import { parseView } from '#web/model/view.ts';

const full = Array<'full'>(60).fill('full');
const shownIn = (query: string, fates: Parameters<typeof daysOf>[0] = full) => {
  const { view } = parseView(`?chains=BASE&${query}`, TODAY);
  return shownOf(view, [sourceOf('BASE', daysOf(fates), view)], TODAY);
};

const WEEK = 'start_date=2026-11-15&end_date=2026-11-21';

test('a period that the range cuts off at its start is left out, and the running one has what it has', () => {
  const { dates, chains } = shownIn(
    'start_date=2026-11-04&end_date=2026-11-21&interval=week&metric=transaction_count',
  );
  expect(dates).toEqual(['2026-11-09', '2026-11-16']);
  expect(chains[0]?.cells[1]).toMatchObject({ state: 'outside', part: { have: 6, of: 7 } });
  expect(chains[0]?.total?.count).toBe(1);
});

test('a period of which only some days were loaded is not called incomplete by their number', () => {
  const query = 'start_date=2026-09-28&end_date=2026-11-21&interval=week&metric=transaction_count';
  const { view } = parseView(`?chains=BASE&${query}`, TODAY);
  const source = sourceOf('BASE', daysOf([...full.slice(0, 50), 'none', ...full]), view);
  const late = shownOf(
    view,
    [{ ...source, days: source.days.filter(({ date }) => date > '2026-10-20') }],
    TODAY,
  );
  expect(late.chains[0]?.cells[0]).toEqual({ state: 'missing' });
});

test('the running day is in no date, total, peak, average or file', () => {
  const { view } = parseView(`?chains=BASE&${WEEK}&metric=transaction_count&average=7`, TODAY);
  const source = sourceOf('BASE', daysOf(full), view);
  const through = { time: `${TODAY}T07:37:00Z` };
  const running = { chain: 'BASE', date: TODAY, through, transaction_count: 1_000_000 };
  const without = shownOf(view, [source], TODAY);
  const shown = shownOf(view, [{ ...source, running }], TODAY);
  expect([without.runningDay, shown.runningDay]).toEqual([undefined, TODAY]);
  expect(shown.chains[0]?.running).toMatchObject({ time: '07:37' });
  expect(drawnDates(shown)).toEqual([...without.dates, TODAY]);
  expect(shown.dates).toEqual(without.dates);
  expect({ ...shown.chains[0], running: undefined }).toEqual(without.chains[0]);
  expect(panelsOf(shown)[0]?.lines[0]?.averages).toEqual(panelsOf(without)[0]?.lines[0]?.averages);
  expect(toCsv(shown)).toBe(toCsv(without));
  const order = { column: 0, isDescending: true };
  expect(sortedDates(shown, order)).toEqual(sortedDates(without, order));
});

test('a final day without hours lacks them, and is not missing', () => {
  const { view } = parseView('?chains=BASE&start_date=2026-11-20&end_date=2026-11-21&interval=hour', TODAY);
  const rows = hoursOf('2026-11-21').map((date) => dayRow(date));
  const source = { ...sourceOf('BASE', daysOf(full), view), rows };
  expect(shownOf(view, [source], TODAY).chains[0]?.cells.map(({ state }) => state)).toEqual([
    ...Array(24).fill('lacking'),
    ...Array(24).fill('figure'),
  ]);
});

test('dollars have the sum of coins of the same days beside them', () => {
  const [base] = shownIn(`${WEEK}&metric=fees_usd`, [
    'full',
    'bare',
    'full',
    'full',
    'full',
    'full',
    'full',
    'full',
  ]).chains;
  expect(base?.total?.count).toBe(6);
  expect(base?.coins !== undefined && formatExact(base.coins)).toBe('9');
});

test('sums of few periods are bars, and those of many, or of days, are lines', () => {
  const formOf = (query: string) => shownIn(`metric=transaction_count&${query}`).form;
  expect(formOf('start_date=2026-10-01&end_date=2026-11-21&interval=week')).toBe('bars');
  expect(formOf(WEEK)).toBe('lines');
  expect(formOf('start_date=2026-10-01&end_date=2026-11-21&interval=week&mode=indexed')).toBe('lines');
});
