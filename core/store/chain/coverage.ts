import * as z from 'zod/mini';
import { evidences } from '../../figures/day-figures.ts';
import { integer, optionalInteger } from '../attributes/shared-attributes.ts';
import { readItem } from '../table/decode-item.ts';
import { itemKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/** Increase this when the code can no longer read what the release before has stored. The coverage of each chain states it. */
export const TABLE_FORMAT = 3;

/** The days with one kind of evidence. */
const daysOfEvidenceSchema = z.object({
  days: integer,
  first: z.string(),
  last: z.string(),
  /** Time at which the last of them became final, ISO 8601. */
  since: z.string(),
});

/**
 * One small item that says which days of a chain are final. Each commit that changes a day writes it, on the condition that nobody has
 * written it since it was read, so that the commits of a chain come one after another. It can be rebuilt from the items of the days.
 */
export const coverageSchema = z.object({
  /** Every stored day with its evidence, in the form of `covered-days.ts`. The other attributes about final days follow from it. */
  days: z.string(),
  /** Every day from `from_day` through `through_day` is final; `through_day` is the day before `from_day` when none is. */
  from_day: z.string(),
  through_day: z.string(),
  /** The last final day. It is after `through_day` if a day is missing; absent when no day is final. */
  last_day: z.optional(z.string()),
  /** Increases by one with every commit. */
  revision: integer,
  /** Final days that changed after the revision `changes_since`: the revision and time (milliseconds since 1970) of each. Caches read them again. */
  changes: z.array(z.object({ day: z.string(), revision: integer, at: integer })),
  changes_since: integer,
  /** Sums over all final days, those before `from_day` included; absent when no day is final. */
  summary: z.optional(
    z.object({
      /** Evidence that no day has is absent. */
      by_evidence: z.partialRecord(z.enum(evidences), daysOfEvidenceSchema),
    }),
  ),
  /** The number of days whose blocks are all read, and that become final once the day after them is. */
  waiting_days: integer,
  /** Time of the chain's first run; absent when an import created the item. */
  begun_at: z.optional(z.iso.datetime()),
});

export type Coverage = z.output<typeof coverageSchema>;

/** Far longer than DynamoDB takes to apply a transaction to all of its items, clocks that differ included. */
const SETTLING_MS = 3_000;

/**
 * Returns the last revision whose days every reader sees. DynamoDB applies a transaction item by item, so that a coverage may be read beside a
 * day as it was before. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 * @param now milliseconds since 1970
 */
export function settledRevision({ revision, changes }: Coverage, now: number): number {
  const unsettled = changes.find(({ at }) => now - at < SETTLING_MS);
  return unsettled ? unsettled.revision - 1 : revision;
}

export const getCoverage = (store: ChainReader): Promise<Coverage | undefined> =>
  readItem(coverageSchema, store, itemKey(store, 'coverage'));

/** The distance between the ingest and its chain, as of the last scheduled run. Lazy, since few requests read it. */
const lagSchema = z.lazy(() =>
  z.object({
    /** Seconds from the newest counted block to the newest finalized one; absent while no run has measured it. */
    seconds_behind: z.optional(integer),
    /** Time at which the run that measured it ended. */
    seen_at: z.iso.datetime(),
    /** The reason why the last run failed; absent when it did not. */
    problem: z.optional(z.string()),
    /** The first block that follows no rule that is known here, if the last run met one. */
    refused_block: optionalInteger,
  }),
);

export type Lag = z.output<typeof lagSchema>;

export const saveLag = (store: ChainStore, lag: Lag): Promise<boolean> =>
  store.table.putIf({ ...itemKey(store, 'lag'), ...lag });

export const getLag = (store: ChainReader): Promise<Lag | undefined> =>
  readItem(lagSchema, store, itemKey(store, 'lag'));

/** An older version stored the days of a chain. */
export class OldTableError extends Error {
  override readonly name = 'OldTableError';

  constructor(chain: string) {
    super(
      `The table has days of ${chain} that this version cannot read: a version before 1.0.0 stored them. ` +
        'Deploy a stage with another name, or use an empty DATA_DIR, and ingest the days again.',
    );
  }
}

/** @throws OldTableError if another format stored the days of a chain. Runs and commands ask once, requests to the API never. */
export async function refuseOldTable(store: ChainReader): Promise<void> {
  const coverage = await store.table.getItem(itemKey(store, 'coverage'));
  if (coverage && Number(coverage.format) !== TABLE_FORMAT) throw new OldTableError(store.chain);
}
