import * as z from 'zod/mini';
import { paidAmount, paidPartAmount } from '../figures/amounts.ts';
import type { UtcDay } from '../figures/calendar.ts';
import { cutReason, evidences } from '../figures/day-figures.ts';
import { mapPaidAttributes } from '../figures/fee-parts.ts';
import type { Finality } from '../figures/finality.ts';
import { finalityOf, linksToShape } from './finality-attributes.ts';
import { blockRefShape, integer } from './shared-attributes.ts';

/* The public row of a day, or of a period of days, from the attributes of day items. */

const blockSchema = z.object(blockRefShape);

const countsShape = { transaction_count: integer, ...mapPaidAttributes(() => z.bigint()) };

const restatedSchema = z.object({
  ...countsShape,
  revision: integer,
  reason: z.string(),
  restated_at: z.string(),
});

/** The attributes of a day item that its public row is made of. */
export const publicDayShape = {
  ...countsShape,
  protocol_transaction_count: integer,
  block_count: integer,
  // Absent in days that earlier versions stored, until they are connected.
  parent_hash: z.optional(z.string()),
  first_block: z.optional(blockSchema),
  last_block: blockSchema,
  // Days of release 0.1.0 have none: no block was proven, and no host is known.
  evidence: z._default(z.enum(evidences), 'checked'),
  confirmed_by: z._default(z.array(z.string()), []),
  ...linksToShape,
  definition_version: integer,
  revision: integer,
  ingested_at: z.string(),
  restated: z.optional(z.array(restatedSchema)),
};

export type PublicDay = { readonly date: string } & z.output<z.ZodMiniObject<typeof publicDayShape>>;

/** The public row of a day or of a period. */
export interface PublicRow extends ReturnType<typeof figuresOf> {
  readonly date: UtcDay;
  /** Only of a period: its days since the chain's first. */
  readonly day_count?: number;
  /** Only of a day: hash of the last block before it. */
  readonly parent_hash?: string | undefined;
  /** Only of a day. */
  readonly finality?: Finality | undefined;
  /** Only of a restated day: the figures before each restatement, the oldest first. */
  readonly restatements?: readonly ReturnType<typeof restatementRow>[];
}

export const dayRow = ({ date, restated = [], ...day }: PublicDay): PublicRow => ({
  date,
  ...figuresOf([day]),
  parent_hash: day.parent_hash,
  finality: isKnown(day) ? finalityOf(day) : undefined,
  ...(restated.length > 0 && { restatements: restated.map(restatementRow) }),
});

/** Days of 0.1.0 name no host, and are not connected until a run has read their parent. */
const isKnown = ({ parent_hash, confirmed_by, links_to }: Omit<PublicDay, 'date'>): boolean =>
  parent_hash !== undefined || links_to !== undefined || confirmed_by.length > 0;

/**
 * Returns the row of a period.
 * @param date first day of the period
 * @param days all its days since the chain's first, ascending
 */
export const periodRow = (date: UtcDay, days: readonly PublicDay[]): PublicRow => ({
  date,
  day_count: days.length,
  ...figuresOf(days),
});

const restatementRow = (old: z.output<typeof restatedSchema>) => ({
  revision: old.revision,
  // Days that were restated before reasons had a limit may have longer ones.
  reason: cutReason(old.reason),
  restated_at: old.restated_at,
  transaction_count: old.transaction_count,
  fees: paidAmount([old]),
});

type Figures = Omit<PublicDay, 'date' | 'restated'>;

/** Sums days. Takes the weakest evidence, the lowest definition version, and the latest revision and time. */
function figuresOf(days: readonly Figures[]) {
  const count = (of: (day: Figures) => number) => days.reduce((sum, day) => sum + of(day), 0);
  const transactions = count((day) => day.transaction_count);
  const protocol = count((day) => day.protocol_transaction_count);
  return {
    transaction_count: transactions,
    user_transaction_count: transactions - protocol,
    protocol_transaction_count: protocol,
    fees: paidAmount(days),
    ...mapPaidAttributes((name) => paidPartAmount(days, name)),
    block_count: count((day) => day.block_count),
    first_block: days.find((day) => day.first_block)?.first_block,
    last_block: days.at(-1)?.last_block,
    evidence: days.every(({ evidence }) => evidence === 'proven')
      ? ('proven' as const)
      : ('checked' as const),
    definition_version: Math.min(...days.map((day) => day.definition_version)),
    revision: Math.max(...days.map((day) => day.revision)),
    ingested_at: days.map((day) => day.ingested_at).reduce(laterTime),
  };
}

/** Imported times may have any number of fractional digits, so they do not compare as text. */
const laterTime = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? b : a);
