import type { ChainName } from '../chains/chains.ts';
import type { BlockRef, Finality } from '../figures/block.ts';
import { HOURS_PER_DAY, SECONDS_PER_HOUR, startOfDay, type UtcDay } from '../figures/calendar.ts';
import { DEFINITION_VERSION, type Evidence, weakestEvidence } from '../figures/day-figures.ts';
import { DISTRIBUTION_VERSION, quantilesOf } from '../figures/fee-buckets.ts';
import { MEASURES_VERSION } from '../figures/measures.ts';
import type { Totals } from '../figures/totals.ts';
import { totalsToAttributes } from '../store/attributes/shared-attributes.ts';
import type { FinalSums } from '../store/days/checkpoints.ts';
import { hoursOver, knownHours, type PastDay } from '../store/days/past-hours.ts';
import {
  type FeeBounds,
  feeBoundsOf,
  type MeasureFields,
  measureFieldsOf,
  type SumFields,
  sumsOf,
} from './day-row.ts';

type Sums = SumFields & MeasureFields;

/** Sums of whole hours. Hours are such as `2026-11-28T13`. */
interface LastHours extends Sums {
  readonly first_hour: string;
  readonly last_hour: string;
  readonly evidence: Evidence;
}

/** The sums of the running day, through its last final block. */
interface RunningSums extends Sums, FeeBounds {
  /** `time` is ISO 8601. */
  readonly through: BlockRef & { readonly time: string };
  readonly parent_hash: string;
  readonly first_block: BlockRef;
  readonly evidence: Evidence;
  readonly finality: Finality;
  readonly definition_version: number;
  /** From `through` to the newest final block that the run knew. */
  readonly seconds_behind: number;
  /** Those that are over. */
  readonly hours: readonly (Sums & { readonly date: string })[];
}

/** The running day of a chain. Until one of its blocks is final, it has no sums. */
export interface TodayRow extends Partial<RunningSums> {
  readonly chain: ChainName;
  readonly date: UtcDay;
  readonly last_24_hours?: LastHours;
}

const rowOf = (all: readonly Totals[]): Sums => {
  const attributes = all.map((totals) => ({
    ...totalsToAttributes(totals),
    measures_version: MEASURES_VERSION,
  }));
  return { ...sumsOf(attributes), ...measureFieldsOf(attributes) };
};

const labelOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 13);

/**
 * Returns the running day of a chain.
 * @param final absent while no block is read of which the chain or its hosts say that it is final
 * @param past the two days before it, the earlier one first
 */
export function todayRow(
  chain: ChainName,
  day: UtcDay,
  final: FinalSums | undefined,
  past: readonly [PastDay, PastDay],
): TodayRow {
  const last24 = lastHours(day, final, past);
  return { chain, date: day, ...(final && runningSums(final)), ...(last24 && { last_24_hours: last24 }) };
}

function runningSums(final: FinalSums): RunningSums | undefined {
  const { progress, evidence, finality, headTime } = final;
  const { day, first, last, parentHash, notBefore, totals, feeCounts } = progress;
  if (!first || !last) return undefined;
  const start = startOfDay(day);
  return {
    through: { number: last.number, hash: last.hash, time: new Date(notBefore * 1_000).toISOString() },
    ...rowOf([totals]),
    ...feeBoundsOf(quantilesOf(feeCounts), DISTRIBUTION_VERSION),
    first_block: first,
    parent_hash: parentHash,
    evidence,
    finality,
    definition_version: DEFINITION_VERSION,
    seconds_behind: Math.max(0, headTime - notBefore),
    hours: hoursOver(final).hours.map((hour, index) => ({
      date: labelOf(start + index * SECONDS_PER_HOUR),
      ...rowOf([hour]),
    })),
  };
}

/** Sums the last 24 hours that are over, across midnight; undefined if one of them is not known. */
function lastHours(
  day: UtcDay,
  final: FinalSums | undefined,
  [before, yesterday]: readonly [PastDay, PastDay],
): LastHours | undefined {
  const days = [knownHours(before, undefined), knownHours(yesterday, final), final && hoursOver(final)];
  const hours = days.flatMap((known) =>
    Array.from({ length: HOURS_PER_DAY }, (_, hour) => {
      const totals = known?.hours[hour];
      return known && totals && { totals, evidence: known.evidence };
    }),
  );
  const end = hours.findLastIndex((hour) => hour !== undefined) + 1;
  // Before 24 hours are known, a negative start counts from the end, and nothing is left.
  const last = hours.slice(end - HOURS_PER_DAY, end).filter((hour) => hour !== undefined);
  if (last.length < HOURS_PER_DAY) return undefined;
  const start = startOfDay(day) + (end - 3 * HOURS_PER_DAY) * SECONDS_PER_HOUR;
  return {
    first_hour: labelOf(start),
    last_hour: labelOf(start + (HOURS_PER_DAY - 1) * SECONDS_PER_HOUR),
    ...rowOf(last.map(({ totals }) => totals)),
    evidence: weakestEvidence(last.map(({ evidence }) => evidence)),
  };
}
