import { stateMachineOf, templateOf } from '#test/support/aws/stack.ts';

test('applies the stage’s settings of each chain, including its concurrency', () => {
  const bsc = { startDate: '2026-10-01', endpointsParameter: '/nodes/bsc', evidence: 'checked' } as const;
  const { States } = stateMachineOf(
    templateOf({ backfillDaysAtOnce: 2, chains: { BSC: bsc, BASE: { enabled: false } } }),
  );
  const { chains } = States['Load the chains'].Assign;
  expect(chains.BSC).toEqual({ event: { job: 'ingest', chain: 'BSC', ...bsc }, daysAtOnce: 2 });
  expect(chains.ETHEREUM.daysAtOnce).toBe(2);
  expect(chains).not.toHaveProperty('BASE');
});
