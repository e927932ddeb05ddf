import pMap from 'p-map';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import type { DayFigures } from '../figures/day-figures.ts';
import { type Finality, reportedBy } from '../figures/finality.ts';
import { type CompleteDay, publishDay } from '../ingest/days/publish-day.ts';
import { saveConflict } from '../store/conflicts.ts';
import { getFinalDay, queryDays } from '../store/days.ts';
import { type EraSums, listEraSums } from '../store/era-sums.ts';
import { reconcileFinalDays } from '../store/reconcile.ts';
import { refreshCoverage } from '../store/refresh-coverage.ts';
import type { ChainStore } from '../store/table.ts';
import { confirmedDays, daysBefore, endsOf, partsOf } from './complete-days.ts';
import { findMissingDays, type MissingDays } from './missing-days.ts';

/** Days that became final, and the conflicts with days that are final already. */
interface Published {
  readonly days: readonly UtcDay[];
  readonly conflicts: readonly { readonly day: UtcDay; readonly reason: string }[];
}

/** The result of joining files. */
interface Joined extends Published {
  readonly files: number;
  readonly missing: readonly MissingDays[];
  /** Proven files with days that neither hosts nor a final day confirm for now. */
  readonly unconfirmed: readonly string[];
}

/** What decides which days are published. */
export interface PublishRules {
  /** First day of the chain. */
  readonly firstDay: UtcDay;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** True when the word of hosts confirms nothing. */
  readonly isProofRequired: boolean;
}

/** Days published at once: each waits for a few calls of the table. */
const CONCURRENCY = 8;

/**
 * Joins the stored sums of all files by hash, and publishes the days that become complete. Idempotent.
 * @param from first day of the chain's schedule, where the coverage begins
 */
export async function joinEraFiles(
  store: ChainStore,
  { from, ...rules }: PublishRules & { readonly from: UtcDay },
): Promise<Joined> {
  const files = await listEraSums(store);
  const published = await publishFiles(store, files, rules);
  // Also the days of a run that ended right after it published them.
  await reconcileFinalDays(store, from);
  await refreshCoverage(store, from);
  const final = await finalDaysAround(store, files);
  return { ...published, files: files.length, ...findMissingDays(files, final, rules.firstDay) };
}

/**
 * Publishes the complete days of files that hosts confirm, then those that a final day continues by hash, the latest first. Idempotent,
 * because the figures of a day follow from its blocks alone.
 */
export async function publishFiles(
  store: ChainStore,
  files: readonly EraSums[],
  { firstDay, now, isProofRequired }: PublishRules,
): Promise<Published> {
  const ends = endsOf(partsOf(files));
  const final = new Map((await finalDaysAround(store, files)).map((one) => [one.day, one.parentHash]));
  const days: UtcDay[] = [];
  const conflicts: { day: UtcDay; reason: string }[] = [];
  const publish = async (complete: CompleteDay): Promise<boolean> => {
    const { day, parentHash } = complete.progress;
    const conflict = await publishDay(store, complete, now);
    if (conflict) {
      conflicts.push({ day, reason: conflict.reason });
      await saveConflict(store, { day: conflict.day, reason: conflict.reason, since: now });
    } else {
      if (!final.has(day)) days.push(day);
      final.set(day, parentHash);
    }
    return !conflict;
  };
  const confirmed = isProofRequired ? [] : confirmedDays(files, ends, firstDay);
  await pMap(confirmed, publish, { concurrency: CONCURRENCY });
  for (const [day, parentHash] of [...final].toSorted().toReversed()) {
    let finality: Finality | undefined;
    for (const progress of daysBefore(ends, { day, parentHash }, firstDay)) {
      if (final.has(progress.day)) break;
      finality ??= (await getFinalDay(store, day))?.finality ?? reportedBy([]);
      if (isProofRequired && finality.kind === 'reported') break;
      if (!(await publish({ progress, finality }))) break;
    }
  }
  return { days: days.toSorted(), conflicts };
}

const LAST_DAY = '9999-12-31';

/** Reads the final days from the first day of files to the day after their last. */
async function finalDaysAround(store: ChainStore, files: readonly EraSums[]): Promise<readonly DayFigures[]> {
  const days = files.flatMap((file) => file.days.map(({ day }) => day)).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  // The blocks of a forged file may have any time.
  return queryDays(store, first, last < LAST_DAY ? addDays(last, 1) : last);
}
