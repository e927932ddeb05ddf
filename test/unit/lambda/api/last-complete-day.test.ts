import { lastCompleteDay } from '#lambda/api/last-complete-day.ts';

afterEach(() => jest.restoreAllMocks());

test.each([
  ['2026-11-27T23:59:59.999Z', '2026-11-26'],
  ['2026-11-28T00:00:00.000Z', '2026-11-27'],
  ['2026-11-28T23:59:59.999Z', '2026-11-27'],
  ['2026-11-29T00:00:00.000Z', '2026-11-28'],
  // A clock that is set back.
  ['2026-11-28T00:00:00.000Z', '2026-11-27'],
])('at %s, the last complete day (UTC) is %s', (now, day) => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
  expect([lastCompleteDay(), lastCompleteDay()]).toEqual([day, day]);
});
