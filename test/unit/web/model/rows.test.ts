import fc from 'fast-check';
import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/day-rows.ts';
import { formatExact, parseAmount } from '#web/model/amounts.ts';
import { alignColumn, columnTotals, joinRows, sortRows, toCsv } from '#web/model/rows.ts';

const feesOf = (fees: Readonly<Record<string, string>>) =>
  Object.entries(fees).map(([date, value]) => dayRow(date, { fees: value }));

const rows = joinRows(
  [
    feesOf({ '2026-11-18': '358.558440870590355682', '2026-11-19': '0' }),
    feesOf({ '2026-11-19': '1.5', '2026-11-20': '12' }),
  ],
  'fees',
);
const datesOf = (given: typeof rows) => given.map(({ date }) => date.slice(-2)).join(' ');

test('joins chains by date, with undefined where a chain has no figure', () => {
  expect(rows.map(({ date, amounts }) => [date, ...amounts.map((one) => one && formatExact(one))])).toEqual([
    ['2026-11-18', '358.558440870590355682', undefined],
    ['2026-11-19', 0n, '1.5'],
    ['2026-11-20', undefined, '12'],
  ]);
});

test('joining loses and changes no figure', () => {
  const column = fc
    .uniqueArray(fc.nat(40))
    .map((days) =>
      days
        .toSorted((a, b) => a - b)
        .map((day) => dayRow(addDays('2026-01-01', day), { fees: `${day}.000000000000000001` })),
    );
  fc.assert(
    fc.property(fc.array(column, { maxLength: 4 }), (columns) => {
      const joined = joinRows(columns, 'fees');
      for (const [index, each] of columns.entries()) {
        const found = joined.flatMap(({ date, amounts }) => {
          const amount = amounts[index];
          return amount === undefined ? [] : [[date, formatExact(amount)]];
        });
        expect(found).toEqual(each.map(({ date, fees }) => [date, fees]));
      }
    }),
  );
});

test('sorts by date or by a chain, and puts days without a figure last', () => {
  expect(datesOf(sortRows(rows, { column: 'date', isDescending: true }))).toBe('20 19 18');
  expect(datesOf(sortRows(rows, { column: 0, isDescending: true }))).toBe('18 19 20');
  expect(datesOf(sortRows(rows, { column: 0, isDescending: false }))).toBe('19 18 20');
  expect(datesOf(sortRows(rows, { column: 1, isDescending: true }))).toBe('20 19 18');
});

test('adds up each column exactly', () => {
  expect(columnTotals(rows, 2).map((total = -1n) => formatExact(total))).toEqual([
    '358.558440870590355682',
    '13.5',
  ]);
  expect(columnTotals(rows, 3)[2]).toBeUndefined();
});

test('pads figures so that their decimal points align', () => {
  const aligned = alignColumn(
    ['358.558440870590355682', undefined, '0.00012', '12'].map((text) =>
      text ? parseAmount(text) : undefined,
    ),
    'fees',
  );
  expect(aligned).toEqual([
    '358.56\u2007\u2007\u2007',
    undefined,
    '0.00012',
    `12\u2008${'\u2007'.repeat(5)}`,
  ]);
  expect(alignColumn([parseAmount('1200'), parseAmount('7')], 'fees')).toEqual(['1,200', '7']);
});

test('formats one chain as CSV with the name of the figure', () => {
  const one = rows.map(({ date, amounts }) => ({ date, amounts: amounts.slice(0, 1) })).slice(0, 2);
  expect(toCsv('fees', ['ETHEREUM'], one)).toBe(
    'date,ETHEREUM_fees_ETH\r\n2026-11-18,358.558440870590355682\r\n2026-11-19,0\r\n',
  );
});

test('formats several chains as CSV with one column each, empty where no figure is final', () => {
  expect(toCsv('fees', ['ETHEREUM', 'BSC'], rows)).toBe(
    'date,ETHEREUM_fees_ETH,BSC_fees_BNB\r\n2026-11-18,358.558440870590355682,\r\n2026-11-19,0,1.5\r\n2026-11-20,,12\r\n',
  );
  expect(toCsv('transaction_count', ['BASE', 'BSC'], [])).toBe(
    'date,BASE_transaction_count,BSC_transaction_count\r\n',
  );
});

test('a typical fee is given by its bounds, in two columns of CSV', () => {
  const row = dayRow('2026-11-18', { median_fee: { from: '0.000213', to: '0.000221' } });
  const typical = joinRows([[row], []], 'median_fee');
  const amounts = typical.flatMap((one) => one.amounts);
  expect(alignColumn(amounts, 'median_fee')).toEqual(['0.000213 to 0.000221', undefined]);
  expect(toCsv('median_fee', ['ETHEREUM', 'BSC'], typical)).toBe(
    'date,ETHEREUM_median_fee_from_ETH,ETHEREUM_median_fee_to_ETH,BSC_median_fee_from_BNB,BSC_median_fee_to_BNB\r\n' +
      '2026-11-18,0.000213,0.000221,,\r\n',
  );
  expect(toCsv('median_fee', ['ETHEREUM'], [])).toBe(
    'date,ETHEREUM_median_fee_from_ETH,ETHEREUM_median_fee_to_ETH\r\n',
  );
});
