import type { Finality } from '../figures/block.ts';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import {
  type DayDetails,
  type DayFigures,
  DEFINITION_VERSION,
  type Provenance,
  type Restatement,
} from '../figures/day-figures.ts';
import type { DayProgress } from '../figures/progress.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import {
  describeBlock,
  describeChanges,
  describeStart,
  isContiguous,
} from '../store/days/compare-figures.ts';
import { getDay, queryStoredDays } from '../store/days/days.ts';
import { isUpToDate, replaceDay } from '../store/days/restatements.ts';
import { putDay } from '../store/days/write-day.ts';
import type { ChainStore } from '../store/table/table.ts';
import { proveArchivedDay } from './prove-archived.ts';
import { type Conflict, conflict } from './undo.ts';

/** A day of which every block is counted and canonical. */
export interface CompleteDay {
  readonly progress: DayProgress;
  /** The reason why the block after it is final, or the day that continues it. */
  readonly finality: Finality;
  /** True when no hash fixes the time of the block before the day. */
  readonly isStartChecked?: boolean;
}

/**
 * Publishes a complete day. Idempotent: its figures follow from its blocks alone.
 * @param now milliseconds since 1970
 * @returns a conflict when the day is final with other figures, or is not contiguous with the days around it
 */
export async function publishDay(
  store: ChainStore,
  complete: CompleteDay,
  now: number,
): Promise<Conflict | undefined> {
  const { figures, provenance, details } = itemOf(store, complete, now);
  const before = await daysAround(store, figures.day);
  const gap = contiguityProblem(store, figures, before);
  if (gap) return gap;
  // A stored day is not written: that would send its event again, and give its details to the figures of an archive.
  // A neighbor that another run published meanwhile was not visible before: the later of the two sees the other now.
  if (!before.isStored && (await putDay(store, figures, provenance, details)))
    return contiguityProblem(store, figures, await daysAround(store, figures.day));
  const archived = before.day ? 'none' : await proveArchivedDay(store, figures, provenance, details, now);
  if (archived !== 'none') return archived === 'replaced' ? undefined : archived;
  const stored = before.day ?? (await getDay(store, figures.day));
  return differenceFrom(store, stored, figures, provenance);
}

function differenceFrom(
  { chain }: ChainStore,
  stored: DayFigures | undefined,
  figures: DayFigures,
  { hosts }: Provenance,
): Conflict | undefined {
  const changes = stored ? describeChanges(stored, figures) : 'the stored day was deleted';
  if (changes === '') return undefined;
  return conflict(
    figures.day,
    `${chain} ${figures.day} is final with other figures than its blocks give now (stored → read from ` +
      `${hosts.join(', ')}): ${changes}. ` +
      'The stored figures stay. Run verify for this day, and restate it if it is wrong.',
  );
}

/**
 * Replaces the figures of a final day. The old ones are kept beside them.
 * @returns `unchanged` when the day has these figures already, `overtaken` when another run replaced them since
 */
export async function republishDay(
  store: ChainStore,
  complete: CompleteDay,
  restatement: Restatement,
  now: number,
): Promise<'replaced' | 'unchanged' | 'overtaken'> {
  const { figures, provenance, details } = itemOf(store, complete, now);
  if (await isUpToDate(store, figures, provenance)) return 'unchanged';
  return (await replaceDay(store, figures, provenance, restatement, details)) ? 'replaced' : 'overtaken';
}

/** Returns a day and its neighbors, where they are final, and whether the day itself is final or archived. */
async function daysAround(store: ChainStore, day: UtcDay) {
  const days = await queryStoredDays(store, addDays(day, -1), addDays(day, 1));
  const final = days.filter(({ evidence }) => evidence !== 'archived').map(({ figures }) => figures);
  const at = (distance: number) => final.find((figures) => figures.day === addDays(day, distance));
  const isStored = days.some(({ figures }) => figures.day === day);
  return { isStored, before: at(-1), day: at(0), after: at(1) };
}

function contiguityProblem(
  store: ChainStore,
  figures: DayFigures,
  { before, after }: Awaited<ReturnType<typeof daysAround>>,
): Conflict | undefined {
  const pairs = [
    ...(before ? [[before, figures] as const] : []),
    ...(after ? [[figures, after] as const] : []),
  ];
  const gap = pairs.find(([one, other]) => !isContiguous(one, other));
  if (!gap) return undefined;
  const [one, other] = gap;
  return conflict(
    one.day,
    `${store.chain} ${one.day} and ${other.day} are not contiguous: ${one.day} ends with block ${describeBlock(one.last)}; ` +
      `${describeStart(other)}. Verify both days and restate the wrong one, the later day first.`,
  );
}

function itemOf(
  { chain }: ChainStore,
  { progress, finality, isStartChecked }: CompleteDay,
  now: number,
): { figures: DayFigures; provenance: Provenance; details: DayDetails } {
  const { day, totals, hours, feeCounts, dollars, provenBlocks, parentHash, first, last, hosts } = progress;
  if (!last) throw new Error(`${chain} has no block at or before ${day}, so that day has no figures`);
  return {
    figures: {
      day,
      totals,
      parentHash,
      first,
      last: { number: last.number, hash: last.hash },
      definitionVersion: DEFINITION_VERSION,
    },
    provenance: {
      softwareVersion: SOFTWARE_VERSION,
      ingestedAt: new Date(now),
      hosts,
      evidence: provenBlocks === totals.blocks && !isStartChecked ? 'proven' : 'checked',
      provenBlocks,
      finality,
    },
    details: { hours, feeCounts, dollars },
  };
}
