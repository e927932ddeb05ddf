import type { ChainName } from '../../core/chains/chains.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayRow } from '../data/rows.ts';
import type { Find } from '../data/use-days.ts';
import { type Amount, changeFrom, sumAmounts } from '../model/amounts.ts';
import { eventsBetween } from '../model/events.ts';
import { amountOf, averageFeeOf } from '../model/figures.ts';
import { chosenDays } from '../model/queries.ts';

/** The fees of a day, and the two factors that they are the product of. */
export type Factors = NonNullable<ReturnType<typeof compare>>;

/** The reasons that may explain a day: its factors, the other chains, and upgrades nearby. */
export type Reasons = ReturnType<typeof reasonsOf>;

/** Days before the day in which an upgrade may have moved its figures. */
const NEARBY = 7;

/** Compares a day with the 30 days before it, on its chain and others. @param daysOf undefined before they are loaded */
export function reasonsOf(
  chain: ChainName,
  date: UtcDay,
  chains: readonly ChainName[],
  daysOf: (chain: ChainName) => ReturnType<Find>,
) {
  const factorsOf = (name: ChainName) => {
    const days = daysOf(name);
    return days && 'rows' in days ? compare(days.rows, date) : undefined;
  };
  return {
    factors: factorsOf(chain),
    others: chains.flatMap((name) => {
      const other = name === chain ? undefined : factorsOf(name);
      return other ? [{ chain: name, change: other.fees.change }] : [];
    }),
    events: eventsBetween([chain], addDays(date, -NEARBY), date),
  };
}

/**
 * Compares with all days before together: the means of fees and transactions, and the fees of all days for each of their transactions.
 * Thereby, the changes multiply as the figures do, which those against three medians would not.
 * @returns undefined where the day lacks the figures
 */
function compare(rows: readonly DayRow[], date: UtcDay) {
  const known = rows.flatMap((row) => {
    const [fees, transactions] = [amountOf(row, 'fees'), amountOf(row, 'user_transaction_count')];
    const averageFee = averageFeeOf(row);
    return fees === undefined || transactions === undefined || averageFee === undefined
      ? []
      : [{ date: row.date, fees, transactions, averageFee }];
  });
  const day = known.find((one) => one.date === date);
  if (!day) return undefined;
  const { start_date } = chosenDays(date);
  const before = known.filter((one) => one.date >= start_date && one.date < date);
  const count = BigInt(before.length);
  const fees = sumAmounts(before.map((one) => one.fees));
  const transactions = sumAmounts(before.map((one) => one.transactions));
  /** Against `before / count`, without rounding it. A change is a fraction, and undefined against 0 or nothing. */
  const against = (amount: Amount, sum: Amount) => ({
    amount,
    change: count === 0n ? undefined : changeFrom(sum, amount * count),
  });
  return {
    fees: against(day.fees, fees),
    /** Those of users, who pay the fees. */
    transactions: against(day.transactions, transactions),
    averageFee: {
      amount: day.averageFee,
      change: changeFrom(fees * day.transactions, day.fees * transactions),
    },
    /** The rank of the fees among those of the day and the days before it, from 1 for the highest. */
    place: before.filter((one) => one.fees > day.fees).length + 1,
    /** Days that it is compared with, which have the figures. */
    days: before.length,
  };
}

/** Says how many of the days before had higher fees. */
export function rankText({ place, days }: Pick<Factors, 'place' | 'days'>): string {
  if (days === 0) return 'None of the 30 days before has a final figure to compare with.';
  if (days === 1)
    return `The only day with figures among the 30 before had ${place === 1 ? 'no higher' : 'higher'} fees.`;
  const of = days === 30 ? 'the 30 days before' : `the ${days} days with figures among the 30 before`;
  const higher = place === 1 ? 'None' : place === days + 1 ? 'Each' : place - 1;
  return `${higher} of ${of} had higher fees.`;
}
