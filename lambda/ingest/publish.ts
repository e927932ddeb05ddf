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

/** A day that contradicts the stored days. Nothing is published or deleted. */
export class DayConflictError extends Error {
  override readonly name = 'DayConflictError';
}

/**
 * Publishes a complete day. Idempotent, because its figures follow from the blocks alone.
 * @param next the first block of a later day
 * @param now milliseconds since 1970
 * @throws DayConflictError when the day is final with other figures, or not contiguous with the days around it
 */
export async function publishDay(
  store: ChainStore,
  progress: Progress,
  next: BlockRef,
  now: number,
): Promise<void> {
  const { figures, provenance } = completeDay(store.chain, progress, now);
  await checkContiguous(store, figures, next);
  if (await putDay(store, figures, provenance)) {
    // Another run may have published a neighbour meanwhile. The later of the two runs finds the other's day here.
    await checkContiguous(store, figures, next);
    return;
  }
  const stored = await getDay(store, figures.day);
  if (isDeepStrictEqual(stored, figures)) return;
  throw new DayConflictError(
    `${store.chain} ${figures.day} is final with other figures than its blocks give now. The stored figures stay until the day is restated. ` +
      // The message keeps the hosts, because the checkpoint is deleted when the day is found final.
      `Stored: ${inspectFigures(stored)}. Recomputed: ${inspectFigures(figures)}, from ${provenance.hosts.join(', ')}`,
  );
}

/** Validates that the day's blocks are contiguous with those of the days before and after. */
async function checkContiguous(store: ChainStore, figures: DayFigures, next: BlockRef): Promise<void> {
  const { day, last } = figures;
  const [before, after] = await Promise.all([-1, 1].map((days) => getDay(store, addDays(day, days))));
  const refuse = (one: DayFigures, other: DayFigures) => {
    throw new DayConflictError(
      `${store.chain} ${one.day} and ${other.day} are not contiguous: ${inspectFigures(one)}, then ${inspectFigures(other)}. ` +
        `${day} was read with last block ${last.number}, followed by block ${next.number} with hash ${next.hash}. ` +
        'Restate the wrong day.',
    );
  };
  if (before && !isContiguous(before, figures)) refuse(before, figures);
  const isContinuedBy = ({ first, last: end }: DayFigures) =>
    first ? isSameBlock(first, next) : isSameBlock(end, last);
  if (after && !isContinuedBy(after)) refuse(figures, after);
}

/** Returns whether a day's blocks follow those of the day before; a day without blocks has the same last block. */
export const isContiguous = (before: DayFigures, { first, last }: DayFigures): boolean =>
  first ? first.number === before.last.number + 1 : isSameBlock(last, before.last);

const isSameBlock = (a: BlockRef, b: BlockRef) => a.number === b.number && a.hash === b.hash;

/** Replaces the figures of a final day with those of a second reading; the old ones are kept in the item. */
export async function restateDay(
  store: ChainStore,
  progress: Progress,
  restatement: Restatement,
  now: number,
): Promise<void> {
  const { figures, provenance } = completeDay(store.chain, progress, now);
  await replaceDay(store, figures, provenance, restatement);
}

/**
 * Completes the restatement of a day, right after it or after a crash. If the day now ends with another block, the next day
 * started from a wrong block, so its restatement is requested too.
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
  // Caches learn from the coverage which days changed.
  await refreshCoverage(store, from, [day]);
  await deleteCheckpoint(store, { day, restatement });
}

/**
 * Completes the publication of one day, right after it or after a crash. The checkpoint is deleted last, because it tells the
 * next run that the publication is not complete.
 * @param from first day to ingest
 * @returns whether the day is final and no restatement of it is open
 */
export async function finishIfFinal(store: ChainStore, day: UtcDay, from: UtcDay): Promise<boolean> {
  const [final, restatements] = await Promise.all([getDay(store, day), listRestatements(store, day)]);
  if (!final || restatements.length > 0) return false;
  await refreshCoverage(store, from);
  await deleteCheckpoint(store, { day });
  return true;
}

/**
 * Returns the first day since `from` that is not final. If the day after the coverage is final already, a run has just
 * published it or crashed right after: then its checkpoint is deleted and the coverage refreshed.
 */
export async function oldestMissingDay(store: ChainStore, from: UtcDay): Promise<UtcDay> {
  let coverage = await getCoverage(store);
  for (;;) {
    const day = coverage?.from === from ? addDays(coverage.through, 1) : from;
    if (!(await getDay(store, day))) return day;
    // In this order, so that after a crash in between, the coverage is still stale and the next run does both.
    await deleteCheckpoint(store, { day });
    coverage = await refreshCoverage(store, from);
  }
}

function completeDay(
  chain: string,
  { day, totals, first, last, hosts }: Progress,
  now: number,
): { figures: DayFigures; provenance: Provenance } {
  if (!last) throw new Error(`${chain} ${day} has no figures: the chain has no block at or before that day`);
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

const inspectFigures = (figures: unknown) => inspect(figures, { depth: 4, breakLength: Infinity });
