import { createHash } from 'node:crypto';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, countDays, earlier, later, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { type DayFigures, figuresOf, type StoredDay } from '../../lambda/store/day-item.ts';
import { readStoredDays } from '../../lambda/store/stored-days.ts';
import type { Table } from '../../lambda/store/table.ts';
import { toRow } from '../day-files/day-row.ts';

/** The part of a day that an import keeps in memory: enough to compare it with the table and with adjacent days. */
export interface DayDigest {
  readonly chain: ChainName;
  readonly figures: DayFigures;
  readonly revision: number;
  /** Hash of the whole item. */
  readonly fingerprint: string;
}

/** A day of the file. */
export interface FileDay extends DayDigest {
  readonly line: number;
}

export type DigestIndex = ReadonlyMap<string, DayDigest>;

export const dayId = (chain: ChainName, day: UtcDay): string => `${chain} ${day}`;

export const indexByDay = <Day extends DayDigest>(days: readonly Day[]): ReadonlyMap<string, Day> =>
  new Map(days.map((day) => [dayId(day.chain, day.figures.day), day]));

export const digestOf = (day: StoredDay): DayDigest => ({
  chain: day.chain,
  figures: figuresOf(day),
  revision: day.revision,
  fingerprint: fingerprintOf(day),
});

export const fingerprintOf = (day: StoredDay): string =>
  createHash('sha256')
    .update(JSON.stringify(toRow(day)))
    .digest('base64');

/**
 * Reads what the table stores of these days and of the days next to them.
 * @param onDay receives the share done, 0 to 1, and the number of days read
 * @throws AbortError when `signal` aborts
 */
export async function readStoredDigests(
  table: Table,
  days: readonly DayDigest[],
  { signal, onDay }: { readonly signal: AbortSignal; readonly onDay: (share: number, days: number) => void },
): Promise<DigestIndex> {
  const spans = spansAround(days);
  const expected = spans.reduce((sum, { first, last }) => sum + countDays(first, last), 0);
  const found: DayDigest[] = [];
  for (const { chain, first, last } of spans) {
    for await (const day of readStoredDays(chainStore(table, chain), first, last)) {
      signal.throwIfAborted();
      found.push(digestOf(day));
      onDay(found.length / expected, found.length);
    }
  }
  return indexByDay(found);
}

/** Returns one span per chain, from the day before its first to the day after its last. */
function spansAround(days: readonly DayDigest[]) {
  const byChain = Map.groupBy(days, ({ chain }) => chain);
  return [...byChain].map(([chain, chainDays]) => {
    const dates = chainDays.map(({ figures }) => figures.day);
    return { chain, first: addDays(dates.reduce(earlier), -1), last: addDays(dates.reduce(later), 1) };
  });
}
