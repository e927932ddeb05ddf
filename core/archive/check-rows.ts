import type { Chain } from '../chains/chains.ts';
import { unprovenOf } from '../chains/provable.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import { feePartNames, sumFees } from '../figures/fee-parts.ts';
import type { ArchiveRow } from './row.ts';

/** A day as the sum of its rows. */
export interface ArchiveDay extends ArchiveRow {
  readonly rows: number;
}

/** The sums of a file, and its size. Its memory grows with the days, and not with the rows. */
export interface CheckedRows {
  /** Contiguous, ascending. */
  readonly days: readonly ArchiveDay[];
  /** Rows by stratum. */
  readonly strata: ReadonlyMap<string, number>;
  readonly ranges: number;
  readonly maxBlocks: number;
  /** True if each of two or more large fees is exactly a floating-point number, which chance does once in 2^19 a fee of 22 digits. */
  readonly looksRounded: boolean;
}

export function createChecks(chain: Chain, today: UtcDay) {
  const days: ArchiveDay[] = [];
  const strata = new Map<string, number>();
  let [ranges, maxBlocks, large, rounded] = [0, 0, 0, 0];
  return {
    /** @returns why the file is refused */
    add: (row: ArchiveRow): string | undefined => {
      const before = days.at(-1);
      const problem = rowProblem(chain, today, before, row);
      if (problem !== undefined) return problem;
      if (before?.date === row.date) days[days.length - 1] = joined(before, row);
      else days.push({ ...row, rows: 1 });
      const stratum = stratumOf(chain, row);
      strata.set(stratum, (strata.get(stratum) ?? 0) + 1);
      ranges++;
      maxBlocks = Math.max(maxBlocks, row.last - row.first + 1);
      for (const name of feePartNames) {
        const fee = row.fees[name];
        if (fee <= Number.MAX_SAFE_INTEGER) continue;
        large++;
        if (BigInt(Number(fee)) === fee) rounded++;
      }
      return undefined;
    },
    end: (): CheckedRows => ({
      days,
      strata,
      ranges,
      maxBlocks,
      looksRounded: large > 1 && rounded === large,
    }),
  };
}

function rowProblem(
  chain: Chain,
  today: UtcDay,
  before: ArchiveDay | undefined,
  row: ArchiveRow,
): string | undefined {
  const { date, first, last, line } = row;
  const at = `line ${line}: ${date}`;
  if (date < chain.firstDay) return `${at}: ${chain.name} begins on ${chain.firstDay}`;
  if (date >= today) return `${at}: the day is not over (UTC)`;
  const unproven = unprovenOf(chain.rules, first);
  if (unproven) return `${at}: no audit can prove block ${first}: ${unproven.reason}`;
  if (!before) return undefined;
  if (date < before.date)
    return `${at}: it is after line ${before.line}, ${before.date}. Sort the rows by block`;
  if (date === before.date && first <= before.last)
    return `lines ${before.line} and ${line}: both have ${date}, blocks ${Math.max(first, before.first)} to ${Math.min(last, before.last)}`;
  if (date > addDays(before.date, 1))
    return `${addDays(before.date, 1)} is missing: ${before.date} ends with block ${before.last}, ${date} begins with ${first}`;
  if (first === before.last + 1) return undefined;
  return `${at}: it begins with block ${first}, but line ${before.line} ends with ${before.last}`;
}

/** Keeps the line of the last row, for messages. */
const joined = (day: ArchiveDay, row: ArchiveRow): ArchiveDay => ({
  ...row,
  first: day.first,
  firstHash: day.firstHash,
  transactions: day.transactions + row.transactions,
  protocolTransactions: day.protocolTransactions + row.protocolTransactions,
  fees: sumFees([day.fees, row.fees]),
  rows: day.rows + 1,
});

/** Returns the year and the rules of a range. A wrong rule spoils nearly all of a stratum, so that few draws find it. */
export function stratumOf({ rules }: Chain, { date, first }: Pick<ArchiveRow, 'date' | 'first'>): string {
  const year = date.slice(0, 4);
  if (rules.family === 'polygon')
    return `${year} ${first < rules.stateSyncTypeFrom ? 'before' : 'after'} state-sync type`;
  const forks = forkTimes(rules).filter((time) => startOfDay(date) >= time).length;
  return `${year} era ${forks}`;
}

function forkTimes(rules: Chain['rules']): readonly number[] {
  if ('blobSchedule' in rules) return rules.blobSchedule.map(({ from }) => from);
  if (rules.family !== 'op-stack') return [];
  const { canyonTime, ecotoneTime, fjordTime, isthmusTime, jovianTime } = rules;
  return [canyonTime, ecotoneTime, fjordTime, isthmusTime, jovianTime];
}
