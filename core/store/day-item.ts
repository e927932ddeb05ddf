import * as z from 'zod/mini';
import { chainNames } from '../chains/chains.ts';
import type { DayDetails } from '../figures/day-details.ts';
import { type DayFigures, evidences, HOST_PATTERN, type Provenance } from '../figures/day-figures.ts';
import { priceEvidences } from '../figures/dollars.ts';
import { DISTRIBUTION_VERSION, quantilesOf } from '../figures/fee-buckets.ts';
import { MEASURES_VERSION } from '../figures/measures.ts';
import { decodeItem, describeIssues } from './decode-item.ts';
import { linksToShape, toFinalityAttributes } from './finality-attributes.ts';
import {
  blockRefShape,
  integer,
  quantilesSchema,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
  withFormerNames,
  withTotals,
} from './shared-attributes.ts';
/** A spreadsheet runs a cell that begins with =, +, - or @ as a formula. */
export const VERSION_PATTERN = /^\d[\w.+-]{0,63}$/;

const HASH = /^0x[0-9a-f]{64}$/;
const hashSchema = z.string().check(z.regex(HASH));
const blockSchema = z.strictObject({ ...blockRefShape, hash: hashSchema });

const counter = z.pipe(z.bigint().check(z.minimum(1n)), z.transform(Number));

/** Absent in days that earlier versions stored. */
const measuredShape = {
  measures_version: z.optional(counter),
  distribution_version: z.optional(counter),
  // Absent where no transaction pays a fee, too.
  fee_quantiles: z.optional(quantilesSchema),
};

const ADDRESS = /^0x[0-9a-f]{40}$/;
const dollarsSchema = z.string().check(z.regex(/^\d+(\.\d+)?$/));

/** Absent until a day is priced: then it has dollars with their prices, or the reason why it has none. */
export const pricedShape = {
  fees_usd: z.optional(dollarsSchema),
  price: z.optional(
    z.strictObject({
      first: dollarsSchema,
      last: dollarsSchema,
      updates: counter,
      aggregator: z.string().check(z.regex(ADDRESS)),
      evidence: z.enum(priceEvidences),
    }),
  ),
  unpriced_reason: z.optional(z.string()),
};

export type PricedAttributes = Partial<z.output<z.ZodMiniObject<typeof pricedShape>>>;

const figuresShape = {
  ...totalsShape,
  parent_hash: z.optional(hashSchema),
  first_block: z.optional(blockSchema),
  last_block: blockSchema,
  definition_version: counter,
};

const revisionShape = {
  ...figuresShape,
  revision: counter,
  // Absent until something is added to the revision.
  amendments: z.optional(counter),
  software_version: z.string().check(z.regex(VERSION_PATTERN)),
  ingested_at: z.iso.datetime(),
  endpoint_hosts: z.array(z.string().check(z.regex(HOST_PATTERN))),
  // Days of release 0.1.0 have none of these: no block was proven.
  evidence: z._default(z.enum(evidences), 'checked'),
  proven_blocks: z._default(integer, 0),
  confirmed_by: z._default(z.array(z.string().check(z.regex(HOST_PATTERN))), []),
  ...measuredShape,
  ...pricedShape,
  ...linksToShape,
};

const restatedShape = {
  ...revisionShape,
  reason: z.string(),
  requested_at: z.iso.datetime(),
  restated_at: z.iso.datetime(),
};

const storedDaySchema = withTotals(
  z.strictObject({
    chain: z.enum(chainNames),
    date: z.iso.date(),
    ...revisionShape,
    restated: z.optional(z.array(withTotals(z.strictObject(restatedShape)))),
  }),
);

/** All attributes of a final day's item, with the figures before each restatement. Fees are wei. */
export type StoredDay = z.output<typeof storedDaySchema>;

/** Returns an item with its figures and provenance. @param details absent of days without measures */
export const toDayItem = (
  day: DayFigures,
  provenance: Provenance,
  revision: number,
  details?: DayDetails,
) => ({
  date: day.day,
  ...withFormerNames(totalsToAttributes(day.totals)),
  parent_hash: day.parentHash,
  first_block: day.first,
  last_block: day.last,
  definition_version: day.definitionVersion,
  revision,
  software_version: provenance.softwareVersion,
  ingested_at: provenance.ingestedAt.toISOString(),
  endpoint_hosts: provenance.hosts,
  evidence: provenance.evidence,
  proven_blocks: provenance.provenBlocks,
  ...toFinalityAttributes(provenance.finality),
  ...(details && {
    measures_version: MEASURES_VERSION,
    distribution_version: DISTRIBUTION_VERSION,
    fee_quantiles: quantilesOf(details.feeCounts),
  }),
});

const figuresSchema = withTotals(z.object({ date: z.string(), ...figuresShape }));

/** Reads the figures of an item and ignores attributes that this version does not know. */
export const decodeFigures = (chain: string, item: unknown): DayFigures =>
  figuresOf(decodeItem(figuresSchema, chain, item));

export const figuresOf = (day: z.output<typeof figuresSchema>): DayFigures => ({
  day: day.date,
  totals: totalsFromAttributes(day),
  parentHash: day.parent_hash,
  first: day.first_block,
  last: day.last_block,
  definitionVersion: day.definition_version,
});

/** A day, or which of its attributes are unknown, missing or invalid. */
export type ParsedDay = { readonly day: StoredDay } | { readonly problem: string };

/** Reads all attributes of an item, which may come from a file. */
export function parseStoredDay(item: unknown): ParsedDay {
  const { data, error } = storedDaySchema.safeParse(item);
  return data ? { day: data } : { problem: describeIssues(error.issues) };
}

/** An item with attributes that this version does not know: a copy of it would be incomplete. */
export class UnknownItemError extends Error {
  override readonly name = 'UnknownItemError';
}

/** @throws UnknownItemError with the problem of an item that this version cannot read */
export function decodeStoredDay(item: unknown): StoredDay {
  const parsed = parseStoredDay(item);
  if ('day' in parsed) return parsed.day;
  const { chain, date } = z.object({ chain: z.string(), date: z.string() }).parse(item);
  throw new UnknownItemError(
    `This version cannot read the item ${chain} ${date}: ${parsed.problem}. Use the version that wrote it.`,
  );
}
