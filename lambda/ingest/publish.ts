import { inspect, isDeepStrictEqual } from 'node:util';
import type { BlockRef } from '../chains/block.ts';
import { DEFINITION_VERSION } from '../chains/definition.ts';
import { addDays, type UtcDay } from '../chains/utc-day.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Progress, Restatement } from '../store/checkpoint-item.ts';
import { deleteCheckpoint } from '../store/checkpoints.ts';
import { getCoverage, refreshCoverage } from '../store/coverage.ts';
import type { DayFigures, Provenance } from '../store/day-item.ts';
import { getDay, putDay } from '../store/days.ts';
import { listRestatements, replaceDay, requestRestatement } from '../store/restatements.ts';

/** A day that does not fit what is stored. Nothing of either is thrown away, and nothing is published. */
export class DayConflictError extends Error {
  override readonly name = 'DayConflictError';
}

/**
 * Publishes a day of which every block is read. Its figures follow from the blocks alone, so doing it twice is harmless.
 * @param next the first block of a later day
 * @param now milliseconds since 1970
 * @throws DayConflictError when the day is already final with other figures, or does not join the days around it
 */
export async function publishDay(
  store: ChainStore,
  progress: Progress,
  next: BlockRef,
  now: number,
): Promise<void> {
  const { figures, provenance } = finished(store.chain, progress, now);
  await checkContiguous(store, figures, next);
  if (await putDay(store, figures, provenance)) {
    // A neighbour that another run published meanwhile could not be seen before: of the two, the later sees the other now.
    await checkContiguous(store, figures, next);
    return;
  }
  const stored = await getDay(store, figures.day);
  if (isDeepStrictEqual(stored, figures)) return;
  throw new DayConflictError(
    `${store.chain} ${figures.day} is final with other figures than its blocks give now. The stored ones stay, until the day is restated. ` +
      // Whose they are is nowhere else: the progress is removed when the day is found final.
      `Stored: ${shown(stored)}. Found: ${shown(figures)}, read from ${provenance.hosts.join(', ')}`,
  );
}

/** A day's blocks go on where those of the day before end, and end where those of the day after begin: no gap, no overlap. */
async function checkContiguous(store: ChainStore, figures: DayFigures, next: BlockRef): Promise<void> {
  const { day, last } = figures;
  const [before, after] = await Promise.all([-1, 1].map((days) => getDay(store, addDays(day, days))));
  const refuse = (one: DayFigures, other: DayFigures) => {
    throw new DayConflictError(
      `${store.chain} ${other.day} does not begin where ${one.day} ends: ${shown(one)}, then ${shown(other)}. ` +
        `${day} was read with ${last.number} as its last block, and ${next.number} with hash ${next.hash} next: ` +
        'restate the one that is wrong',
    );
  };
  if (before && !isContiguous(before, figures)) refuse(before, figures);
  const isGoneOnWith = ({ first, last: end }: DayFigures) =>
    first ? isSameBlock(first, next) : isSameBlock(end, last);
  if (after && !isGoneOnWith(after)) refuse(figures, after);
}

/** Whether a day's blocks go on where those of the day before end; one without blocks ends with the same block. */
export const isContiguous = (before: DayFigures, { first, last }: DayFigures): boolean =>
  first ? first.number === before.last.number + 1 : isSameBlock(last, before.last);

const isSameBlock = (a: BlockRef, b: BlockRef) => a.number === b.number && a.hash === b.hash;

/** Puts what a second reading found in the place of a day's figures, which are kept beside them. */
export async function restateDay(
  store: ChainStore,
  progress: Progress,
  restatement: Restatement,
  now: number,
): Promise<void> {
  const { figures, provenance } = finished(store.chain, progress, now);
  await replaceDay(store, figures, provenance, restatement);
}

/**
 * What is left to do once a day is restated, after it or after a crash. When it now ends with another block, the next day
 * was begun from a wrong one: it is read again too, and so on, as far as need be.
 */
export async function finishRestatement(
  store: ChainStore,
  day: UtcDay,
  restatement: Restatement,
  { isEndMoved, from }: { readonly isEndMoved: boolean; readonly from: UtcDay },
): Promise<void> {
  const next = addDays(day, 1);
  if (isEndMoved) {
    await deleteCheckpoint(store, { day: next });
    const reason = `the day before was restated: ${restatement.reason}`;
    await requestRestatement(store, next, { ...restatement, reason });
  }
  // Whoever keeps days in memory looks at the coverage to learn that one of them has changed.
  await refreshCoverage(store, from, [day]);
  await deleteCheckpoint(store, { day, restatement });
}

/**
 * What is left to do once a day is final that was read by itself, after it or after a crash. In this order: while its
 * checkpoint is there, a next run of the day knows that this is to be done.
 * @param from first day to ingest
 * @returns whether the day is final, and not to be read again
 */
export async function finishIfFinal(store: ChainStore, day: UtcDay, from: UtcDay): Promise<boolean> {
  const [final, restatements] = await Promise.all([getDay(store, day), listRestatements(store, day)]);
  if (!final || restatements.length > 0) return false;
  await refreshCoverage(store, from);
  await deleteCheckpoint(store, { day });
  return true;
}

/**
 * The first day since `from` that is not final. Where the day after the coverage turns out to be final, it was
 * published a moment ago or by a run that ended right after: then the coverage moves and the checkpoint goes.
 */
export async function oldestMissingDay(store: ChainStore, from: UtcDay): Promise<UtcDay> {
  let coverage = await getCoverage(store);
  for (;;) {
    const day = coverage?.from === from ? addDays(coverage.through, 1) : from;
    if (!(await getDay(store, day))) return day;
    // In this order, so that a crash in between leaves the coverage behind and the next look does both again.
    await deleteCheckpoint(store, { day });
    coverage = await refreshCoverage(store, from);
  }
}

function finished(
  chain: string,
  { day, totals, first, last, hosts }: Progress,
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
    provenance: { softwareVersion: SOFTWARE_VERSION, ingestedAt: new Date(now), hosts },
  };
}

const shown = (figures: unknown) => inspect(figures, { depth: 4, breakLength: Infinity });
