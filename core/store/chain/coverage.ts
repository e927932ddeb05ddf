import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import { type Evidence, evidences } from '../../figures/day-figures.ts';
import { integer } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { itemKey } from '../table/keys.ts';
import type { ChainReader } from '../table/table.ts';

/** Increase this when the code can no longer read what the release before has stored. The coverage of each chain states it. */
export const TABLE_FORMAT = 2;

/** One small item that says which days of a chain are final. It can be rebuilt from the items of the days. */
export interface Coverage {
  /** Every day from `from` through `through` is final; `through` is the day before `from` when none is. */
  readonly from: UtcDay;
  readonly through: UtcDay;
  /** The last final day. It is after `through` if a day is missing; absent when no day is final. */
  readonly last?: UtcDay | undefined;
  /** Increases by one with every change. */
  readonly revision: number;
  /** Final days whose figures changed after the revision `changesSince`, so that caches read them again, with the revision that lists each first. */
  readonly changes: readonly { readonly day: UtcDay; readonly revision: number }[];
  readonly changesSince: number;
  /** Absent when no day is final. */
  readonly summary?: Summary | undefined;
  /** The number of days whose blocks are all read, and that become final once the day after them is. */
  readonly waitingDays: number;
  /** Time of the chain's first run, ISO 8601; absent when an import created the item. */
  readonly begunAt?: string | undefined;
  /** ISO 8601; set while an import replaces final days. Until it ends, figures may change without a new revision. */
  readonly replacingSince?: string | undefined;
}

/** Sums over all final days, those before `from` included. */
export interface Summary {
  /** Evidence that no day has is absent. */
  readonly byEvidence: Readonly<Partial<Record<Evidence, z.output<typeof daysOfEvidenceSchema>>>>;
  /** The number of days that may inherit better evidence of finality from the day after them. */
  readonly heirs: number;
}

/** The days with one kind of evidence. */
const daysOfEvidenceSchema = z.object({
  days: integer,
  first: z.string(),
  last: z.string(),
  /** Time at which the last of them became final, ISO 8601. */
  since: z.string(),
});

const coverageSchema = z.object({
  from_day: z.string(),
  through_day: z.string(),
  last_day: z.optional(z.string()),
  revision: integer,
  changes: z.array(z.object({ day: z.string(), revision: integer })),
  changes_since: integer,
  summary: z.optional(
    z.object({ by_evidence: z.partialRecord(z.enum(evidences), daysOfEvidenceSchema), heirs: integer }),
  ),
  waiting_days: integer,
  begun_at: z.optional(z.iso.datetime()),
  replacing_since: z.optional(z.iso.datetime()),
});

export const toItem = ({ summary, ...coverage }: Coverage) => ({
  format: TABLE_FORMAT,
  from_day: coverage.from,
  through_day: coverage.through,
  last_day: coverage.last,
  revision: coverage.revision,
  changes: coverage.changes,
  changes_since: coverage.changesSince,
  summary: summary && { by_evidence: summary.byEvidence, heirs: summary.heirs },
  waiting_days: coverage.waitingDays,
  begun_at: coverage.begunAt,
  replacing_since: coverage.replacingSince,
});

export async function getCoverage(store: ChainReader): Promise<Coverage | undefined> {
  const item = await store.table.getItem(itemKey(store, 'coverage'));
  return item && decodeCoverage(store, item);
}

export function decodeCoverage({ chain }: Pick<ChainReader, 'chain'>, item: unknown): Coverage {
  const { summary, ...stored } = decodeItem(coverageSchema, chain, item);
  return {
    from: stored.from_day,
    through: stored.through_day,
    last: stored.last_day,
    revision: stored.revision,
    changes: stored.changes,
    changesSince: stored.changes_since,
    summary: summary && { byEvidence: summary.by_evidence, heirs: summary.heirs },
    waitingDays: stored.waiting_days,
    begunAt: stored.begun_at,
    replacingSince: stored.replacing_since,
  };
}

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
