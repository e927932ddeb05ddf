import { addDays } from '#core/figures/calendar.ts';
import { activityOn } from '#local/activity.ts';

/** Six weeks, the last day first. */
const days = Array.from({ length: 42 }, (_, daysLeft) => ({
  daysLeft,
  day: addDays('2026-11-21', -daysLeft),
}));
const volumes = (isChosen: (each: (typeof days)[number]) => boolean) =>
  days.filter(isChosen).map(({ day, daysLeft }) => activityOn(1, day, daysLeft).volume);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value) / values.length;
const isWeekend = ({ day }: { readonly day: string }) => [0, 6].includes(new Date(day).getUTCDay());

test('is the same for the same day and chain', () => {
  expect(activityOn(8453, '2026-11-21', 0)).toEqual(activityOn(8453, '2026-11-21', 0));
});

test('has weekends with fewer transactions, and grows', () => {
  expect(mean(volumes(isWeekend))).toBeLessThan(0.75 * mean(volumes((each) => !isWeekend(each))));
  expect(mean(volumes(({ daysLeft }) => daysLeft < 14))).toBeGreaterThan(
    1.2 * mean(volumes(({ daysLeft }) => daysLeft >= 28)),
  );
});

test('has a fee crisis of five days, and no end of it outside', () => {
  const bids = days.map(({ day, daysLeft }) => activityOn(1, day, daysLeft).bid);
  expect(Math.max(...bids.slice(13, 18))).toBeGreaterThan(5);
  expect([...bids.slice(0, 13), ...bids.slice(18)].every((bid) => bid === 1)).toBe(true);
});
