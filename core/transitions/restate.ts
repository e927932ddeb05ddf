import { addDays } from '../figures/calendar.ts';
import { cutReason, type DayFigures, type Restatement } from '../figures/day-figures.ts';
import { commit, type Decision } from '../store/chain/commit.ts';
import { conflictWrite, deletedConflict, listConflicts } from '../store/chain/conflicts.ts';
import {
  deletedCheckpoint,
  getCheckpoint,
  listRestatements,
  restatementRequest,
} from '../store/days/checkpoints.ts';
import { dayWrites, isRestated, isUpToDate, restatedItem, versionOf } from '../store/days/write-day.ts';
import type { ChainStore, Write } from '../store/table/table.ts';
import { type Around, gapBetween, readAround } from './around.ts';
import type { Conflict } from './conflict.ts';
import type { DayContent } from './content.ts';
import { readState } from './state.ts';
import { startOverWrites } from './wait.ts';

/** The outcome of a restatement. */
export type Restated =
  /** The figures are replaced. `gap` is the conflict that this leaves with the day after it. */
  | { readonly kind: 'restated'; readonly gap: Conflict | undefined }
  /** The stored figures are the same, or the day was replaced for this request already. */
  | { readonly kind: 'unchanged'; readonly gap: Conflict | undefined }
  /** The day was deleted, or the request is gone. */
  | { readonly kind: 'void' };

const FOLLOWING = 'the day after was restated: ';

/**
 * Replaces the figures of a final day. If it then no longer begins after the last block of the day before, that day is to be restated
 * too. A half-read day after it starts over if it does not continue the restated one. Conflicts that the old figures may have caused end.
 */
export const restate = (
  store: ChainStore,
  { figures, provenance, details }: DayContent,
  restatement: Restatement,
): Promise<Restated> =>
  commit(store, async (revision): Promise<Decision<Restated>> => {
    const { day } = figures;
    // 1. The request must be open, and the day final.
    const state = await readState(store, day);
    const [request] = await listRestatements(store, day);
    const isOpen = isSameRequest(request?.restatement, restatement);
    const settled = isOpen ? [deletedCheckpoint(store, { day, restatement })] : [];
    if (state.kind !== 'final' || !isOpen) return { writes: settled, result: { kind: 'void' } };
    // 2. The figures may be the same, or replaced for this request already.
    const around = await readAround(store, day, 2);
    const after = around.final(addDays(day, 1));
    const gap = after && gapBetween(store, figures, after);
    const since = provenance.ingestedAt.getTime();
    if (isRestated(store, state.item, restatement) || isUpToDate(store, state.item, figures, provenance)) {
      const open = gap ? [conflictWrite(store, { ...gap, since })] : [];
      return { writes: [...settled, ...open], result: { kind: 'unchanged', gap } };
    }
    // 3. The new figures replace the old ones, and change what follows from them.
    const item = restatedItem(store, state.item, figures, provenance, restatement, details);
    const writes = [
      ...dayWrites(store, item, versionOf(store, state.item), { details, position: revision }),
      ...settled,
      ...(await conflictsAfter(store, around, figures, since)),
      ...(await requestBefore(store, around.final(addDays(day, -1)), figures, restatement)),
      ...(await discardAfter(store, figures)),
      ...around.checks,
    ];
    return { writes, result: { kind: 'restated', gap } };
  });

const isSameRequest = (a: Restatement | undefined, b: Restatement): boolean =>
  a?.reason === b.reason && a.requestedAt === b.requestedAt;

/** Ends the conflicts at the borders of a restated day, and opens one for each gap that is left. */
async function conflictsAfter(
  store: ChainStore,
  around: Around,
  figures: DayFigures,
  since: number,
): Promise<readonly Write[]> {
  const days = [figures, ...[1, 2].map((distance) => around.final(addDays(figures.day, distance)))];
  // The gap to the day before is closed by the restatement of that day.
  const gaps = days.flatMap((one, index) => {
    const after = days[index + 1];
    return (one && after && gapBetween(store, one, after)) || [];
  });
  const borders = [-1, 0, 1].map((distance) => addDays(figures.day, distance));
  const caused = (await listConflicts(store)).filter(({ day }) => day !== undefined && borders.includes(day));
  const ended = caused.filter(({ day }) => !gaps.some((gap) => gap.day === day));
  return [
    ...ended.map((one) => deletedConflict(store, one)),
    ...gaps.map(({ day, reason }) => conflictWrite(store, { day, reason, since })),
  ];
}

/** Requests to restate the day before as well, if the restated day no longer follows it. */
async function requestBefore(
  store: ChainStore,
  before: DayFigures | undefined,
  { parentHash }: DayFigures,
  restatement: Restatement,
): Promise<readonly Write[]> {
  if (!before || before.last.hash === parentHash) return [];
  if ((await listRestatements(store, before.day)).length > 0) return [];
  const { reason } = restatement;
  // The prefix is added once, so that reasons do not grow from day to day.
  const following = reason.startsWith(FOLLOWING) ? reason : cutReason(`${FOLLOWING}${reason}`);
  return [restatementRequest(store, before.day, { ...restatement, reason: following })];
}

/** Starts the half-read day after a restated one over, if it does not continue it. */
async function discardAfter(store: ChainStore, { day, last }: DayFigures): Promise<readonly Write[]> {
  const after = addDays(day, 1);
  const { progress } = await getCheckpoint(store, after);
  return progress && progress.parentHash !== last.hash ? startOverWrites(store, after) : [];
}
