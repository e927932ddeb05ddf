import { evenlySpaced } from '#cli/backfill/plan.ts';

test.each([
  [1, 3, 5, [1, 2, 3]],
  [10, 19, 4, [10, 13, 16, 19]],
  [5, 5, 3, [5]],
  [5, 4, 3, []],
])('blocks %d to %d have at most %d evenly spaced samples', (first, last, count, numbers) => {
  expect(evenlySpaced(first, last, count)).toEqual(numbers);
});
