import { RULES_KNOWN_UNTIL } from '../chains/fork-times.ts';
import type { Finality } from '../figures/block.ts';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import {
  type DayFigures,
  DEFINITION_VERSION,
  type Provenance,
  type Restatement,
} from '../figures/day-figures.ts';
import type { DayProgress } from '../figures/progress.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import { saveConflict } from '../store/chain/conflicts.ts';
import { deleteCheckpoint } from '../store/days/checkpoints.ts';
import { describeChanges } from '../store/days/compare-figures.ts';
import { getDay, queryStoredDays } from '../store/days/days.ts';
import { isUpToDate, putDay, replaceDay, restatementState } from '../store/days/write-day.ts';
import type { ChainStore } from '../store/table/table.ts';
import { conflict, type DayRun, type RunOutcome } from './day-run.ts';
import { proveArchivedDay } from './prove-archived.ts';
import { completeRestatement, gapBetween } from './reconcile.ts';
import { checkStart } from './undo.ts';

/** A day of which every block is counted and canonical. */
export interface CompleteDay {
  readonly progress: DayProgress;
  /** The reason why the block after it is final, or the day that continues it. */
  readonly finality: Finality;
  /** True when no hash fixes the time of the block before the day. */
  readonly isStartChecked?: boolean;
}

/**
 * Publishes a complete day, or restates it, after a check of its start.
 * @param restatement absent at the first publication
 * @returns why the day is not published, if it is not
 */
export async function finalizeDay(
  run: DayRun,
  day: CompleteDay,
  restatement?: Restatement,
): Promise<RunOutcome | undefined> {
  const { store, source } = run;
  const start = await checkStart(run, day.progress, restatement !== undefined);
  if (start.kind !== 'start') return start;
  const checked = { ...day, isStartChecked: !start.isProven };
  const now = source.context.clock.now();
  if (!restatement) return publishDay(store, checked, now);
  const { figures, provenance, details } = contentOf(store, checked, now);
  // Another run may have replaced the day for the same request, and left the writes that follow.
  const isSame =
    (await isUpToDate(store, figures, provenance)) &&
    (await restatementState(store, figures.day, restatement)) !== 'done';
  if (isSame) await deleteCheckpoint(store, { day: figures.day, restatement });
  else {
    if (!(await replaceDay(store, figures, provenance, restatement, details))) return { kind: 'overtaken' };
    await completeRestatement(store, run.from, figures.day, restatement);
    run.stats.restated.push(figures.day);
  }
  // Last: if another run has replaced the day after meanwhile, its request to restate this day was refused while this one was open.
  const after = await getDay(store, addDays(figures.day, 1));
  const gap = after && gapBetween(store, figures, after);
  if (gap) await saveConflict(store, { ...gap, since: now });
  await run.sendEvents();
  return gap;
}

/**
 * Publishes a complete day. Idempotent: its figures follow from its blocks alone.
 * @param now milliseconds since 1970
 * @returns a conflict when the day is final with other figures, or is not contiguous with the days around it
 */
export async function publishDay(store: ChainStore, complete: CompleteDay, now: number) {
  const { figures, provenance, details } = contentOf(store, complete, now);
  const before = await compareAround(store, figures);
  if (before.gap) return before.gap;
  // A stored day is not written: that would send its event again, and give its details to the figures of an archive.
  // A neighbor that another run published meanwhile was not visible before: the later of the two sees the other now.
  if (!before.isStored && (await putDay(store, figures, provenance, details)))
    return (await compareAround(store, figures)).gap;
  const archived = before.final ? 'none' : await proveArchivedDay(store, figures, provenance, details);
  if (archived !== 'none')
    return archived === 'replaced' ? (await compareAround(store, figures)).gap : archived;
  const stored = before.final ?? (await getDay(store, figures.day));
  const changes = stored ? describeChanges(stored, figures) : 'the stored day was deleted';
  if (changes === '') return undefined;
  return conflict(
    figures.day,
    `${store.chain} ${figures.day} is final, but its blocks now give different figures (stored → read from ` +
      `${provenance.hosts.join(', ')}): ${changes}. ` +
      'The stored figures stay. Run verify for this day, and restate it if it is wrong.',
  );
}

/**
 * Compares a day with the final days around it.
 * @returns a conflict as `gap` if they are not contiguous; the stored day as `final` if it is final; and whether one is stored at all
 */
async function compareAround(store: ChainStore, figures: DayFigures) {
  const [dayBefore, dayAfter] = [addDays(figures.day, -1), addDays(figures.day, 1)];
  const days = await queryStoredDays(store, dayBefore, dayAfter);
  const isStored = days.some((stored) => stored.figures.day === figures.day);
  const finalOf = (day: UtcDay) =>
    days.find((stored) => stored.figures.day === day && stored.evidence !== 'archived')?.figures;
  const [before, final, after] = [dayBefore, figures.day, dayAfter].map(finalOf);
  const gap = (before && gapBetween(store, before, figures)) ?? (after && gapBetween(store, figures, after));
  return { isStored, final, gap };
}

/** Returns whether a price of a day may follow a rule that this version does not know, and no node states it. */
export const lacksStatedPrice = ({ day, priceToCompare }: DayProgress): boolean =>
  day > RULES_KNOWN_UNTIL && priceToCompare !== undefined;

function contentOf({ chain }: ChainStore, { progress, finality, isStartChecked }: CompleteDay, now: number) {
  const { day, totals, hours, feeCounts, dollars, provenBlocks, parentHash, first, last, hosts } = progress;
  if (!last) throw new Error(`${chain} has no block at or before ${day}, so that day has no figures`);
  const figures: DayFigures = {
    day,
    totals,
    parentHash,
    first,
    last: { number: last.number, hash: last.hash },
    definitionVersion: DEFINITION_VERSION,
  };
  const provenance: Provenance = {
    softwareVersion: SOFTWARE_VERSION,
    ingestedAt: new Date(now),
    hosts,
    evidence:
      provenBlocks === totals.blocks && !isStartChecked && !lacksStatedPrice(progress) ? 'proven' : 'checked',
    provenBlocks,
    finality,
  };
  return { figures, provenance, details: { hours, feeCounts, dollars } };
}
