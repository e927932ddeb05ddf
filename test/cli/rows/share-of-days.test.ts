import { shareOfDays } from '../../../cli/rows/share-of-days.ts';

test.each([
  ['the first of ten that can be there', '2026-11-11', '9999-12-31', 0.1],
  ['yesterday', '2026-11-20', '9999-12-31', 1],
  ['the first of five that are asked for', '2026-11-11', '2026-11-15', 0.2],
  ['one after yesterday, by another clock', '2026-11-21', '9999-12-31', 1],
])('%s', (_, day, last, share) => {
  expect(shareOfDays('2026-11-11', day, last, '2026-11-20')).toBe(share);
});
