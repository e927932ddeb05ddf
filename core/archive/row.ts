import * as z from 'zod/mini';
import type { Chain } from '../chains/chains.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import {
  type FeePartName,
  feePartNames,
  feeParts,
  mapFeeAttributes,
  mapFeeParts,
} from '../figures/fee-parts.ts';
import { mapMeasures } from '../figures/measures.ts';
import type { Totals } from '../figures/totals.ts';

/* The form of a file with days of an archive: CSV or NDJSON, a row for each range of blocks (docs/history.md). */

/** A range of blocks of one day with its sums, as an archive has them: without measures. */
export interface ArchiveRow {
  readonly line: number;
  readonly date: UtcDay;
  readonly first: number;
  readonly last: number;
  readonly totals: Totals;
  readonly firstHash?: string | undefined;
  readonly lastHash?: string | undefined;
}

export type ParsedRow = { readonly row: ArchiveRow } | { readonly problem: string };

/**
 * Returns the cells of a line of CSV (RFC 4180) by field, or the members of a line of NDJSON; undefined if the line has another form.
 * @param head the fields; absent in NDJSON
 */
export function cellsByField(
  line: string,
  head?: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  if (!head) return membersOf(line);
  const cells = csvCells(line);
  const isComplete = cells.length === head.length && new Set(head).size === head.length;
  return isComplete ? Object.fromEntries(head.map((name, index) => [name, cells[index]])) : undefined;
}

/** Splits a line into its cells. A cell cannot contain a line break, because no field needs one. */
export const csvCells = (line: string): string[] =>
  // Each cell begins with a comma then, so that no match is empty.
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );

function membersOf(line: string) {
  // JSON has rounded a number above 2^53, so it is refused.
  const exact = (value: number) => (Number.isSafeInteger(value) ? String(value) : `${value} (unsafe)`);
  try {
    return JSON.parse(line, (_, value: unknown) => (typeof value === 'number' ? exact(value) : value));
  } catch {
    return undefined;
  }
}

const MISSING = 'column is missing';
const count = z.pipe(
  z.string(MISSING).check(z.regex(/^(0|[1-9]\d{0,14})$/, 'is not a whole number in digits')),
  z.transform(Number),
);
const wei = z.string(MISSING).check(z.regex(/^(0|[1-9]\d{0,37})?$/, 'is not wei in digits'));
const hash = z.optional(
  z.pipe(
    z.string().check(z.regex(/^(0x[0-9a-f]{64})?$/, 'is not a hash')),
    // A copy: a part of a line would keep the text around it in memory.
    z.transform((text) => Buffer.from(text).toString() || undefined),
  ),
);
const control = z.optional(z.enum(['', '0'], 'is not 0. The archive lacks rows, or has some twice'));

const rowSchema = z.strictObject(
  {
    chain: z.string(MISSING),
    date: z.iso.date('is not a UTC day'),
    first_block: count,
    last_block: count,
    block_count: count,
    transaction_count: count,
    protocol_transaction_count: count,
    ...mapFeeAttributes(() => wei),
    first_block_hash: hash,
    last_block_hash: hash,
    gas_difference: control,
    missing_values: control,
  },
  'is not a known column',
);

const NO_MEASURES = mapMeasures(() => undefined);

export function parseRow(chain: Chain, line: number, cells: Readonly<Record<string, unknown>>): ParsedRow {
  const { success, data: row, error } = rowSchema.safeParse(cells);
  const [field, reason] = (success ? contradictionIn(chain, row) : issueOf(error)) ?? [];
  if (!success || field !== undefined) {
    const value = String(cells[field ?? ''] ?? 'the').slice(0, 60) || 'empty';
    return { problem: `line ${line}, ${String(cells.date).slice(0, 10)}: ${field}: ${value} ${reason}` };
  }
  const totals = {
    blocks: row.block_count,
    transactions: row.transaction_count,
    protocolTransactions: row.protocol_transaction_count,
    // Most parts are 0, and share one value.
    fees: mapFeeParts((name) => BigInt(row[feeParts[name].attribute]) || 0n),
    measures: NO_MEASURES,
  };
  const { date, first_block: first, last_block: last, first_block_hash, last_block_hash } = row;
  return { row: { line, date, first, last, totals, firstHash: first_block_hash, lastHash: last_block_hash } };
}

const issueOf = ({ issues: [issue] }: z.core.$ZodError) => [
  String(issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]),
  issue?.message,
];

/** Returns the first field that contradicts another one, or the definitions, and the reason. */
function contradictionIn(chain: Chain, row: z.output<typeof rowSchema>) {
  const { first_block, last_block, block_count } = row;
  const blocks = last_block - first_block + 1;
  if (row.chain !== chain.name) return ['chain', `is not ${chain.name}`];
  if (blocks !== block_count)
    return ['block_count', `is wrong: ${first_block} to ${last_block} are ${blocks} blocks`];
  if (row.protocol_transaction_count > row.transaction_count)
    return ['protocol_transaction_count', 'exceeds transaction_count'];
  const end = startOfDay(addDays(row.date, 1));
  for (const name of feePartNames) {
    const { attribute } = feeParts[name];
    const exists = end > beginOf(chain, name);
    if (exists && row[attribute] === '')
      return [attribute, `means that the archive lacks it, but ${chain.name} has it on ${row.date}`];
    if (!exists && BigInt(row[attribute]) !== 0n)
      return [attribute, `is not 0, but ${chain.name} does not have it on ${row.date}`];
  }
  return undefined;
}

/** Returns the time from which a part of the fees exists. A file may leave it empty before. */
function beginOf({ rules }: Chain, part: FeePartName): number {
  const never = Number.POSITIVE_INFINITY;
  const begin: Record<FeePartName, number> = {
    execution: 0,
    l1Data: rules.family === 'op-stack' ? 0 : never,
    operator: rules.family === 'op-stack' ? rules.isthmusTime : never,
    blob: 'blobSchedule' in rules ? (rules.blobSchedule[0]?.from ?? never) : never,
    retryableDoubleCount: rules.family === 'arbitrum' ? 0 : never,
  };
  return begin[part];
}
