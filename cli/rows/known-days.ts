import { createHash } from 'node:crypto';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, countDays, earlier, later, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { figuresOf, readStoredDays, type StoredDay } from '../../lambda/store/stored-days.ts';
import type { Table } from '../../lambda/store/table.ts';
import { type DayIndex, indexOf, type KnownDay } from './check-file.ts';
import { toRow } from './row.ts';

/* What an import keeps in memory: of each day enough to judge it, and no more. */

/** What must be known of a day to judge it and those around it. */
export const knownDay = (day: StoredDay): KnownDay => ({
  chain: day.chain,
  figures: figuresOf(day),
  revision: day.revision,
  fingerprint: fingerprintOf(day),
});

/** The same for two days that are stored the same, whatever they were read from. */
export const fingerprintOf = (day: StoredDay): string =>
  createHash('sha256')
    .update(JSON.stringify(toRow(day)))
    .digest('base64');

/**
 * What is stored of these days, and of those next to them.
 * @param signal ends it between two days
 * @param onDay is told how far it is, 0 to 1, and how many days it has read
 * @throws AbortError when `signal` aborts
 */
export async function readKnownDays(
  table: Table,
  days: readonly KnownDay[],
  { signal, onDay }: { readonly signal: AbortSignal; readonly onDay: (share: number, days: number) => void },
): Promise<DayIndex> {
  const spans = spansOf(days);
  const expected = spans.reduce((sum, { first, last }) => sum + countDays(first, last), 0);
  const found: KnownDay[] = [];
  for (const { chain, first, last } of spans) {
    for await (const day of readStoredDays(chainStore(table, chain), first, last)) {
      signal.throwIfAborted();
      found.push(knownDay(day));
      onDay(found.length / expected, found.length);
    }
  }
  return indexOf(found);
}

interface Span {
  readonly chain: ChainName;
  readonly first: UtcDay;
  readonly last: UtcDay;
}

/** For each chain from the day before its first to the day after its last. */
function spansOf(days: readonly KnownDay[]): readonly Span[] {
  const spans = new Map<ChainName, Span>();
  for (const { chain, figures } of days) {
    const before = spans.get(chain);
    const [first, last] = [addDays(figures.day, -1), addDays(figures.day, 1)];
    spans.set(chain, {
      chain,
      first: earlier(before?.first ?? first, first),
      last: later(before?.last ?? last, last),
    });
  }
  return [...spans.values()];
}
