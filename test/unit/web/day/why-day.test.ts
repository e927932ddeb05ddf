import fc from 'fast-check';
import type { ChainName } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { rankText, reasonsOf } from '#web/day/why-day.ts';
import { countAmount, parseAmount } from '#web/model/amounts.ts';

const DATE = '2026-11-10';

/** Days up to a date with fees from 1 coin on, and the last with those that are given. */
const daysWith = (fees: string, count = 31) => ({
  rows: Array.from({ length: count }, (_, index) =>
    dayRow(addDays(DATE, index + 1 - count), {
      fees: index === count - 1 ? fees : String(index + 1),
      user_transaction_count: 100,
    }),
  ),
});

const whyOf = (of: Partial<Record<ChainName, ReturnType<typeof daysWith>>>) =>
  reasonsOf('BASE', DATE, ['BASE', 'ETHEREUM'], (chain) => of[chain]);

test('compares a day with the mean of the 30 days before, and ranks it among them', () => {
  // The days before have 1 to 30 coins: 15.5 in the mean.
  const { factors } = whyOf({ BASE: daysWith('31') });
  expect(factors).toMatchObject({ place: 1, days: 30, fees: { amount: parseAmount('31'), change: 1 } });
  expect(factors?.transactions).toEqual({ amount: countAmount(100), change: 0 });
  // 31 coins of 100 transactions.
  expect(factors?.averageFee).toEqual({ amount: parseAmount('0.31'), change: 1 });
});

test('the changes multiply as the figures do', () => {
  const figures = fc.record({
    fees: fc.integer({ min: 1, max: 1e9 }),
    count: fc.integer({ min: 1, max: 1e6 }),
  });
  fc.assert(
    fc.property(fc.array(figures, { minLength: 2, maxLength: 31, size: 'max' }), (days) => {
      const rows = days.map(({ fees, count }, ago) =>
        dayRow(addDays(DATE, -ago), { fees: String(fees), user_transaction_count: count }),
      );
      const { factors } = whyOf({ BASE: { rows } });
      const [fees = 0, transactions = 0, averageFee = 0] = [
        factors?.fees,
        factors?.transactions,
        factors?.averageFee,
      ].map((one) => 1 + (one?.change ?? 0));
      // Changes are rounded to a millionth.
      expect(Math.abs(transactions * averageFee - fees)).toBeLessThan(1e-5 * (1 + transactions + averageFee));
    }),
  );
});

test('counts only days that have a figure', () => {
  expect(whyOf({ BASE: daysWith('2', 4) }).factors).toMatchObject({ fees: { change: 0 }, place: 2, days: 3 });
  expect(whyOf({ BASE: daysWith('2', 1) }).factors).toMatchObject({
    fees: { change: undefined },
    place: 1,
    days: 0,
  });
});

test('says how many days before had higher fees, in the singular for one', () => {
  expect(rankText({ place: 1, days: 1 })).toMatch(/^The only day .* had no higher fees\.$/);
  expect(rankText({ place: 2, days: 1 })).toMatch(/^The only day .* had higher fees\.$/);
  expect(rankText({ place: 4, days: 3 })).toMatch(/^Each of the 3 days .* had higher fees\.$/);
});

test('has nothing to say before a chain is loaded, or on a day without a figure', () => {
  expect(whyOf({}).factors).toBeUndefined();
  const before = daysWith('2');
  expect(whyOf({ BASE: { ...before, rows: before.rows.slice(0, -1) } }).factors).toBeUndefined();
});

test('compares the other chains each with its own mean', () => {
  expect(whyOf({ BASE: daysWith('2'), ETHEREUM: daysWith('31') }).others).toEqual([
    { chain: 'ETHEREUM', change: 1 },
  ]);
  expect(whyOf({ BASE: daysWith('2') }).others).toEqual([]);
});

test('names upgrades of the chain at most a week away', () => {
  expect(whyOf({ BASE: daysWith('2') }).events.map(({ name }) => name)).toEqual(['Denim']);
});
