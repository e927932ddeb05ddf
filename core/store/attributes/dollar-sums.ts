import * as z from 'zod/mini';
import { type DollarSums, priceEvidences } from '../../figures/dollars.ts';
import { jsonText } from '../table/decode-item.ts';

/* Dollars in progress and details are stored as JSON, because their integers have more digits than DynamoDB keeps. */

const integer = z.pipe(
  z.string().check(z.regex(/^-?\d{1,100}$/)),
  z.transform((digits: string) => BigInt(digits)),
);

const updateSchema = z.optional(z.object({ answer: integer, round: integer, updatedAt: z.int() }));

export const readingShape = {
  number: z.int(),
  hash: z.string(),
  aggregator: z.string(),
  evidence: z.enum(priceEvidences),
};

const sumsSchema = z.object({
  aggregator: z.string(),
  maxAge: z.int(),
  unpriced: integer,
  unpricedUntil: z.int(),
  priced: integer,
  first: updateSchema,
  last: updateSchema,
  updates: z.int(),
  readings: z.readonly(z.array(z.object(readingShape))),
  doubt: z.optional(z.string()),
});

export const dollarSumsSchema = jsonText(sumsSchema);

export const encodeDollarSums = (sums: DollarSums): string =>
  JSON.stringify(sums, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
