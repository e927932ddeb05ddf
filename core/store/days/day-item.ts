import * as z from 'zod/mini';
import { chainNames } from '../../chains/chains.ts';
import {
  type DayDetails,
  type DayFigures,
  HOST_PATTERN,
  type Provenance,
} from '../../figures/day-figures.ts';
import { priceEvidences } from '../../figures/dollars.ts';
import { DISTRIBUTION_VERSION, quantilesOf } from '../../figures/fee-buckets.ts';
import { MEASURES_VERSION } from '../../figures/measures.ts';
import { dayShape, type FinalityAttributes, toFinalityAttributes } from '../attributes/day-attributes.ts';
import {
  blockRefShape,
  integer,
  totalsFromAttributes,
  totalsShape,
} from '../attributes/shared-attributes.ts';
import { decodeItem, describeIssues } from '../table/decode-item.ts';
import type { Item } from '../table/table.ts';
import { partsOfDay } from './compare-figures.ts';

/** A version begins with a digit, because a spreadsheet runs a cell that begins with =, +, - or @ as a formula. */
export const VERSION_PATTERN = /^\d[\w.+-]{0,63}$/;

const hashSchema = z.string().check(z.regex(/^0x[0-9a-f]{64}$/));
const blockSchema = z.strictObject({ ...blockRefShape, hash: hashSchema });
const hostsSchema = z.array(z.string().check(z.regex(HOST_PATTERN)));
const counter = z.pipe(z.bigint().check(z.minimum(1n)), z.transform(Number));
const dollarsSchema = z.string().check(z.regex(/^\d+(\.\d+)?$/));

const figuresShape = {
  ...totalsShape,
  parent_hash: hashSchema,
  first_block: z.optional(blockSchema),
  last_block: blockSchema,
  definition_version: counter,
};

// The embedded table keeps the order of attributes.
const revisionShape = {
  ...figuresShape,
  revision: counter,
  // Absent until a price or better evidence is added to the revision.
  amendments: z.optional(counter),
  software_version: z.string().check(z.regex(VERSION_PATTERN)),
  ingested_at: z.iso.datetime(),
  endpoint_hosts: hostsSchema,
  evidence: dayShape.evidence,
  proven_blocks: integer,
  confirmed_by: hostsSchema,
  measures_version: z.optional(counter),
  distribution_version: z.optional(counter),
  fee_quantiles: dayShape.fee_quantiles,
  fees_usd: z.optional(dollarsSchema),
  price: z.optional(
    z.strictObject({
      first: dollarsSchema,
      last: dollarsSchema,
      updates: counter,
      aggregator: z.string().check(z.regex(/^0x[0-9a-f]{40}$/)),
      evidence: z.enum(priceEvidences),
    }),
  ),
  unpriced_reason: dayShape.unpriced_reason,
  links_to: dayShape.links_to,
  archived_from: dayShape.archived_from,
};

const restatedShape = {
  ...revisionShape,
  reason: z.string(),
  requested_at: z.iso.datetime(),
  restated_at: z.iso.datetime(),
};

const storedDaySchema = z.strictObject({
  chain: z.enum(chainNames),
  date: z.iso.date(),
  ...revisionShape,
  restated: z.optional(z.array(z.strictObject(restatedShape))),
});

/** All attributes of a final day's item, with the figures before each restatement. Fees are wei. */
export type StoredDay = z.output<typeof storedDaySchema>;

/** The item of a day before a restatement or a price. */
export interface DayItem
  extends Omit<StoredDay, 'chain' | 'restated' | 'endpoint_hosts' | keyof FinalityAttributes>,
    FinalityAttributes {
  readonly endpoint_hosts: readonly string[];
}

/** Returns the item of a day. @param details absent for days without measures */
export const toDayItem = (
  figures: DayFigures,
  provenance: Provenance,
  revision: number,
  details?: DayDetails,
): DayItem => ({
  date: figures.day,
  ...partsOfDay(figures),
  revision,
  software_version: provenance.softwareVersion,
  ingested_at: provenance.ingestedAt.toISOString(),
  endpoint_hosts: provenance.hosts,
  evidence: provenance.evidence,
  proven_blocks: provenance.provenBlocks,
  ...toFinalityAttributes(provenance.finality),
  archived_from: provenance.archive,
  ...(details && {
    measures_version: MEASURES_VERSION,
    distribution_version: DISTRIBUTION_VERSION,
    fee_quantiles: quantilesOf(details.feeCounts),
  }),
});

export const figuresSchema = z.object({ date: z.string(), ...figuresShape });

/** Reads the figures of an item and ignores attributes that this version does not know. */
export const decodeFigures = (chain: string, item: Item): DayFigures =>
  figuresOf(decodeItem(figuresSchema, chain, item));

export const figuresOf = (day: z.output<typeof figuresSchema>): DayFigures => ({
  day: day.date,
  totals: totalsFromAttributes(day),
  parentHash: day.parent_hash,
  first: day.first_block,
  last: day.last_block,
  definitionVersion: day.definition_version,
});

/** Reads all attributes of an item, which may come from a file, or lists those that are unknown, missing or invalid. */
export function parseStoredDay(item: unknown): { day: StoredDay } | { problem: string } {
  const { data, error } = storedDaySchema.safeParse(item);
  return data ? { day: data } : { problem: describeIssues(error.issues) };
}

/** An item has attributes that this version does not know, so a copy would be incomplete. */
export class UnknownItemError extends Error {
  override readonly name = 'UnknownItemError';
}

/** @throws UnknownItemError with the problem of an item that this version cannot read */
export function decodeStoredDay(item: Item): StoredDay {
  const parsed = parseStoredDay(item);
  if ('day' in parsed) return parsed.day;
  throw new UnknownItemError(
    `This version cannot read the item ${item.chain} ${item.date}: ${parsed.problem}. Use the version that wrote it.`,
  );
}
