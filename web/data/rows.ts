import * as z from 'zod/mini';
import { evidences } from '../../core/figures/day-figures.ts';
import { priceEvidences } from '../../core/figures/dollars.ts';
import { withoutControls } from './printable.ts';

const blockSchema = z.object({ number: z.int(), hash: z.string() });

/** Text that people or files wrote. */
const written = z.pipe(z.string(), z.transform(withoutControls));

const boundsSchema = z.object({ from: z.string(), to: z.string() });

/** A final day, an hour of one, or a period of final days, as the API returns it. */
const fullRowSchema = z.object({
  date: z.string().check(z.regex(/^\d{4}-\d\d-\d\d(T\d\d)?$/)),
  transaction_count: z.int(),
  user_transaction_count: z.int(),
  protocol_transaction_count: z.int(),
  fees: z.string(),
  execution_fees: z.string(),
  l1_data_fees: z.string(),
  operator_fees: z.string(),
  blob_fees: z.string(),
  base_fees: z.optional(z.string()),
  priority_fees: z.optional(z.string()),
  median_fee: z.optional(boundsSchema),
  p10_fee: z.optional(boundsSchema),
  p90_fee: z.optional(boundsSchema),
  failed_transaction_count: z.optional(z.int()),
  gas_used: z.optional(z.string()),
  blob_count: z.optional(z.int()),
  fees_usd: z.optional(z.string()),
  price: z.optional(
    z.object({
      first: z.string(),
      last: z.string(),
      updates: z.int(),
      aggregator: z.optional(z.string()),
      evidence: z.enum(priceEvidences),
    }),
  ),
  unpriced_reason: z.optional(written),
  block_count: z.int(),
  first_block: z.optional(blockSchema),
  last_block: z.optional(blockSchema),
  evidence: z.enum(evidences),
  archive: z.optional(
    z.object({ name: written, audit: z.object({ statement: written }), void_since: z.optional(written) }),
  ),
  definition_version: z.int(),
  /** 1 until the day is restated. */
  revision: z.int(),
  ingested_at: z.string(),
  parent_hash: z.optional(z.string()),
  finality: z.optional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('reported'), hosts: z.array(written) }),
      z.object({ kind: z.literal('sync committee'), slot: z.int(), root: z.string() }),
      z.object({ kind: z.literal('fast finality'), source: blockSchema, target: blockSchema }),
    ]),
  ),
  restatements: z.optional(
    z.array(
      z.object({
        revision: z.int(),
        reason: written,
        restated_at: z.string(),
        transaction_count: z.int(),
        fees: z.string(),
      }),
    ),
  ),
});
export type FullRow = z.infer<typeof fullRowSchema>;

/** A row with at least the fields that every request of these pages asks for. */
export const rowSchema = z.extend(z.partial(fullRowSchema), {
  ...z.pick(fullRowSchema, { date: true, evidence: true, revision: true }).shape,
  /** Only in the answer to a request for several chains. */
  chain: z.optional(z.string()),
});
export type DayRow = z.infer<typeof rowSchema>;

/** An hour of the running day. */
const hourSchema = z.extend(z.partial(fullRowSchema), z.pick(fullRowSchema, { date: true }).shape);

/** The running day, as the API returns it. Until one of its blocks is final, it has no figures. */
export const runningSchema = z.extend(hourSchema, {
  chain: z.string(),
  /** The last block that is counted. */
  through: z.optional(z.object({ time: z.iso.datetime() })),
  /** Those that are over, from midnight. */
  hours: z.optional(z.array(hourSchema)),
});
export type RunningRow = z.infer<typeof runningSchema>;

/** Returns true for a row of a request without `fields`. */
export const isFull = (row: DayRow): row is FullRow => row.ingested_at !== undefined;
