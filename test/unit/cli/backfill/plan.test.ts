import { costOf, estimateRange, evenlySpaced } from '#cli/backfill/plan.ts';

test.each([
  [1, 3, 5, [1, 2, 3]],
  [10, 19, 4, [10, 13, 16, 19]],
  [5, 5, 3, [5]],
  [5, 4, 3, []],
])('blocks %d to %d have at most %d evenly spaced samples', (first, last, count, numbers) => {
  expect(evenlySpaced(first, last, count)).toEqual(numbers);
});

test('at best, each of the days at once has the measured rate; at worst, they share it', () => {
  expect(estimateRange({ days: 10, blocks: 360_000, daysAtOnce: 5, speed: 20 })).toEqual({
    best: { blocks_per_second: 100, seconds: 3_600, function_hours: 5 },
    worst: { blocks_per_second: 20, seconds: 18_000, function_hours: 25 },
  });
});

test('the estimates of a single day are equal', () => {
  const { best, worst } = estimateRange({ days: 1, blocks: 7_200, daysAtOnce: 5, speed: 20 });
  expect(best).toEqual({ blocks_per_second: 20, seconds: 360, function_hours: 0.1 });
  expect(worst).toEqual(best);
});

test('days without blocks take no time', () => {
  const { best } = estimateRange({ days: 2, blocks: 0, daysAtOnce: 5, speed: Number.NaN });
  expect(best).toMatchObject({ seconds: 0, function_hours: 0 });
});

test.each([
  [{}, undefined],
  [{ pricePerHour: 2 }, 3],
  [{ pricePerMillionCalls: 4 }, 10],
  [{ pricePerHour: 2, pricePerMillionCalls: 4 }, 13],
])('1.5 hours and 2.5 million calls at %j cost %p', (prices, cost) => {
  const one = { blocks_per_second: 1, seconds: 1, function_hours: 1.5 };
  expect(costOf({ best: one, worst: one }, 2_500_000, prices)?.best).toBe(cost);
});
