import fc from 'fast-check';
import { parseAmount } from '#web/model/amounts.ts';
import {
  chainLabel,
  chartNotes,
  fileName,
  formatChange,
  fullTitle,
  readOut,
  viewTitle,
  wrapText,
} from '#web/model/labels.ts';
import { parseView } from '#web/model/view.ts';

const { view } = parseView(
  '?chains=ETHEREUM,BSC&metric=fees&start_date=2026-11-18&end_date=2026-11-20',
  '2026-11-22',
);

test('labels chains by their usual names', () => {
  expect([chainLabel('ETHEREUM'), chainLabel('BSC')]).toEqual(['Ethereum', 'BSC']);
});

test('titles name the figure, the period and the days', () => {
  expect(fullTitle(view)).toBe('Ethereum, BSC: Fees per day, 2026-11-18 to 2026-11-20');
  expect(
    viewTitle({ ...view, figure: 'user_transaction_count', interval: 'month', end_date: '2026-11-18' }),
  ).toBe('User transactions per month, 2026-11-18');
});

test.each([
  [0.0512, '+5.1\u00a0%'],
  [-0.25, '−25.0\u00a0%'],
  [0, '±0.0\u00a0%'],
  [15.5, '+1,550\u00a0%'],
  [undefined, '–'],
])('formats the change %p as %p', (change, text) => {
  expect(formatChange(change)).toBe(text);
});

test('reads out every line of a date, with its unit and missing figures', () => {
  const line = { firstDay: '2026-11-01', isRestated: [], points: [] };
  const lines = [
    { ...line, chain: 'ETHEREUM', amounts: [parseAmount('12.3456789')] },
    { ...line, chain: 'BASE', amounts: [undefined] },
  ] as const;
  expect(readOut({ unit: 'ETH', lines }, '2026-11-20', 0, view)).toBe(
    'Fri 2026-11-20: Ethereum 12.346 ETH, Base no final figure',
  );
});

test('reads out a typical fee with its bounds', () => {
  const line = { chain: 'BASE', firstDay: '2026-11-01', isRestated: [], points: [] } as const;
  const lines = [{ ...line, amounts: [parseAmount('0.000217')] }];
  expect(readOut({ unit: 'ETH', lines }, '2026-11-20', 0, { ...view, figure: 'median_fee' })).toBe(
    'Fri 2026-11-20: Base 0.000213 to 0.000221 ETH',
  );
});

test('notes explain gaps, averages, modes and the scale', () => {
  expect(chartNotes(view)).toBe('A gap is a day without a final figure, marked below the axis; it is not 0.');
  expect(chartNotes({ ...view, hasAverage: true })).toMatch(/Bold: the mean of a day and the six before it/);
  expect(chartNotes({ ...view, isLog: true })).toMatch(/logarithmic, so days of 0 are left out\.$/);
  expect(chartNotes({ ...view, interval: 'hour' })).toMatch(/^A gap is an hour without a final figure/);
  expect(chartNotes({ ...view, figure: 'median_fee' })).toMatch(/known within 4 %/);
  expect(chartNotes({ ...view, mode: 'indexed' })).toMatch(
    /The first figures that all chains have on the same date are 100\.$/,
  );
});

test('file names hold the figure, the period, the chains and the days', () => {
  expect(fileName(view, 'csv')).toBe('chain-insights_fees_ETHEREUM_BSC_2026-11-18_2026-11-20.csv');
  expect(fileName({ ...view, interval: 'week' }, 'png')).toBe(
    'chain-insights_fees_week_ETHEREUM_BSC_2026-11-18_2026-11-20.png',
  );
});

test('wraps at spaces, loses no word, and exceeds the width only with single words', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^\w{1,30}$/), { minLength: 1 }), fc.nat(40), (words, max) => {
      const lines = wrapText(words.join(' '), max);
      expect(lines.join(' ')).toBe(words.join(' '));
      for (const line of lines) expect(!line.includes(' ') || line.length <= max).toBe(true);
    }),
  );
});
