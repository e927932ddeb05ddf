import { type CountedDay, periodRow } from '#core/rows/day-row.ts';
import { exampleDays } from '#openapi/examples.ts';

/* The row of a period is the sum of its days. */

const dayWith = (given: Partial<CountedDay>): CountedDay => {
  const [day] = exampleDays;
  if (!day) throw new Error('There is no example day.');
  return { ...day, feeCounts: undefined, ...given };
};

test('adds up each amount and count of its days', () => {
  const ether = 10n ** 18n;
  const days = [
    dayWith({
      retryable_double_count: 3n * ether,
      execution_fees: 5n * ether,
      blob_fees: ether,
      protocol_transaction_count: 4,
    }),
    dayWith({
      retryable_double_count: 2n * ether,
      execution_fees: 7n * ether,
      blob_fees: 0n,
      protocol_transaction_count: 1,
    }),
  ];
  expect(periodRow('2025-11-17', days)).toMatchObject({
    day_count: 2,
    retryable_double_count: '5',
    execution_fees: '12',
    blob_fees: '1',
    fees: '13',
    protocol_transaction_count: 5,
    transaction_count: 2 * (days[0]?.transaction_count ?? 0),
    block_count: 2 * (days[0]?.block_count ?? 0),
  });
});
