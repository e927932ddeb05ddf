import type { ChainName } from '../../core/chains/chains.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { ApiError, ChainDays, DayRow } from '../data/api-client.ts';
import { type Amount, changeFrom } from '../model/amounts.ts';
import { type ChainEvent, eventsBetween } from '../model/events.ts';
import { amountOf, type Figure } from '../model/figures.ts';
import { chosenDays } from '../model/queries.ts';

/** One figure of a day, against those of the days before it. */
export interface Against {
  readonly amount: Amount;
  /** Change against the median as a fraction; undefined where that is 0 or unknown. */
  readonly change: number | undefined;
  /** Place among the day and the days before it, from 1 for the highest. */
  readonly place: number;
  /** Days that it is compared with, which have the figure. */
  readonly days: number;
}

/** The reasons that may explain a day: its figures against those of the 30 days before, the other chains, and upgrades nearby. */
export interface Reasons {
  readonly fees: Against | undefined;
  /** Of the figures below, their product is `fees`. */
  readonly transactions: Against | undefined;
  readonly averageFee: Against | undefined;
  readonly others: readonly { readonly chain: ChainName; readonly change: number | undefined }[];
  readonly events: readonly ChainEvent[];
}

/** Days before and after the day in which an upgrade may have moved its figures. */
const NEARBY = 7;

/**
 * Compares a day with the 30 days before it.
 * @param daysOf days of a chain around the day, or undefined before they are loaded
 * @param chains those to compare with
 */
export function reasonsOf(
  chain: ChainName,
  date: UtcDay,
  chains: readonly ChainName[],
  daysOf: (chain: ChainName) => ChainDays | ApiError | undefined,
): Reasons {
  const against = (name: ChainName, of: (row: DayRow) => Amount | undefined) => {
    const days = daysOf(name);
    return days && 'rows' in days ? compare(days.rows, date, of) : undefined;
  };
  return {
    fees: against(chain, figureOf('fees')),
    transactions: against(chain, figureOf('user_transaction_count')),
    averageFee: against(chain, (row) => averageFeeOf(row)),
    others: chains
      .filter((name) => name !== chain)
      .flatMap((name) => {
        const other = against(name, figureOf('fees'));
        return other ? [{ chain: name, change: other.change }] : [];
      }),
    events: eventsBetween([chain], addDays(date, -NEARBY), addDays(date, NEARBY)),
  };
}

const figureOf = (figure: Figure) => (row: DayRow) => amountOf(row, figure);

/** Returns the fees of a day per transaction of users, who pay them; undefined where there is none. */
export const averageFeeOf = (row: DayRow, figure: 'fees' | 'fees_usd' = 'fees'): Amount | undefined => {
  const { user_transaction_count } = row;
  const fees = amountOf(row, figure);
  return fees === undefined || user_transaction_count === 0
    ? undefined
    : fees / BigInt(user_transaction_count);
};

/** Returns undefined where the day lacks the figure. */
function compare(
  rows: readonly DayRow[],
  date: UtcDay,
  of: (row: DayRow) => Amount | undefined,
): Against | undefined {
  const { start_date } = chosenDays(date);
  const row = rows.find((one) => one.date === date);
  const amount = row && of(row);
  if (amount === undefined) return undefined;
  const before = rows
    .filter((one) => one.date >= start_date && one.date < date)
    .map(of)
    .filter((one) => one !== undefined)
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const median = medianOf(before);
  return {
    amount,
    change: median === undefined ? undefined : changeFrom(median, amount),
    place: before.filter((one) => one > amount).length + 1,
    days: before.length,
  };
}

/** @param sorted ascending */
function medianOf(sorted: readonly Amount[]): Amount | undefined {
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return low === undefined || high === undefined ? undefined : (low + high) / 2n;
}
