import fc from 'fast-check';
import { chainLabel, chartNotes, chartTitle, coverageLine, groupThousands } from '../../web/labels.ts';

test('labels chains by their usual names', () => {
  expect([chainLabel('ETHEREUM'), chainLabel('BSC'), chainLabel('BASE')]).toEqual([
    'Ethereum',
    'BSC',
    'Base',
  ]);
});

test.each([
  ['0', '0'],
  ['999', '999'],
  ['1234567', '1,234,567'],
  ['1234.567890123456789012', '1,234.567890123456789012'],
  ['0.000001', '0.000001'],
])('formats %s as %s', (value, read) => {
  expect(groupThousands(value)).toBe(read);
});

test('grouping changes no digit', () => {
  const figures = fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.nat()).map(([whole, part]) => `${whole}.${part}`);
  fc.assert(fc.property(figures, (value) => expect(groupThousands(value).replaceAll(',', '')).toBe(value)));
});

test.each([
  [0, '2026-11-19', 'Base: no missing days; data through 2026-11-19.'],
  [1, '2026-11-19', 'Base: 1 day has no final figure; data through 2026-11-19.'],
  [2, '2026-11-19', 'Base: 2 days have no final figure; data through 2026-11-19.'],
  [7, undefined, 'Base: no final day yet.'],
])('describes %i missing days and data through %s as: %s', (daysMissing, dataThrough, words) => {
  expect(coverageLine({ chain: 'BASE', daysMissing, dataThrough })).toBe(words);
});

test('the title names the drawn days', () => {
  const days = ['2026-11-18', '2026-11-19', '2026-11-20'].map((date) => ({ date }));
  expect(chartTitle('Fees', days)).toBe('Fees per day, 2026-11-18 to 2026-11-20');
  expect(chartTitle('Transactions', days.slice(1, 2))).toBe('Transactions per day, 2026-11-19');
  expect(chartTitle('Fees', [])).toBe('Fees per day');
});

test('the notes explain gaps, averages, the scale and omitted zeros', () => {
  const days = [{ values: ['0.0', '12', undefined] }, { values: ['7'] }];
  const plain = { isLog: false, hasAverage: false };
  expect(chartNotes(plain, days)).toBe(
    'A day without a final figure is a gap, marked below the chart; it is not 0.',
  );
  expect(chartNotes({ ...plain, hasAverage: true }, days)).toMatch(/where all seven have a figure\.$/);
  expect(chartNotes({ ...plain, isLog: true }, days.slice(1))).toMatch(/The scale is logarithmic\.$/);
  expect(chartNotes({ ...plain, isLog: true }, days)).toMatch(
    / It has no 0, so 1 figure of 0 is left out\.$/,
  );
  expect(chartNotes({ ...plain, isLog: true }, [...days, ...days])).toMatch(
    / It has no 0, so 2 figures of 0 are left out\.$/,
  );
});
