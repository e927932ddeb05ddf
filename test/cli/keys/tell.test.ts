import { rangeOf } from '../../../cli/keys/tell.ts';

const TODAY = '2026-11-21';

test.each([
  ['the last 30 days', {}, '2026-10-23', TODAY],
  ['30 days up to the last', { endDate: '2026-11-10' }, '2026-10-12', '2026-11-10'],
  ['the days from the first to today', { startDate: '2026-08-24' }, '2026-08-24', TODAY],
  ['no day to come', { startDate: TODAY, endDate: '2026-12-31' }, TODAY, TODAY],
])('%s', (_, options, first, last) => {
  expect(rangeOf(options, TODAY)).toEqual({ first, last });
});

test.each([
  [{ startDate: '2026-08-23' }, 'It is 91 days long: ask for 1 to 90 days.'],
  [{ startDate: '2026-11-22' }, '2026-11-22 has not begun yet: ask for 1 to 90 days.'],
  [{ startDate: '2026-11-22', endDate: '2026-11-30' }, '2026-11-22 has not begun yet'],
  [
    { startDate: '2026-11-10', endDate: '2026-11-09' },
    '--start-date 2026-11-10 comes after --end-date 2026-11-09.',
  ],
])('%p is refused', (options, message) => {
  expect(() => rangeOf(options, TODAY)).toThrow(message);
});
