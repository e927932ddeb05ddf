import { type ChainName, chainOf } from '../chains/chains.ts';
import type { ScheduledFork } from '../chains/scheduled-fork.ts';
import type { BlockRef } from '../figures/block.ts';
import { countDays, earlier, later, type UtcDay } from '../figures/calendar.ts';
import { type Evidence, evidences, isAsStrong } from '../figures/day-figures.ts';
import { FINAL_BLOCK, type OpenConflict, subjectOf } from '../store/chain/conflicts.ts';
import type { Coverage, Lag } from '../store/chain/coverage.ts';

export interface IngestedChain {
  readonly name: ChainName;
  /** First day to ingest; days before the chain's first are skipped. If undefined, the coverage keeps the first day of the first run. */
  readonly startDate: UtcDay | undefined;
}

/** Everything that the row of a chain is derived from. */
interface ChainState extends IngestedChain {
  /** `broken` if its item cannot be read. */
  readonly coverage: Coverage | 'broken' | undefined;
  readonly lag: Lag | undefined;
  readonly conflicts: readonly OpenConflict[];
  readonly scheduled?: readonly ScheduledFork[];
  /** True if the data of the chain is invented. */
  readonly isSample?: boolean;
  /** The newest block that the chain itself proves to be final; absent if only hosts report it. */
  readonly provenBlock?: { readonly hash: string; readonly number?: number | undefined } | undefined;
}

/** Servers fail now and then, so missing evidence of finality is a conflict only after this time. */
const PATIENCE_MS = 3_600_000;

/** Returns the conflicts to show. @param now milliseconds since 1970 */
export const dueConflicts = (conflicts: readonly OpenConflict[], now: number): readonly OpenConflict[] =>
  conflicts.filter(({ about, since }) => about === undefined || now - since >= PATIENCE_MS);

/** The public row of a chain. Unknown values are null. */
interface ChainRow {
  readonly chain: ChainName;
  readonly name: string;
  readonly chain_id: number;
  readonly coin: string;
  readonly first_day: UtcDay;
  readonly first_final_day: UtcDay | null;
  readonly last_final_day: UtcDay | null;
  readonly missing_days: number | null;
  readonly waiting_days: number | null;
  readonly days_by_evidence: { proven: number; checked: number; archived?: number } | null;
  readonly last_final_at: string | null;
  readonly seconds_behind: number | null;
  readonly proven_block: BlockRef | null;
  readonly scheduled: (Omit<ScheduledFork, 'name'> & { readonly name: string | null })[];
  readonly conflicts: { readonly date: UtcDay | null; readonly since: string }[];
  /** Only of a development chain. */
  readonly sample?: true;
}

/** After an hour without a run, the lag is unknown: runs are due every five minutes, and end within five. */
const MAX_LAG_AGE_MS = 3_600_000;

/**
 * Returns the public row of a chain.
 * @param now milliseconds since 1970
 * @param least the weakest evidence that a day may have to count as final
 */
export function chainRow(state: ChainState, yesterday: UtcDay, now: number, least?: Evidence): ChainRow {
  const { name, startDate, lag, conflicts, provenBlock } = state;
  const { title, id, coin, firstDay } = chainOf(name);
  const isBroken = state.coverage === 'broken';
  const coverage = state.coverage === 'broken' ? undefined : state.coverage;
  const byEvidence = coverage?.summary?.by_evidence ?? {};
  const kept = evidences.flatMap((one) => (isAsStrong(one, least) && byEvidence[one]) || []);
  const countOf = (one: Evidence) => (isAsStrong(one, least) && byEvidence[one]?.days) || 0;
  const archived = countOf('archived');
  const [last] = kept.toSorted((a, b) => (a.last < b.last ? 1 : -1));
  const isDisputed = conflicts.some((conflict) => subjectOf(conflict) === FINAL_BLOCK);
  const planned = startDate ?? coverage?.from_day;
  const start = planned && later(planned, firstDay);
  const from = start && Object.values(byEvidence).reduce((day, { first }) => earlier(day, first), start);
  return {
    chain: name,
    name: title,
    chain_id: id,
    coin,
    first_day: firstDay,
    first_final_day: kept.map(({ first }) => first).toSorted()[0] ?? null,
    last_final_day: last?.last ?? null,
    missing_days:
      from && !isBroken
        ? kept.reduce((missing, { days }) => Math.max(0, missing - days), countDays(from, yesterday))
        : null,
    waiting_days: isBroken ? null : (coverage?.waiting_days ?? 0),
    days_by_evidence: isBroken
      ? null
      : { proven: countOf('proven'), checked: countOf('checked'), ...(archived > 0 && { archived }) },
    last_final_at: last?.since ?? null,
    seconds_behind:
      (lag && !isDisputed && now - Date.parse(lag.seen_at) <= MAX_LAG_AGE_MS
        ? lag.seconds_behind
        : undefined) ?? null,
    proven_block:
      provenBlock?.number === undefined ? null : { number: provenBlock.number, hash: provenBlock.hash },
    scheduled: (state.scheduled ?? []).map(({ name = null, ...fork }) => ({ name, ...fork })),
    // Without the reasons, which name nodes.
    conflicts: dueConflicts(conflicts, now).map(({ day, since }) => ({
      date: day ?? null,
      since: new Date(since).toISOString(),
    })),
    ...(state.isSample && { sample: true }),
  };
}
