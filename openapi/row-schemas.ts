import * as z from 'zod/mini';
import { evidences, MAX_REASON_LENGTH } from '../core/figures/day-figures.ts';
import { priceEvidences } from '../core/figures/dollars.ts';
import { feeParts, mapPaidAttributes, type PaidPartName } from '../core/figures/fee-parts.ts';
import { chainSchema } from '../lambda/api/chain-input.ts';
import { daySchema } from '../lambda/api/query.ts';
import { amount, blockSchema, count, optionalText, text, time } from './field-schemas.ts';
import { described, registry } from './registry.ts';

const chainOfRow = described(z.optional(chainSchema), 'Only if the request names several chains.');

const dateSchema = described(
  z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}(T\d{2})?$/)),
  'A day (UTC), such as `2026-11-21`; of a period its first day; with the interval `hour`, an hour such as `2026-11-21T13`.',
);

export const TRANSACTION_COUNT =
  "The number of transactions in the day's blocks, as block explorers count them: failed transactions and those " +
  'that the protocol itself inserted are included. An integer.';

export const FEES =
  'Everything that senders paid on the day for inclusion and execution: execution, L1 data, operator and blob ' +
  'fees, including burned base fees. The unit is the coin of the chain (`X-Fees-Currency`). The value is an exact ' +
  'decimal with up to 18 fractional digits, sent as a string because a floating-point number would lose digits.';

const VALUE = 'A final day and its value.';

z.object({ chain: chainOfRow, date: dateSchema, transaction_count: count(TRANSACTION_COUNT) }).register(
  registry,
  { id: 'TransactionCountDay', description: VALUE },
);

const decimal = () => z.string().check(z.regex(/^\d+(\.\d+)?$/));

const feesInDollars = described(
  z.optional(decimal()),
  "The sum of each block's fees times the price of the coin that a feed had recorded last on the same chain, an exact decimal. The price is an oracle's word. Absent where no recent price was recorded, and from a period in which a day has none.",
);

z.object({
  chain: chainOfRow,
  date: dateSchema,
  fees: amount(FEES),
  fees_usd: described(z.clone(feesInDollars), 'As in `DayDetails`. Only if `fields` names it.'),
}).register(registry, { id: 'FeesDay', description: VALUE });

const kind = <Kind extends string>(name: Kind, description: string) =>
  described(z.literal(name), description);

export const finalitySchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: kind(
        'sync committee',
        "Two thirds of a sync committee of the chain's validators signed that this beacon block is final.",
      ),
      slot: count('The slot of the beacon block.'),
      root: text('The root of the beacon block.'),
    }),
    z.object({
      kind: kind(
        'fast finality',
        "Two thirds of BSC's validators voted for two blocks in a row, which makes the first final.",
      ),
      source: blockSchema,
      target: blockSchema,
    }),
    z.object({
      kind: kind('reported', 'Hosts called the block final, and no proof is known.'),
      hosts: described(z.array(z.string()), 'Those hosts, sorted.'),
    }),
  ])
  .register(registry, {
    id: 'Finality',
    description:
      'The reason why the block to which the day links is final. Each block from there back to the day follows by hash, except for an archived day.',
  });

const archiveSchema = z
  .object({
    name: text('The archive.'),
    file_sha256: text('The SHA-256 of the file.'),
    query_sha256: optionalText('The SHA-256 of the query that made the file.'),
    audit: z.object({
      audited_at: time('The time of the audit (UTC).'),
      ranges_compared: count('The ranges of blocks that were read from nodes, proven and compared.'),
      ranges: count('The ranges of blocks in the file.'),
      statement: text('The sentence that the audit supports.'),
    }),
    void_since: described(
      z.optional(z.iso.datetime()),
      'The time at which a proof contradicted a day of the file, so that its audit is void (UTC).',
    ),
  })
  .register(registry, {
    id: 'Archive',
    description: 'Only for an archived day: its archive, and the audit of the file.',
  });

const restatementSchema = z
  .object({
    revision: count('The revision that was replaced.'),
    reason: described(z.string().check(z.maxLength(MAX_REASON_LENGTH)), "The operator's reason."),
    restated_at: time('The time of the replacement (UTC).'),
    transaction_count: count('The count until then.'),
    fees: amount('The fees until then.'),
  })
  .register(registry, {
    id: 'Restatement',
    description: 'The figures of a final day before they were replaced on purpose.',
  });

const known = (schema: typeof count | typeof amount, description: string) =>
  z.optional(schema(`${description} Absent where it is not known.`));

const bounds = {
  from: amount('The lowest fee in the bucket.'),
  to: amount('The end of the bucket: all fees in it are lower.'),
};

const boundsSchema = z
  .object(bounds)
  .register(registry, { id: 'FeeBounds', description: 'The bounds of the bucket that a fee is in.' });

const feeBounds = (share: string) =>
  described(
    z.optional(boundsSchema),
    `The fee that ${share} of the transactions that pay one do not exceed, as the bounds of its bucket. Absent where it is not known, and where none pays a fee.`,
  );

const partOfFees = (name: PaidPartName) =>
  amount(
    `A part of \`fees\`. ${feeParts[name].description.replace(/^(\w)/, (first) => first.toUpperCase())}.`,
  );

const priceSchema = z
  .object({
    first: described(decimal(), 'The first price in dollars that the feed recorded in these blocks.'),
    last: described(decimal(), 'The last one.'),
    updates: count('The number of prices that it recorded.'),
    aggregator: optionalText(
      'The contract that recorded them. Absent from a period in which the feed moved to another one.',
    ),
    evidence: described(
      z.enum(priceEvidences),
      'The evidence that the feed used this contract: `proven` by the state of final blocks before and after, or `reported` by two hosts.',
    ),
  })
  .register(registry, {
    id: 'Price',
    description:
      'The prices of the coin that a Chainlink feed recorded on the chain. The hashes of the chain prove that they were recorded; whether they were right depends on the operators of the feed.',
  });

export const sums = {
  transaction_count: count('As in `TransactionCountDay`.'),
  user_transaction_count: count('`transaction_count` without `protocol_transaction_count`.'),
  protocol_transaction_count: count('The transactions that the protocol itself inserted.'),
  fees: amount('As in `FeesDay`, the sum of the next four.'),
  ...mapPaidAttributes(partOfFees),
  retryable_double_count: amount(`${feeParts.retryableDoubleCount.description}.`),
  base_fees: known(amount, 'The part of `execution_fees` at the base fee of each block.'),
  priority_fees: known(amount, 'The rest of `execution_fees`: what is paid above the base fee.'),
  gas_used: described(
    z.optional(z.string().check(z.regex(/^\d+$/))),
    'The sum of the gas of all receipts, an integer, as a string because a number would lose digits.',
  ),
  failed_transaction_count: known(count, 'The transactions whose receipt has the status 0.'),
  blob_count: known(count, 'The number of blobs.'),
  measures_version: known(
    count,
    'The version of the definitions of gas, failures, blobs, base and priority fees, and hours.',
  ),
  block_count: count('The number of blocks.'),
};

export const typicalFees = {
  median_fee: feeBounds('half'),
  p10_fee: feeBounds('a tenth'),
  p90_fee: feeBounds('nine tenths'),
  distribution_version: known(count, 'The version of the buckets of `median_fee`, `p10_fee` and `p90_fee`.'),
};

export const evidenceSchema = described(
  z.enum(evidences),
  '`proven` if every block was recomputed from data that hashes to the finalized block; `archived` if the day comes from an archive whose file was audited; else `checked`.',
);

export const definitionVersion = count(
  'The version of the definitions of transactions and fees that the figures follow.',
);

z.object({
  chain: chainOfRow,
  date: dateSchema,
  day_count: z.optional(count('The number of days in the period. Absent from rows of a day.')),
  ...sums,
  ...typicalFees,
  fees_usd: feesInDollars,
  price: z.optional(priceSchema),
  unpriced_reason: optionalText(
    'The reason why a day has no `fees_usd`, such as `no state`, `changed` or `stale`, with details after a colon.',
  ),
  first_block: z.optional(blockSchema),
  last_block: z.optional(blockSchema),
  evidence: evidenceSchema,
  definition_version: definitionVersion,
  revision: count('1, and one more for each restatement.'),
  ingested_at: time('The time at which these figures became final (UTC).'),
  parent_hash: optionalText('The hash of the last block before the day. Only for a day.'),
  finality: z.optional(finalitySchema),
  archive: z.optional(archiveSchema),
  restatements: described(
    z.optional(z.array(restatementSchema)),
    'Only for a restated day, the oldest first.',
  ),
}).register(registry, {
  id: 'DayDetails',
  description:
    'A final day with everything that its figures rest on. Without blocks it has no `first_block`, and `last_block` is ' +
    'the last block before it. A period has the sums of its days, the first and the last block of all, the weakest ' +
    'evidence, the lowest `definition_version`, and the latest `revision` and `ingested_at`.',
});

z.object({
  chain: chainOfRow,
  date: daySchema,
  from: amount(
    'The lowest fee in the bucket, as an exact decimal of the coin of the chain (`X-Fees-Currency`).',
  ),
  to: bounds.to,
  transaction_count: count('The number of transactions whose fee is in the bucket.'),
}).register(registry, {
  id: 'FeeBucket',
  description: 'A bucket of fees in which a final day or a period has transactions.',
});
