import type { Chain } from '../chains/chains.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import {
  type FeePartName,
  type Fees,
  feePartNames,
  feeParts,
  mapFeeAttributes,
  mapFeeParts,
} from '../figures/fee-parts.ts';

/* The form of a file with days of an archive: CSV or NDJSON, a row for each range of blocks (docs/history.md). */

/** The sums of a range of blocks of one day, as an archive has them. Fees are in wei. */
export interface ArchiveRow {
  readonly line: number;
  readonly date: UtcDay;
  readonly first: number;
  readonly last: number;
  readonly transactions: number;
  readonly protocolTransactions: number;
  readonly fees: Fees;
  readonly firstHash?: string | undefined;
  readonly lastHash?: string | undefined;
}

export type ParsedRow = { readonly row: ArchiveRow } | { readonly problem: string };

const COUNTS = [
  'first_block',
  'last_block',
  'block_count',
  'transaction_count',
  'protocol_transaction_count',
];
const REQUIRED = ['chain', 'date', ...COUNTS, ...Object.keys(mapFeeAttributes(() => 0))];
const HASHES = ['first_block_hash', 'last_block_hash'];
const CONTROLS = ['gas_difference', 'missing_values'];

export function fieldsProblem(fields: readonly string[]): string | undefined {
  const missing = REQUIRED.filter((name) => !fields.includes(name));
  if (missing.length > 0) return `${missing.join(', ')}: missing`;
  const known = [...REQUIRED, ...HASHES, ...CONTROLS];
  const wrong = fields.find((name, index) => !known.includes(name) || fields.indexOf(name) < index);
  return wrong === undefined ? undefined : `${wrong.slice(0, 40)}: unknown, or there twice`;
}

/** Splits a line of CSV (RFC 4180) into its cells. A cell cannot contain a line break, because no field needs one. */
export function csvCells(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  // Each cell begins with a comma then, so that no match is empty.
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

/** Returns the cells of a line of NDJSON by field. A number above 2^53 is refused later, because JSON has rounded it. */
export function membersOf(line: string): Map<string, string> | undefined {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined;
    const textOf = (value: unknown) =>
      typeof value === 'number' && !Number.isSafeInteger(value) ? `${value} (unsafe)` : String(value);
    return new Map(Object.entries(row).map(([name, value]) => [name, textOf(value)]));
  } catch {
    return undefined;
  }
}

const DIGITS = /^(0|[1-9]\d{0,37})$/;

export function parseRow(chain: Chain, line: number, cells: ReadonlyMap<string, string>): ParsedRow {
  const at = (name: string) => cells.get(name) ?? '';
  const refused = (field: string, reason: string) => ({
    problem: `line ${line}: ${field}: ${at(field).slice(0, 60) || 'empty'} ${reason}`,
  });
  if (at('chain') !== chain.name) return refused('chain', `is not ${chain.name}`);
  const date = at('date');
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
    return refused('date', 'is not a UTC day');
  const badCount = COUNTS.find((name) => !DIGITS.test(at(name)) || !Number.isSafeInteger(Number(at(name))));
  if (badCount) return refused(badCount, 'is not a whole number in digits');
  const badHash = HASHES.find((name) => at(name) !== '' && !/^0x[0-9a-f]{64}$/.test(at(name)));
  if (badHash) return refused(badHash, 'is not a hash');
  const control = CONTROLS.find((name) => at(name) !== '' && at(name) !== '0');
  if (control)
    return {
      problem: `line ${line}: ${date}: the control ${control} is ${at(control).slice(0, 60)}, not 0. The archive lacks rows, or has some twice`,
    };
  for (const name of feePartNames) {
    const { attribute } = feeParts[name];
    const isZero = isZeroByDefinition(chain, name, date);
    if (at(attribute) === '' && !isZero)
      return refused(attribute, `means that the archive has no such part; ${chain.name} has it on ${date}`);
    if (at(attribute) !== '' && !DIGITS.test(at(attribute)))
      return refused(attribute, 'is not wei in digits');
    if (isZero && BigInt(at(attribute)) !== 0n)
      return refused(attribute, `is not 0, as ${chain.name} has no such part on ${date}`);
  }
  const [first, last, blocks, transactions, protocolTransactions] = COUNTS.map((name) =>
    Number(at(name)),
  ) as [number, number, number, number, number];
  if (last - first + 1 !== blocks)
    return refused(
      'block_count',
      `is not that of ${date}: blocks ${first} to ${last} are ${last - first + 1}`,
    );
  if (protocolTransactions > transactions)
    return refused('protocol_transaction_count', 'exceeds transaction_count');
  const fees = mapFeeParts((name) => BigInt(at(feeParts[name].attribute)));
  const hash = (name: string) => at(name) || undefined;
  return {
    row: {
      line,
      date,
      first,
      last,
      transactions,
      protocolTransactions,
      fees,
      firstHash: hash('first_block_hash'),
      lastHash: hash('last_block_hash'),
    },
  };
}

/** Returns whether a part of the fees does not exist on a chain and day, so that a file may leave it empty. */
function isZeroByDefinition({ rules }: Pick<Chain, 'rules'>, part: FeePartName, date: UtcDay): boolean {
  const isOver = (time: number) => startOfDay(addDays(date, 1)) <= time;
  switch (part) {
    case 'execution':
      return false;
    case 'l1Data':
      return rules.family !== 'op-stack';
    case 'operator':
      return rules.family !== 'op-stack' || isOver(rules.isthmusTime);
    case 'blob':
      return !('blobSchedule' in rules) || isOver(rules.blobSchedule[0]?.from ?? Number.POSITIVE_INFINITY);
    case 'retryableDoubleCount':
      return rules.family !== 'arbitrum';
  }
}
