import { addDays, dayOf } from '#core/figures/calendar.ts';
import { date, licence, wholeNumber } from '#core/settings/field-kinds.ts';

test('a licence is a name of 1 to 64 characters without spaces, which begins with a letter or a digit', () => {
  for (const name of ['X', '0', '9', 'CC0-1.0', 'a'.repeat(64)]) expect(licence.parse(name)).toBe(name);
  for (const name of ['', '-X', 'CC 0', 'a'.repeat(65)]) expect(licence.safeParse(name).success).toBe(false);
});

test('a day is today (UTC) at the latest', () => {
  const today = dayOf(Date.now() / 1_000);
  expect(date.parse(today)).toBe(today);
  // Midnight may have passed meanwhile.
  expect(date.safeParse(addDays(today, 2)).error?.issues[0]?.message).toBe(
    'expected a day as YYYY-MM-DD, at most today (UTC)',
  );
  expect(date.safeParse('2026-02-30').success).toBe(false);
});

test('a whole number without a maximum may be as large as numbers are exact', () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(wholeNumber(1).parse(most)).toBe(most);
  expect(wholeNumber(1).safeParse(0).error?.issues[0]?.message).toBe('expected a whole number of at least 1');
  expect(wholeNumber(1, 2).safeParse(3).error?.issues[0]?.message).toBe(
    'expected a whole number from 1 to 2',
  );
});
