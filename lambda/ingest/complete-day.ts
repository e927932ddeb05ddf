import { isDeepStrictEqual } from 'node:util';
import type { BlockRef } from '../chains/block.ts';
import { DEFINITION_VERSION } from '../chains/definition.ts';
import { addDays, type UtcDay } from '../chains/utc-day.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Progress, Restatement } from '../store/checkpoint-item.ts';
import { describeBlock, describeChanges } from '../store/compare-figures.ts';
import type { DayFigures, Provenance } from '../store/day-item.ts';
import { getDay, putDay, queryDays } from '../store/days.ts';
import { replaceDay } from '../store/restatements.ts';
import { type Conflict, conflict } from './outcomes.ts';

/** A day of which every block is counted. */
export interface CompleteDay {
  readonly progress: Progress;
  /** The first block of a later day. */
  readonly next: BlockRef;
  /** Hosts of the endpoints that agree on the day's last hash, sorted. */
  readonly confirmedBy: readonly string[];
}

/**
 * Publishes a complete day. Idempotent: its figures follow from its blocks alone.
 * @param now milliseconds since 1970
 * @returns a conflict when the day is final with other figures, or not contiguous with the days around it
 */
export async function publishDay(
  store: ChainStore,
  complete: CompleteDay,
  now: number,
): Promise<Conflict | undefined> {
  const { figures, provenance } = itemOf(store, complete, now);
  const before = await daysAround(store, figures.day);
  const gap = contiguityProblem(store, figures, complete.next, before);
  if (gap) return gap;
  // A day that is final is not written: that would send its event again, perhaps after that of a later revision.
  // A neighbor that another run published meanwhile was not visible before: the later of the two sees the other now.
  if (!before.day && (await putDay(store, figures, provenance)))
    return contiguityProblem(store, figures, complete.next, await daysAround(store, figures.day));
  const stored = before.day ?? (await getDay(store, figures.day));
  if (isDeepStrictEqual(stored, figures)) return undefined;
  const changes = stored ? describeChanges(stored, figures) : 'the stored day was deleted';
  return conflict(
    `${store.chain} ${figures.day} is final with other figures than its blocks give now (stored → read from ` +
      `${provenance.hosts.join(', ')}): ${changes}. ` +
      'The stored figures stay. Run verify for this day, and restate it if it is wrong.',
  );
}

/** Replaces the figures of a final day. The old ones are kept beside them. */
export async function republishDay(
  store: ChainStore,
  complete: CompleteDay,
  restatement: Restatement,
  now: number,
): Promise<void> {
  const { figures, provenance } = itemOf(store, complete, now);
  await replaceDay(store, figures, provenance, restatement);
}

/** A day and its neighbors, where they are final. */
interface DaysAround {
  readonly before: DayFigures | undefined;
  readonly day: DayFigures | undefined;
  readonly after: DayFigures | undefined;
}

async function daysAround(store: ChainStore, day: UtcDay): Promise<DaysAround> {
  const days = await queryDays(store, addDays(day, -1), addDays(day, 1));
  const at = (distance: number) => days.find((one) => one.day === addDays(day, distance));
  return { before: at(-1), day: at(0), after: at(1) };
}

/** A day's blocks continue those of the day before and end where those of the day after begin. */
function contiguityProblem(
  store: ChainStore,
  figures: DayFigures,
  next: BlockRef,
  { before, after }: DaysAround,
): Conflict | undefined {
  const { day, last } = figures;
  // The block after a day is known of the day that was just read.
  const end = (one: DayFigures) => {
    const follower = one.day === day ? `, followed by ${describeBlock(next)}` : '';
    return `${one.day} ends with block ${describeBlock(one.last)}${follower}`;
  };
  const gap = (one: DayFigures, other: DayFigures) =>
    conflict(
      `${store.chain} ${one.day} and ${other.day} are not contiguous: ${end(one)}; ${describeStart(other)}. ` +
        'Verify both days and restate the wrong one.',
    );
  if (before && !isContiguous(before, figures)) return gap(before, figures);
  const continues = ({ first, last: end }: DayFigures) =>
    first ? isSameBlock(first, next) : isSameBlock(end, last);
  return after && !continues(after) ? gap(figures, after) : undefined;
}

const describeStart = ({ day, first, last }: DayFigures) =>
  first ? `${day} begins with ${describeBlock(first)}` : `${day} has no blocks after ${describeBlock(last)}`;

/** Returns whether a day continues the day before; a day without blocks ends with the same block. */
export const isContiguous = (before: DayFigures, { first, last }: DayFigures): boolean =>
  first ? first.number === before.last.number + 1 : isSameBlock(last, before.last);

const isSameBlock = (a: BlockRef, b: BlockRef) => a.number === b.number && a.hash === b.hash;

function itemOf(
  { chain }: ChainStore,
  { progress: { day, totals, provenBlocks, first, last, hosts }, confirmedBy }: CompleteDay,
  now: number,
): { figures: DayFigures; provenance: Provenance } {
  if (!last) throw new Error(`${chain} has no block at or before ${day}, so that day has no figures`);
  return {
    figures: {
      day,
      totals,
      first,
      last: { number: last.number, hash: last.hash },
      definitionVersion: DEFINITION_VERSION,
    },
    provenance: {
      softwareVersion: SOFTWARE_VERSION,
      ingestedAt: new Date(now),
      hosts,
      evidence: provenBlocks === totals.blocks ? 'proven' : 'checked',
      provenBlocks,
      confirmedBy,
    },
  };
}
