import type { Chain } from '../chains/chains.ts';
import { unprovenOf } from '../chains/provable.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import { addTotals } from '../figures/totals.ts';
import type { ArchiveRow } from './row.ts';

/** Returns why a file with this row is refused. @param before the row before it */
export function rowProblem(
  chain: Chain,
  today: UtcDay,
  before: ArchiveRow | undefined,
  { date, first, line }: ArchiveRow,
): string | undefined {
  const at = `line ${line}, ${date}`;
  if (date < chain.firstDay) return `${at}: ${chain.name} begins on ${chain.firstDay}`;
  if (date >= today) return `${at}: the day is not over (UTC)`;
  const unproven = unprovenOf(chain.rules, first);
  if (unproven) return `${at}: no audit can prove block ${first}: ${unproven.reason}`;
  if (!before) return undefined;
  const next = addDays(before.date, 1);
  if (first === before.last + 1 && (date === before.date || date === next)) return undefined;
  return `lines ${before.line} and ${line}: block ${before.last} of ${before.date} must be followed by the next block, of that day or of ${next}, but block ${first} of ${date} follows`;
}

/** Returns each day as the sum of its rows. */
export const daysOf = (rows: readonly ArchiveRow[]): ArchiveRow[] =>
  [...Map.groupBy(rows, ({ date }) => date).values()].map((ranges) => {
    const [{ first, firstHash }, last] = [ranges[0], ranges.at(-1)] as [ArchiveRow, ArchiveRow];
    return { ...last, first, firstHash, totals: ranges.map(({ totals }) => totals).reduce(addTotals) };
  });

/** Returns whether each of two or more large fees is exactly a floating-point number, which chance does once in 2^19 a fee of 22 digits. */
export function looksRounded(rows: readonly ArchiveRow[]): boolean {
  const isLarge = (fee: bigint) => fee > Number.MAX_SAFE_INTEGER;
  const large = rows.flatMap(({ totals }) => Object.values(totals.fees).filter(isLarge));
  return large.length > 1 && large.every((fee) => BigInt(Number(fee)) === fee);
}

/** Returns the year and the rules of a range. A wrong rule spoils nearly all of a stratum, so that few draws find it. */
export function stratumOf({ rules }: Chain, { date, first }: Pick<ArchiveRow, 'date' | 'first'>): string {
  const year = date.slice(0, 4);
  if (rules.family === 'polygon')
    return `${year} ${first < rules.stateSyncTypeFrom ? 'before' : 'after'} state-sync type`;
  return `${year} era ${forkTimesOf(rules).filter((time) => startOfDay(date) >= time).length}`;
}

function forkTimesOf(rules: Chain['rules']): readonly number[] {
  if ('blobSchedule' in rules) return rules.blobSchedule.map(({ from }) => from);
  if (rules.family !== 'op-stack') return [];
  return [rules.canyonTime, rules.ecotoneTime, rules.fjordTime, rules.isthmusTime, rules.jovianTime];
}
