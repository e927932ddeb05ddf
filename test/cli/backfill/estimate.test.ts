import { estimate, estimateBetween } from '../../../cli/backfill/estimate.ts';
import { spread } from '../../../cli/backfill/survey.ts';

/** Ten days of 28,500 blocks, which take a thousand seconds each: four runs. */
const work = { days: 10, blocks: 285_000, daysAtOnce: 5, blocksPerSecond: 28.5 };

test('each item follows from the blocks, the speed and the days at once', () => {
  const { lambda, ...rest } = estimate(work);
  // Reading, four runs that begin, and one search, on 1,769 MB.
  expect(lambda.amount).toBeCloseTo(10 * (1_000 + 4 + 5) * (1_769 / 1_024), -1);
  expect(lambda.dollars).toBeCloseTo(0.2324, 3);
  expect(rest).toMatchObject({
    blocks_per_second: 142.5,
    // Twice five days.
    seconds: 2 * 1_009,
    json_rpc_calls: 570_000,
    lambda_requests: { amount: 40 },
    state_transitions: { amount: 7 + 10 * (3 + 4 * 2), dollars: expect.closeTo(0.002925, 6) },
    table_writes: { amount: 10 * (4 + 202) },
  });
});

test('the sum is that of its items', () => {
  const { lambda, lambda_requests, state_transitions, table_writes, dollars } = estimate(work);
  const items = [lambda, lambda_requests, state_transitions, table_writes];
  expect(dollars).toBeCloseTo(
    items.reduce((sum, item) => sum + item.dollars, 0),
    10,
  );
});

test('at worst all days share what one alone was given, so that they take as long as one after the other', () => {
  const { best, worst } = estimateBetween({ days: 10, blocks: 285_000, daysAtOnce: 5, speed: 28.5 });
  expect(best).toEqual(estimate(work));
  expect(worst.blocks_per_second).toBe(28.5);
  expect(worst.seconds).toBeGreaterThan(10 * 1_000);
  expect(worst.seconds).toBeLessThan(10 * 1_000 * 1.05);
});

test('a single day is read by itself, however many might be', () => {
  const { best, worst } = estimateBetween({ days: 1, blocks: 7_200, daysAtOnce: 5, speed: 20 });
  expect(worst).toEqual(best);
  expect(best.blocks_per_second).toBe(20);
});

test('days without blocks take a run each', () => {
  expect(estimate({ ...work, blocks: 0, blocksPerSecond: 0 })).toMatchObject({
    lambda_requests: { amount: 10 },
    seconds: 12,
  });
});

test.each([
  [1, 3, 5, [1, 2, 3]],
  [10, 19, 4, [10, 13, 16, 19]],
  [5, 5, 3, [5]],
  [5, 4, 3, []],
])(
  'blocks %d to %d are sampled in at most %d places, from the first to the last',
  (first, last, count, numbers) => {
    expect(spread(first, last, count)).toEqual(numbers);
  },
);
