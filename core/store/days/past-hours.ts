import * as z from 'zod/mini';
import { HOURS_PER_DAY, SECONDS_PER_HOUR, startOfDay, type UtcDay } from '../../figures/calendar.ts';
import { type Evidence, evidences } from '../../figures/day-figures.ts';
import type { DayProgress } from '../../figures/progress.ts';
import type { Totals } from '../../figures/totals.ts';
import { integer, optionalInteger } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayKey, itemKey } from '../table/keys.ts';
import type { ChainReader } from '../table/table.ts';
import { type FinalSums, getCheckpoint } from './checkpoints.ts';
import { getDetails } from './details.ts';
import { decodeWaiting } from './waiting-days.ts';

/* The hours of a day before the running one. Shortly after midnight, yesterday is not final yet. */

/** The state of a past day, with the hours that are saved. */
export type PastDay =
  /** Without hours if it was imported without details. */
  | { readonly kind: 'final'; readonly hours: readonly Totals[] | undefined; readonly evidence: Evidence }
  | {
      readonly kind: 'not final';
      /** The day, if all its blocks are read. */
      readonly waiting: DayProgress | undefined;
      readonly final: FinalSums | undefined;
    };

/** The first hours of a day that are known: 24 if the day is over. */
interface KnownHours {
  readonly hours: readonly Totals[];
  readonly evidence: Evidence;
}

const daySchema = z.object({
  evidence: z.enum(evidences),
  revision: integer,
  // Absent if it was imported without details.
  measures_version: optionalInteger,
});

export async function readPastDay(store: ChainReader, day: UtcDay): Promise<PastDay> {
  const [stored, waiting, { final }] = await Promise.all([
    store.table.getItem(dayKey(store, day)),
    store.table.getItem(itemKey(store, 'waiting', day)),
    getCheckpoint(store, day),
  ]);
  if (!stored)
    return { kind: 'not final', waiting: waiting && decodeWaiting(store, waiting)?.progress, final };
  const { evidence, revision, measures_version } = decodeItem(daySchema, store.chain, stored);
  const details = measures_version === undefined ? undefined : await getDetails(store, { day, revision });
  return { kind: 'final', hours: details?.hours, evidence };
}

/** Returns the hours that are over and final. A block after them is final too, so none of theirs is missing. */
export const hoursOver = ({ progress: { day, hours, notBefore }, evidence }: FinalSums): KnownHours => {
  const over = Math.floor((notBefore - startOfDay(day)) / SECONDS_PER_HOUR);
  return { hours: hours.slice(0, Math.min(over, HOURS_PER_DAY)), evidence };
};

/** @param next the final sums of the day after it: where these begin after its last block, all of the day is final */
export function knownHours(past: PastDay, next: FinalSums | undefined): KnownHours | undefined {
  if (past.kind === 'final') return past.hours && { hours: past.hours, evidence: past.evidence };
  const { waiting, final } = past;
  const isLinked = waiting !== undefined && next?.progress.first !== undefined;
  if (isLinked && waiting.last?.hash === next.progress.parentHash) {
    const isProven = waiting.provenBlocks === waiting.totals.blocks && next.evidence === 'proven';
    return { hours: waiting.hours, evidence: isProven ? 'proven' : 'checked' };
  }
  return final && hoursOver(final);
}
