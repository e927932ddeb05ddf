import type { ChainName } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/day-rows.ts';
import { reasonsOf } from '#web/day/why-day.ts';
import { countAmount, parseAmount } from '#web/model/amounts.ts';

const DATE = '2026-11-10';

/** Days up to a date with fees from 1 coin on, and the last with those that are given. */
const daysWith = (fees: string, count = 31) => ({
  dataThrough: DATE,
  rows: Array.from({ length: count }, (_, index) =>
    dayRow(addDays(DATE, index + 1 - count), {
      fees: index === count - 1 ? fees : String(index + 1),
      user_transaction_count: 100,
    }),
  ),
});

const whyOf = (of: Partial<Record<ChainName, ReturnType<typeof daysWith>>>) =>
  reasonsOf('BASE', DATE, ['BASE', 'ETHEREUM'], (chain) => of[chain]);

test('compares a day with the median of the 30 days before, and ranks it among them', () => {
  const { fees, transactions, averageFee } = whyOf({ BASE: daysWith('31') });
  expect(fees).toEqual({ amount: parseAmount('31'), change: 1, place: 1, days: 30 });
  expect(transactions).toMatchObject({ amount: countAmount(100), change: 0, days: 30 });
  // 31 coins of 100 transactions.
  expect(averageFee).toMatchObject({ amount: parseAmount('0.31'), change: 1 });
});

test('counts only days that have a figure', () => {
  expect(whyOf({ BASE: daysWith('2', 4) }).fees).toEqual({
    amount: parseAmount('2'),
    change: 0,
    place: 2,
    days: 3,
  });
  expect(whyOf({ BASE: daysWith('2', 1) }).fees).toMatchObject({ change: undefined, place: 1, days: 0 });
});

test('has nothing to say before a chain is loaded, or on a day without a figure', () => {
  expect(whyOf({}).fees).toBeUndefined();
  const before = daysWith('2');
  expect(whyOf({ BASE: { ...before, rows: before.rows.slice(0, -1) } }).fees).toBeUndefined();
});

test('compares the other chains each with its own median', () => {
  expect(whyOf({ BASE: daysWith('2'), ETHEREUM: daysWith('31') }).others).toEqual([
    { chain: 'ETHEREUM', change: 1 },
  ]);
  expect(whyOf({ BASE: daysWith('2') }).others).toEqual([]);
});

test('names upgrades of the chain at most a week away', () => {
  expect(whyOf({ BASE: daysWith('2') }).events.map(({ name }) => name)).toEqual(['Denim']);
});
