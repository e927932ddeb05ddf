import * as z from 'zod';
import { chainNames } from '../../lambda/chains/chains.ts';
import { evidences } from '../../lambda/chains/evidence.ts';
import { mapFeeAttributes } from '../../lambda/chains/fee-parts.ts';
import { printable } from '../../lambda/printable.ts';
import { HOST } from '../../lambda/rpc/host.ts';
import { SOFTWARE_VERSION, type StoredDay } from '../../lambda/store/day-item.ts';
import { CommandError } from '../exit-codes.ts';

/* A final day as export writes it and import reads it: the attributes of the stored item, with wei as decimal strings. */

const MISSING = 'is missing';

/** Half of the fields that a row must have. */
const MAX_MISSING = 8;

const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? MISSING : `expected ${what}`),
});

const count = z.int(expected('a whole number')).min(0, expected('a whole number, 0 or more'));
const positive = count.min(1, expected('a whole number, 1 or more'));
const text = z.string(expected('text'));
const time = z.iso.datetime(expected('a UTC time, such as 2026-11-21T00:05:00.000Z'));

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
      .regex(/^0x[0-9a-f]{64}$/, expected('a block hash, 0x and 64 lower-case hex digits')),
  },
  expected('a block with number and hash'),
);

const version = z
  .string(expected('a version, such as 1.2.3'))
  .regex(SOFTWARE_VERSION, expected('a version, such as 1.2.3'));

const host = z
  .string(expected('the host of an endpoint'))
  .regex(HOST, expected('the host of an endpoint, such as node.example:8545'));

/** More elements fit no item of the table. Checked before the elements, so that a list of a million errors costs nothing. */
const MAX_ELEMENTS = 1_000;

const list = <Element extends z.ZodType>(element: Element, what: string) =>
  z
    .array(z.custom<z.input<Element>>(), expected(what))
    .max(MAX_ELEMENTS, `has more than ${MAX_ELEMENTS} elements`)
    .pipe(z.array(element));

const revisionShape = {
  block_count: count,
  transaction_count: count,
  protocol_transaction_count: count,
  ...mapFeeAttributes(() => wei),
  first_block: block.optional(),
  last_block: block,
  definition_version: positive,
  revision: positive,
  software_version: version,
  ingested_at: time,
  endpoint_hosts: list(host, 'a list of hosts'),
  // Rows of release 0.1.0 have none of these: no block was proven.
  evidence: z.enum(evidences, expected(`one of ${evidences.join(', ')}`)).default('checked'),
  proven_blocks: count.default(0),
  confirmed_by: list(host, 'a list of hosts').default([]),
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
    restated: list(restated, 'a list of earlier revisions').optional(),
  },
  expected('an object with the fields of a day'),
);

/** A day as JSON. Its fields have the order of the schema, so that equal days have equal text. */
export type DayRow = z.input<typeof rowSchema>;

/** @throws CommandError that names each field that import would refuse */
export function toRow(day: StoredDay): DayRow {
  const { data, error } = rowSchema.safeEncode(day);
  if (data) return data;
  throw new CommandError(
    `${day.chain} ${day.date} cannot be exported: import would refuse it (${problemsIn(error).join('; ')}). Restate the day.`,
  );
}

/** The day in a row, or the problems of its fields. */
export type DecodedRow = { readonly day: StoredDay } | { readonly problems: readonly string[] };

export function fromRow(row: unknown): DecodedRow {
  const { data, error } = rowSchema.safeParse(row);
  if (data) return { day: data };
  // An object without most of the fields comes from elsewhere, and naming each of them would help nobody.
  const missing = error.issues.filter(({ path, message }) => path.length === 1 && message === MISSING);
  return {
    problems: missing.length > MAX_MISSING ? ['not a row of chain-insights export'] : problemsIn(error),
  };
}

const MAX_KEYS = 20;
const MAX_KEY_LENGTH = 100;

const problemsIn = ({ issues }: z.ZodError): string[] =>
  issues.flatMap(({ path, message, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MAX_KEYS).map((key) => `${[...path, shorten(key)].join('.')}: unknown field`)
      : [path.length > 0 ? `${path.join('.')}: ${message}` : message],
  );

/** Returns a name from a file, fit for a message. */
const shorten = (key: string): string => printable(key.slice(0, MAX_KEY_LENGTH));
