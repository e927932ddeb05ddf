import { costOf, estimate, estimateRange } from '../../../cli/backfill/estimate.ts';

/** Ten days of 28,500 blocks, each read in 1,000 seconds by four runs. */
const work = { days: 10, blocks: 285_000, daysAtOnce: 5, blocksPerSecond: 28.5 };

test('derives rate, duration and function hours from blocks, speed and days at once', () => {
  // 1,000 s of reading, four run starts and one search per day; five days twice.
  const secondsPerDay = 1_000 + 4 + 5;
  expect(estimate(work)).toEqual({
    blocks_per_second: 142.5,
    seconds: 2 * secondsPerDay,
    function_hours: (10 * secondsPerDay) / 3_600,
  });
});

test('at worst, all days share the measured rate and take as long as one after the other', () => {
  const { best, worst } = estimateRange({ days: 10, blocks: 285_000, daysAtOnce: 5, speed: 28.5 });
  expect(best).toEqual(estimate(work));
  expect(worst.blocks_per_second).toBe(28.5);
  expect(worst.seconds).toBeGreaterThan(10 * 1_000);
  expect(worst.seconds).toBeLessThan(10 * 1_000 * 1.05);
});

test('the estimates of a single day are equal', () => {
  const { best, worst } = estimateRange({ days: 1, blocks: 7_200, daysAtOnce: 5, speed: 20 });
  expect(worst).toEqual(best);
  expect(best.blocks_per_second).toBe(20);
});

test('a day without blocks takes one run', () => {
  expect(estimate({ ...work, blocks: 0, blocksPerSecond: 0 }).seconds).toBe(2 * (5 + 1));
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
