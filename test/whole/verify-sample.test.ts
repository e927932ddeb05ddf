import { drawDays } from '#cli/verify/verify-days.ts';
import { addDays } from '#core/figures/calendar.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ chain: 'BASE', day: addDays('2026-01-01', index) }));
const all = days(200);

test('draws the same days for the same seed, and others for another', () => {
  expect(drawDays(all, 7, 10)).toEqual(drawDays(all.toReversed(), 7, 10));
  expect(drawDays(all, 7, 10)).not.toEqual(drawDays(all, 8, 10));
});

test('a larger sample starts with the smaller one', () => {
  expect(drawDays(all, 7, 30).slice(0, 10)).toEqual(drawDays(all, 7, 10));
});

test('draws each day equally often over many seeds', () => {
  const times = new Map(days(10).map(({ day }) => [day, 0]));
  for (let seed = 0; seed < 2_000; seed++) {
    for (const { day } of drawDays(days(10), seed, 3)) times.set(day, (times.get(day) ?? 0) + 1);
  }
  // 600 each; six standard deviations are 123.
  for (const count of times.values()) expect(Math.abs(count - 600)).toBeLessThan(123);
});
