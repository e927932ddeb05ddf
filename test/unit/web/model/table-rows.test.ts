import { daysOf, sourceOf, TODAY } from '#test/support/generators/random/arbitrary-shown.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { parseAmount } from '#web/model/amounts.ts';
import { shownOf } from '#web/model/shown.ts';
import { alignColumn, sortedDates, toCsv } from '#web/model/table-rows.ts';
import { parseView } from '#web/model/view.ts';

const { view } = parseView(
  '?chains=ETHEREUM,BASE&metric=fees&start_date=2026-11-17&end_date=2026-11-21',
  TODAY,
);
const shown = shownOf(
  view,
  [
    sourceOf('ETHEREUM', daysOf(['full', 'none', 'full', 'full', 'full'], [3, 9, 1, 7, 5]), view),
    sourceOf('BASE', daysOf(['none', 'none', 'full', 'full', 'full'], [3]), view),
  ],
  TODAY,
);
const datesBy = (order: Parameters<typeof sortedDates>[1]) =>
  sortedDates(shown, order)
    .map((index) => shown.dates[index]?.slice(-2))
    .join(' ');

test('lists the dates on which a chain has a figure, and sorts them by date or by a chain', () => {
  expect(datesBy({ column: 'date', isDescending: true })).toBe('21 19 18 17');
  expect(datesBy({ column: 'date', isDescending: false })).toBe('17 18 19 21');
  expect(datesBy({ column: 0, isDescending: true })).toBe('18 17 21 19');
});

test('dates without a figure of the column come last in both directions', () => {
  expect(datesBy({ column: 1, isDescending: true }).endsWith('21')).toBe(true);
  expect(datesBy({ column: 1, isDescending: false }).endsWith('21')).toBe(true);
});

test('CSV has every digit, and an empty cell where no figure is final', () => {
  expect(toCsv(shown).split('\r\n')).toEqual([
    'date,ETHEREUM_fees_ETH,BASE_fees_ETH',
    '2026-11-17,5.5,3.5',
    '2026-11-18,7.5,3.5',
    '2026-11-19,1.5,3.5',
    '2026-11-21,3.5,',
    '',
  ]);
});

test('CSV of a typical fee has both bounds', () => {
  const typical = { ...view, figure: 'median_fee', chains: ['BASE'] } as const;
  const rows = [dayRow('2026-11-20', { median_fee: { from: '0.000213', to: '0.000221' } })];
  const csv = toCsv(shownOf(typical, [sourceOf('BASE', rows, typical)], TODAY));
  expect(csv).toBe(
    'date,BASE_median_fee_from_ETH,BASE_median_fee_to_ETH\r\n2026-11-20,0.000213,0.000221\r\n',
  );
});

test('aligns the decimal points of a column at its right edge', () => {
  const column = alignColumn([parseAmount('1.25'), undefined, parseAmount('30')], 'fees');
  expect(column).toEqual(['1.25', undefined, '30\u2008\u2007\u2007']);
  expect(alignColumn([parseAmount('7')], 'transaction_count')).toEqual(['7']);
});
