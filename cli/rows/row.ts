import * as z from 'zod';
import { chainNames } from '../../lambda/chains/chains.ts';
import type { StoredDay } from '../../lambda/store/stored-days.ts';
import { CommandError } from '../exit-codes.ts';

/* A final day as files have it, in every format: the names of the table, and wei as decimal strings. */

/** What is said of a field that is not there, or is something else. */
const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing' : `expected ${what}`,
});

const count = z.int(expected('a whole number')).min(0, expected('a whole number, 0 or more'));
const positive = count.min(1, expected('a whole number, 1 or more'));
const text = z.string(expected('text'));
const time = z.iso.datetime(expected('a time in UTC, such as 2026-11-21T00:05:00.000Z'));

// DynamoDB keeps 38 digits of a number exactly.
const wei = z.codec(
  z.string(expected('a whole number of wei')).regex(/^(0|[1-9]\d{0,37})$/, expected('a whole number of wei')),
  z.bigint(),
  { decode: BigInt, encode: String },
);

const block = z.strictObject(
  {
    number: count,
    hash: z
      .string(expected('a block hash'))
      .regex(/^0x[0-9a-f]{64}$/, expected('a block hash, 0x and 64 lower-case digits')),
  },
  expected('a block, with number and hash'),
);

const host = z
  .string(expected('the host of an endpoint'))
  .regex(/^\S+$/, expected('the host of an endpoint, without spaces'));

const revisionShape = {
  block_count: count,
  transaction_count: count,
  protocol_transaction_count: count,
  execution_fees: wei,
  l1_data_fees: wei,
  operator_fees: wei,
  blob_fees: wei,
  fees_reported_twice: wei,
  first_block: block.optional(),
  last_block: block,
  definition_version: positive,
  revision: positive,
  software_version: text,
  ingested_at: time,
  endpoint_hosts: z.array(host, expected('a list of hosts')),
};

const restated = z.strictObject(
  { ...revisionShape, reason: text, requested_at: time, restated_at: time },
  expected('an earlier revision'),
);

const rowSchema = z.strictObject(
  {
    chain: z.enum(chainNames, expected(`one of ${chainNames.join(', ')}`)),
    date: z.iso.date(expected('a UTC day, YYYY-MM-DD')),
    ...revisionShape,
    restated: z.array(restated, expected('a list of earlier revisions')).optional(),
  },
  expected('an object, with the fields of a day'),
);

/** What JSON has of a day; its fields are in the order of the schema, so that the same day gives the same text. */
export type Row = z.input<typeof rowSchema>;

/** @throws CommandError that names each field that no import would take */
export function toRow(day: StoredDay): Row {
  const { data, error } = rowSchema.safeEncode(day);
  if (data) return data;
  throw new CommandError(
    `${day.chain} ${day.date} is stored in a form that no import would take: ${problemsIn(error).join('; ')}.`,
  );
}

/** What a row holds, or what is wrong with it, field by field. */
export type Decoded = { readonly day: StoredDay } | { readonly problems: readonly string[] };

export function fromRow(row: unknown): Decoded {
  const { data, error } = rowSchema.safeParse(row);
  return data ? { day: data } : { problems: problemsIn(error) };
}

const problemsIn = ({ issues }: z.ZodError): string[] =>
  issues.flatMap(({ path, message, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...path, key].join('.')}: is no field that this version knows`)
      : [path.length > 0 ? `${path.join('.')}: ${message}` : message],
  );
