import { presetRange, yearRanges } from '#web/model/presets.ts';

const TODAY = '2026-11-22';

test.each([
  ['7 days', '2026-11-15', '2026-11-21'],
  ['1 year', '2025-11-22', '2026-11-21'],
  ['last month', '2026-10-01', '2026-10-31'],
  ['this year', '2026-01-01', '2026-11-21'],
  ['last year', '2025-01-01', '2025-12-31'],
  ['all', '2020-08-29', '2026-11-21'],
] as const)('the preset %s is %s to %s', (preset, start_date, end_date) => {
  expect(presetRange(preset, ['BSC', 'BASE'], TODAY)).toEqual({ start_date, end_date });
});

test('on 1 January, this year is the one of which all days are over', () => {
  expect(presetRange('this year', [], '2027-01-01')).toEqual({
    start_date: '2026-01-01',
    end_date: '2026-12-31',
  });
});

test('names each year before this one that the chains have', () => {
  const years = yearRanges(['BASE'], TODAY);
  expect([...years.keys()]).toEqual(['2025', '2024', '2023']);
  expect(years.get('2024')).toEqual({ start_date: '2024-01-01', end_date: '2024-12-31' });
});
