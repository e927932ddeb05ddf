import * as z from 'zod/mini';
import { type Finality, reportedBy } from '../../figures/block.ts';
import { evidences } from '../../figures/day-figures.ts';
import { priceEvidences } from '../../figures/dollars.ts';
import { blockRefShape, integer, optionalInteger, totalsShape } from './shared-attributes.ts';

/* Attributes of a day item that its public row shows. `day-item.ts` has the others, and checks the items of files more strictly. */

const blockSchema = z.object(blockRefShape);

// These two are lazy, because few days have them, and a schema takes time in the cold start of a query function.
const linksToSchema = z.lazy(() =>
  z.union([
    z.strictObject({ slot: integer, root: z.string() }),
    z.strictObject({ source: blockSchema, target: blockSchema }),
  ]),
);

const archiveSchema = z.lazy(() => {
  const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
  return z.strictObject({
    name: z.string(),
    file_sha256: hashSchema,
    query_sha256: z.optional(hashSchema),
    audit: z.strictObject({
      audited_at: z.iso.datetime(),
      ranges_compared: integer,
      ranges: integer,
      statement: z.string(),
    }),
    void_since: z.optional(z.iso.datetime()),
  });
});

/** The reason why a day is final: hosts in `confirmed_by`, or evidence of the chain in `links_to`, whose kind follows from its members. */
export const finalityShape = { confirmed_by: z.array(z.string()), links_to: z.optional(linksToSchema) };

/** Absent until a day is priced. Then it has dollars with their prices, or a reason why it has none. */
export const pricedShape = {
  fees_usd: z.optional(z.string()),
  price: z.optional(
    z.object({
      first: z.string(),
      last: z.string(),
      updates: integer,
      aggregator: z.string(),
      evidence: z.enum(priceEvidences),
    }),
  ),
  unpriced_reason: z.optional(z.string()),
};

export type PricedAttributes = Partial<z.output<z.ZodMiniObject<typeof pricedShape>>>;

/** The attributes of a day that the rows of its hours also show. */
export const versionsShape = {
  evidence: z.enum(evidences),
  definition_version: integer,
  // Absent in days that were imported without details.
  measures_version: optionalInteger,
  revision: integer,
  ingested_at: z.string(),
};

export const dayShape = {
  ...totalsShape,
  ...versionsShape,
  parent_hash: z.string(),
  first_block: z.optional(blockSchema),
  last_block: blockSchema,
  ...finalityShape,
  // Absent unless the day comes from an archive. DynamoDB reserves the word `archive`.
  archived_from: z.optional(archiveSchema),
  // Absent in days that were imported without details.
  distribution_version: optionalInteger,
  /** The indexes of buckets; also absent if no transaction pays a fee. */
  fee_quantiles: z.optional(z.object({ p10: integer, median: integer, p90: integer })),
  ...pricedShape,
};

/** The reason why a day is final, as attributes. */
export interface FinalityAttributes {
  readonly confirmed_by: readonly string[];
  readonly links_to?: z.output<typeof linksToSchema> | undefined;
}

export function toFinalityAttributes(finality: Finality): FinalityAttributes {
  if (finality.kind === 'reported') return { confirmed_by: finality.hosts };
  const { kind: _, ...links_to } = finality;
  return { confirmed_by: [], links_to };
}

export function finalityOf({ confirmed_by, links_to }: FinalityAttributes): Finality {
  if (!links_to) return reportedBy(confirmed_by);
  return 'slot' in links_to
    ? { kind: 'sync committee', ...links_to }
    : { kind: 'fast finality', ...links_to };
}
