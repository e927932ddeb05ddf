import fc from 'fast-check';
import { coverageOf, grouped, nameOf, readingNotes, titleOf } from '../../web/words.ts';

test('chains have the names that people know them by', () => {
  expect([nameOf('ETHEREUM'), nameOf('BSC'), nameOf('BASE')]).toEqual(['Ethereum', 'BSC', 'Base']);
});

test.each([
  ['0', '0'],
  ['999', '999'],
  ['1234567', '1,234,567'],
  ['1234.567890123456789012', '1,234.567890123456789012'],
  ['0.000001', '0.000001'],
])('%s is read as %s', (value, read) => {
  expect(grouped(value)).toBe(read);
});

test('grouping changes no digit', () => {
  const figures = fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.nat()).map(([whole, part]) => `${whole}.${part}`);
  fc.assert(fc.property(figures, (value) => expect(grouped(value).replaceAll(',', '')).toBe(value)));
});

test.each([
  [0, '2026-11-19', 'Base: no day missing; data through 2026-11-19.'],
  [1, '2026-11-19', 'Base: 1 day has no final figure; data through 2026-11-19.'],
  [2, '2026-11-19', 'Base: 2 days have no final figure; data through 2026-11-19.'],
  [7, undefined, 'Base: no final day yet.'],
])('%i days missing and data through %s: %s', (daysMissing, dataThrough, words) => {
  expect(coverageOf({ chain: 'BASE', daysMissing, dataThrough })).toBe(words);
});

test('a title names the days that are drawn', () => {
  const days = ['2026-11-18', '2026-11-19', '2026-11-20'].map((date) => ({ date }));
  expect(titleOf('Fees', days)).toBe('Fees a day, 2026-11-18 to 2026-11-20');
  expect(titleOf('Transactions', days.slice(1, 2))).toBe('Transactions a day, 2026-11-19');
  expect(titleOf('Fees', [])).toBe('Fees a day');
});

test('what is drawn in a way that could be misread is told', () => {
  const days = [{ values: ['0.0', '12', undefined] }, { values: ['7'] }];
  const plain = { isLog: false, hasAverage: false };
  expect(readingNotes(plain, days)).toBe(
    'A day without a final figure is a gap, marked below the chart; it is not 0.',
  );
  expect(readingNotes({ ...plain, hasAverage: true }, days)).toMatch(/where all seven have a figure\.$/);
  expect(readingNotes({ ...plain, isLog: true }, days.slice(1))).toMatch(/The scale is logarithmic\.$/);
  expect(readingNotes({ ...plain, isLog: true }, days)).toMatch(/ 1 figure of 0 is left out/);
  expect(readingNotes({ ...plain, isLog: true }, [...days, ...days])).toMatch(/ 2 figures of 0 are left out/);
});
