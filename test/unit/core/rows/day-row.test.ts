import { type CountedDay, dayRow, periodRow } from '#core/rows/day-row.ts';
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

test('begins with the first block of its days, and ends with the last one', () => {
  const block = (number: number) => ({ number, hash: `0x${number}` });
  const days = [
    dayWith({ first_block: undefined, last_block: block(4) }),
    dayWith({ first_block: block(5), last_block: block(7) }),
    dayWith({ first_block: block(8), last_block: block(9) }),
  ];
  expect(periodRow('2025-11-17', days)).toMatchObject({ first_block: block(5), last_block: block(9) });
});

test('base fees are the execution fees less the priority fees, and unknown if a day does not state these', () => {
  const day = dayWith({ execution_fees: 7n, priority_fees: 3n, failed_transaction_count: 2n });
  const wei = (amount: number) => `0.00000000000000000${amount}`;
  expect(periodRow('2025-11-17', [day])).toMatchObject({
    base_fees: wei(4),
    priority_fees: wei(3),
    failed_transaction_count: 2,
  });
  const unknown = { ...day, priority_fees: undefined, failed_transaction_count: undefined };
  const { base_fees, priority_fees, failed_transaction_count } = periodRow('2025-11-17', [day, unknown]);
  expect([base_fees, priority_fees, failed_transaction_count]).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['the lowest of its days', [3, 2, 4], 2],
  ['unknown if the first day has none', [undefined, 2], undefined],
  ['unknown if a later day has none', [2, undefined, 3], undefined],
])('the version of its measures and of its typical fees is %s', (_, versions, lowest) => {
  const days = versions.map((one) => dayWith({ measures_version: one, distribution_version: one }));
  const { measures_version, distribution_version } = periodRow('2025-11-17', days);
  expect([measures_version, distribution_version]).toEqual([lowest, lowest]);
});

test('is the latest revision, at the latest time, of the earliest definition', () => {
  const days = [
    dayWith({ definition_version: 2, revision: 1, ingested_at: '2025-11-18T00:16:31.2Z' }),
    dayWith({ definition_version: 1, revision: 3, ingested_at: '2025-11-18T00:16:31.204Z' }),
    dayWith({ definition_version: 2, revision: 2, ingested_at: '2025-11-18T00:16:31Z' }),
  ];
  expect(periodRow('2025-11-17', days)).toMatchObject({
    ...{ definition_version: 1, revision: 3, ingested_at: '2025-11-18T00:16:31.204Z' },
  });
});

describe('the dollars of a period', () => {
  const price = { first: '1', last: '2', updates: 3, aggregator: '0xa', evidence: 'proven' } as const;
  const dollars = (...days: readonly Partial<CountedDay>[]) => {
    const { fees_usd, price } = periodRow('2025-11-17', days.map(dayWith));
    return { fees_usd, price };
  };
  const priced = { fees_usd: '1.5', price };

  test('are the sum of its days, between the first and the last price', () => {
    const next = { fees_usd: '2', price: { ...price, first: '3', last: '4', updates: 5 } };
    expect(dollars(priced, next)).toEqual({
      fees_usd: '3.5',
      price: { ...price, first: '1', last: '4', updates: 8 },
    });
  });

  test('have an aggregator and proven prices only if all days do', () => {
    const other = { ...priced, price: { ...price, aggregator: '0xb', evidence: 'reported' } as const };
    expect(dollars(priced, other).price).toMatchObject({ aggregator: undefined, evidence: 'reported' });
    expect(dollars(other, other).price).toMatchObject({ aggregator: '0xb', evidence: 'reported' });
  });

  test.each([
    ['dollars', { fees_usd: undefined, price }],
    ['a price', { fees_usd: '2', price: undefined }],
  ])('are unknown if a day has no %s', (_, day) => {
    expect(dollars(priced, day)).toEqual({ fees_usd: undefined, price: undefined });
  });
});

test('the transactions of users are those that are not of the protocol', () => {
  const days = [dayWith({ transaction_count: 10, protocol_transaction_count: 4 })];
  expect(periodRow('2025-11-17', days)).toMatchObject({ user_transaction_count: 6 });
});

test('typical fees are known only if all days have their distributions', () => {
  const counted = dayWith({ feeCounts: new Map([[812, 3]]) });
  expect(periodRow('2025-11-17', [counted, counted]).median_fee).toBeDefined();
  expect(periodRow('2025-11-17', [counted, dayWith({})]).median_fee).toBeUndefined();
});

test('a day has restatements only if it was restated', () => {
  const old = { ...dayWith({}), revision: 1, reason: 'a node lied', restated_at: '2025-11-20T08:00:00Z' };
  expect(dayRow(dayWith({ restated: [old] })).restatements).toMatchObject([
    { revision: 1, reason: 'a node lied' },
  ]);
  for (const restated of [[], undefined])
    expect(dayRow(dayWith({ restated }))).not.toHaveProperty('restatements');
});
