import * as z from 'zod/mini';
import { amountBounds, coinAmount, knownAmount, paidAmount, paidPartAmount } from '../figures/amounts.ts';
import type { Finality } from '../figures/block.ts';
import type { UtcDay } from '../figures/calendar.ts';
import { cutReason, weakestEvidence } from '../figures/day-figures.ts';
import { sumOfDollars } from '../figures/dollars.ts';
import { type FeeCounts, quantilesOf, sumFeeCounts } from '../figures/fee-buckets.ts';
import { mapPaidAttributes, type PaidAttribute } from '../figures/fee-parts.ts';
import { type MeasureAttribute, sumKnown } from '../figures/measures.ts';
import { dayShape, finalityOf, type versionsShape } from '../store/attributes/day-attributes.ts';
import { integer, type TotalsAttributes, type totalsShape } from '../store/attributes/shared-attributes.ts';

/* The public row of a day, or of a period of days, from the attributes of day items. */

const restatedSchema = z.lazy(() =>
  z.object({
    transaction_count: integer,
    ...mapPaidAttributes(() => z.bigint()),
    revision: integer,
    reason: z.string(),
    restated_at: z.string(),
  }),
);

/** The attributes of a day item from which its public row is made. */
export const publicDayShape = { ...dayShape, restated: z.optional(z.array(restatedSchema)) };

export type PublicDay = { readonly date: string } & z.output<z.ZodMiniObject<typeof publicDayShape>>;

/** The sums of any time: a day, a period, an hour, or the part of a day that is over. */
export interface SumFields
  extends Readonly<Record<PaidAttribute | 'fees' | 'retryable_double_count', string>>,
    Pick<PublicDay, 'block_count' | 'transaction_count' | 'protocol_transaction_count'> {
  readonly user_transaction_count: number;
}

interface FigureFields
  extends SumFields,
    Pick<PublicDay, 'first_block' | 'evidence' | 'definition_version' | 'revision' | 'ingested_at'> {
  /** An hour has none. */
  readonly last_block: PublicDay['last_block'] | undefined;
}

export interface MeasureFields {
  readonly failed_transaction_count: number | undefined;
  readonly blob_count: number | undefined;
  readonly measures_version: number | undefined;
  readonly base_fees: string | undefined;
  readonly priority_fees: string | undefined;
  /** As text, because a year of gas may exceed what a JSON number holds exactly. */
  readonly gas_used: string | undefined;
}

type Bounds = Readonly<Record<'from' | 'to', string>>;

export interface FeeBounds
  extends Readonly<Record<'median_fee' | 'p10_fee' | 'p90_fee', Bounds | undefined>> {
  readonly distribution_version: number | undefined;
}

interface RestatementRow
  extends Pick<z.output<typeof restatedSchema>, 'revision' | 'reason' | 'restated_at' | 'transaction_count'> {
  readonly fees: string;
}

/** The public row of an hour, a day or a period. Unknown measures are undefined. */
export interface PublicRow extends FigureFields, MeasureFields, Partial<FeeBounds>, Dollars {
  readonly date: UtcDay;
  /** Only of a period: its days since the chain's first. */
  readonly day_count?: number;
  /** Only of a day: hash of the last block before it. */
  readonly parent_hash?: string | undefined;
  /** Only of a day. */
  readonly finality?: Finality | undefined;
  /** Only of an archived day. */
  readonly archive?: PublicDay['archived_from'];
  /** Only of a restated day: the figures before each restatement, the oldest first. */
  readonly restatements?: readonly RestatementRow[];
}

export const dayRow = (day: PublicDay): PublicRow => ({
  date: day.date,
  ...figuresOf([day]),
  parent_hash: day.parent_hash,
  finality: finalityOf(day),
  archive: day.archived_from,
  ...(day.restated && day.restated.length > 0 && { restatements: day.restated.map(restatementRow) }),
  ...measureFieldsOf([day]),
  ...feeBoundsOf(day.fee_quantiles, day.distribution_version),
  ...dollarsOf([day]),
  unpriced_reason: day.unpriced_reason,
});

/**
 * Returns the row of a period.
 * @param date first day of the period
 * @param days all its days since the chain's first, ascending
 */
export function periodRow(date: UtcDay, days: readonly CountedDay[]): PublicRow {
  const counts = days.map(({ feeCounts }) => feeCounts).filter((one) => one !== undefined);
  const quantiles = counts.length < days.length ? undefined : quantilesOf(sumFeeCounts(counts));
  return {
    date,
    day_count: days.length,
    ...figuresOf(days),
    ...measureFieldsOf(days),
    ...feeBoundsOf(quantiles, lowest(days.map((day) => day.distribution_version))),
    ...dollarsOf(days),
  };
}

/** A day with its distribution, which is undefined when the day was imported without details. */
export type CountedDay = PublicDay & { readonly feeCounts: FeeCounts | undefined };

/** An hour, with the attributes of its day. `date` is such as `2026-11-21T13`. */
export type PublicHour = { readonly date: string } & z.output<
  z.ZodMiniObject<typeof totalsShape & typeof versionsShape>
>;

export const hourRow = (hour: PublicHour): PublicRow => ({
  date: hour.date,
  ...figuresOf([hour]),
  ...measureFieldsOf([hour]),
});

const restatementRow = (old: z.output<typeof restatedSchema>): RestatementRow => ({
  revision: old.revision,
  // An imported day may have a longer one.
  reason: cutReason(old.reason),
  restated_at: old.restated_at,
  transaction_count: old.transaction_count,
  fees: paidAmount([old]),
});

type Figures = Omit<PublicHour, 'date'> & Partial<Pick<PublicDay, 'first_block' | 'last_block'>>;

/** Sums days, or parts of them. */
export function sumsOf(days: readonly TotalsAttributes[]): SumFields {
  const count = (of: (day: TotalsAttributes) => number) => days.reduce((sum, day) => sum + of(day), 0);
  const transactions = count((day) => day.transaction_count);
  const protocol = count((day) => day.protocol_transaction_count);
  return {
    transaction_count: transactions,
    user_transaction_count: transactions - protocol,
    protocol_transaction_count: protocol,
    fees: paidAmount(days),
    ...mapPaidAttributes((name) => paidPartAmount(days, name)),
    retryable_double_count: coinAmount(days.reduce((sum, day) => sum + day.retryable_double_count, 0n)),
    block_count: count((day) => day.block_count),
  };
}

/** Sums days, with the weakest evidence, the lowest definition version, and the latest revision and time of all. */
function figuresOf(days: readonly Figures[]): FigureFields {
  return {
    ...sumsOf(days),
    first_block: days.find((day) => day.first_block)?.first_block,
    last_block: days.at(-1)?.last_block,
    evidence: weakestEvidence(days.map(({ evidence }) => evidence)),
    definition_version: Math.min(...days.map((day) => day.definition_version)),
    revision: Math.max(...days.map((day) => day.revision)),
    ingested_at: days.map((day) => day.ingested_at).reduce(laterTime),
  };
}

/** Compares times as numbers, because imported ones may have any number of fractional digits. */
const laterTime = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? b : a);

/** Sums the measures of days. If one day lacks a measure, its sum is undefined. */
export function measureFieldsOf(
  days: readonly (TotalsAttributes & Pick<Figures, 'measures_version'>)[],
): MeasureFields {
  const sum = (name: MeasureAttribute | 'execution_fees') => sumKnown(days.map((day) => day[name]));
  const [priority, execution] = [sum('priority_fees'), sum('execution_fees')];
  return {
    failed_transaction_count: knownCount(sum('failed_transaction_count')),
    base_fees: knownAmount(sumKnown([execution, priority && -priority])),
    priority_fees: knownAmount(priority),
    gas_used: sum('gas_used')?.toString(),
    blob_count: knownCount(sum('blob_count')),
    measures_version: lowest(days.map((day) => day.measures_version)),
  };
}

const knownCount = (sum: bigint | undefined): number | undefined =>
  sum === undefined ? undefined : Number(sum);

/** Returns the lowest version, or undefined if a day has none. */
const lowest = (versions: readonly (number | undefined)[]): number | undefined =>
  versions.reduce((low, version) =>
    low === undefined || version === undefined ? undefined : Math.min(low, version),
  );

interface Dollars {
  readonly fees_usd?: string | undefined;
  /** For a period: the first and the last price of all days, and no aggregator if the days have several. */
  readonly price?:
    | (Omit<NonNullable<PublicDay['price']>, 'aggregator'> & { readonly aggregator?: string | undefined })
    | undefined;
  /** Only of a day without dollars, if the reason is known. */
  readonly unpriced_reason?: string | undefined;
}

/** Sums the dollars of days. There are none if one day has none. */
function dollarsOf(days: readonly Pick<PublicDay, 'fees_usd' | 'price'>[]): Dollars {
  const sum = sumOfDollars(days.map(({ fees_usd }) => fees_usd));
  const prices = days.flatMap(({ price }) => price ?? []);
  const [first, last] = [prices[0], prices.at(-1)];
  if (sum === undefined || prices.length < days.length || !first || !last) return {};
  return {
    fees_usd: sum,
    price: {
      first: first.first,
      last: last.last,
      updates: prices.reduce((sum, { updates }) => sum + updates, 0),
      aggregator: prices.every(({ aggregator }) => aggregator === first.aggregator)
        ? first.aggregator
        : undefined,
      evidence: prices.every(({ evidence }) => evidence === 'proven') ? 'proven' : 'reported',
    },
  };
}

/** Returns the typical fees as the bounds of their buckets: none where no transaction pays a fee. */
export const feeBoundsOf = (
  quantiles: PublicDay['fee_quantiles'],
  version: number | undefined,
): FeeBounds => ({
  median_fee: quantiles && amountBounds(quantiles.median),
  p10_fee: quantiles && amountBounds(quantiles.p10),
  p90_fee: quantiles && amountBounds(quantiles.p90),
  distribution_version: version,
});
