import * as z from 'zod/mini';
import type { Chain } from '../../core/chains/chains.ts';
import { unprovenOf } from '../../core/chains/provable.ts';
import { addDays, SECONDS_PER_DAY, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { type FeePartName, feePartNames, feeParts, mapFeeAttributes } from '../../core/figures/fee-parts.ts';
import { mapMeasures } from '../../core/figures/measures.ts';
import type { Totals } from '../../core/figures/totals.ts';
import { totalsFromAttributes } from '../../core/store/attributes/shared-attributes.ts';

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

/** The cells of a line by field. */
type Cells = Readonly<Record<string, unknown>>;

/** Returns the cells of a line of CSV (RFC 4180), or those of NDJSON without a head; undefined for another form. */
export function cellsByField(line: string, head?: readonly string[]): Cells | undefined {
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
const wei = z.pipe(
  z.string(MISSING).check(z.regex(/^(0|[1-9]\d{0,37})?$/, 'is not wei in digits')),
  // Most parts are 0, and share one value. An empty cell is 0 too.
  z.transform((digits) => BigInt(digits) || 0n),
);
const hash = z.optional(
  z.pipe(
    z.string().check(z.regex(/^(0x[0-9a-f]{64})?$/, 'is not a hash')),
    // A copy: a part of a line would keep the text around it in memory.
    z.transform((text) => Buffer.from(text).toString() || undefined),
  ),
);
const zero = (reason: string) => z.optional(z.enum(['', '0'], `is not 0: ${reason}`));

/** From here on Ethereum may have Amsterdam, whose time is not fixed yet: gas of a header is then not the sum of receipts (EIP-7778). */
const ETHEREUM_GAS_IS_SUM_BEFORE: UtcDay = '2026-11-01';

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
    gas_difference: z.optional(
      z.string().check(z.regex(/^(-?\d{1,38})?$/, 'is not a whole number in digits')),
    ),
    missing_values: zero(
      'rows lack a value, such as the L1 fee, so their fees cannot be summed; or transactions are missing. Use an archive that has it',
    ),
  },
  'is not a known column',
);

const UNKNOWN_MEASURES = mapMeasures(() => undefined);

export function parseRow(
  chain: Chain,
  line: number,
  cells: Cells,
): ArchiveRow | { readonly problem: string } {
  const { data: row, error } = rowSchema.safeParse(cells);
  const [field, reason] = (row ? contradictionIn(chain, row, cells) : issueOf(error)) ?? [];
  if (!row || field !== undefined) {
    const value = String(cells[field ?? ''] ?? 'the').slice(0, 60) || 'empty';
    return { problem: `line ${line}, ${String(cells.date).slice(0, 10)}: ${field}: ${value} ${reason}` };
  }
  const { date, first_block: first, last_block: last, first_block_hash, last_block_hash } = row;
  const totals = { ...totalsFromAttributes(row), measures: UNKNOWN_MEASURES };
  return { line, date, first, last, totals, firstHash: first_block_hash, lastHash: last_block_hash };
}

const issueOf = ({ issues: [issue] }: z.core.$ZodError) => [
  String(issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]),
  issue?.message,
];

/** Returns the first field that contradicts another one, or the definitions, and the reason. */
function contradictionIn(chain: Chain, row: z.output<typeof rowSchema>, cells: Cells) {
  const { first_block, last_block, block_count } = row;
  const blocks = last_block - first_block + 1;
  if (row.chain !== chain.name) return ['chain', `is not ${chain.name}`];
  if (blocks !== block_count)
    return ['block_count', `is wrong: ${first_block} to ${last_block} are ${blocks} blocks`];
  if (row.protocol_transaction_count > row.transaction_count)
    return ['protocol_transaction_count', 'exceeds transaction_count'];
  const isGasSum = chain.rules.family !== 'ethereum' || row.date < ETHEREUM_GAS_IS_SUM_BEFORE;
  if (isGasSum && Number(row.gas_difference ?? 0) !== 0)
    return ['gas_difference', 'is not 0: the archive lacks rows, or has some twice'];
  const begins = beginsOf(chain);
  const end = startOfDay(row.date) + SECONDS_PER_DAY;
  for (const name of feePartNames) {
    const { attribute } = feeParts[name];
    const exists = end > (begins[name] ?? Number.POSITIVE_INFINITY);
    if (exists && cells[attribute] === '')
      return [attribute, `means that the archive lacks it, but ${chain.name} has it on ${row.date}`];
    if (!exists && row[attribute] !== 0n)
      return [attribute, `is not 0, but ${chain.name} does not have it on ${row.date}`];
  }
  return undefined;
}

/** Returns the times from which parts of the fees exist on a chain. A file may leave a part empty before. */
function beginsOf({ rules }: Chain): Partial<Record<FeePartName, number | undefined>> {
  if ('blobSchedule' in rules) return { execution: 0, blob: rules.blobSchedule[0]?.from };
  if (rules.family === 'op-stack') return { execution: 0, l1Data: 0, operator: rules.isthmusTime };
  return { execution: 0, ...(rules.family === 'arbitrum' && { retryableDoubleCount: 0 }) };
}

/** Returns why a row cannot follow another one, or be audited. @param before the row before it */
export function orderProblem(
  chain: Chain,
  today: UtcDay,
  before: ArchiveRow | undefined,
  { date, first, line }: ArchiveRow,
): string | undefined {
  const at = `line ${line}, ${date}`;
  if (date < chain.firstDay) return `${at}: ${chain.name} begins on ${chain.firstDay}`;
  if (date >= today) return `${at}: the day is not over (UTC)`;
  const unproven = unprovenOf(chain.rules, first);
  if (unproven) return `${at}: no audit can prove block ${first}: ${unproven.reason}`;
  if (!before) return undefined;
  if (first === before.last + 1 && date === before.date) return undefined;
  const next = addDays(before.date, 1);
  if (first === before.last + 1 && date === next) return undefined;
  return `lines ${before.line} and ${line}: block ${before.last} of ${before.date} must be followed by the next block, of that day or of ${next}, but block ${first} of ${date} follows`;
}
