import { mapFeeAttributes } from '../../core/figures/fee-parts.ts';
import { mapMeasureAttributes } from '../../core/figures/measures.ts';
import { printable, printableJson } from '../../core/printable.ts';
import { parseDetails, toDetailAttributes } from '../../core/store/attributes/detail-attributes.ts';
import { parseStoredDay } from '../../core/store/days/day-item.ts';
import type { StoredDayWithDetails } from '../../core/store/days/stored-days.ts';
import { CommandError } from '../exit-codes.ts';

/* Day files: one final day per line, as its item with its details, and wei as decimal strings, in NDJSON, https://github.com/ndjson/ndjson-spec. */

/** Encodes a day as a line. Its attributes have the order of the item's schema, so equal days have equal lines. */
export function encodeDay({ day, details }: StoredDayWithDetails): string {
  const row = { ...day, ...(details && { details: toDetailAttributes(details) }) };
  const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return `${printableJson(text)}\n`;
}

/** A row of a file: its day, with its details if it has any, or its problem. */
export type ReadRow = { readonly line: number } & (StoredDayWithDetails | { readonly problem: string });

/** Characters. An item of the table has 400 kB at most, and an export has up to 10 kB a day. */
const MAX_LINE = 1_000_000;
const MAX_FILE = 128_000_000;

/**
 * Reads the rows of a file one by one. Splits at line feeds only: Node's readline also splits at characters that JSON allows within a
 * string. Skips blank lines.
 * @throws CommandError when a line is too long to be a day, or the file to be kept in memory
 */
export async function* readRows(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let line = 1;
  let content = '';
  let size = 0;
  for await (const chunk of text) {
    const [end = '', ...others] = chunk.split('\n');
    content += end;
    for (const next of others) {
      if (content.trim() !== '') yield { line, ...decodeLine(content) };
      line++;
      content = next;
    }
    size += chunk.length;
    if (content.length > MAX_LINE) {
      throw new CommandError(`Line ${line} is longer than 1 MB. Expected NDJSON, one day per line.`);
    }
    if (size > MAX_FILE) throw new CommandError('The file is larger than 128 MB. Import it in parts.');
  }
  if (content.trim() !== '') yield { line, ...decodeLine(content) };
}

function decodeLine(content: string): StoredDayWithDetails | { readonly problem: string } {
  try {
    const row = JSON.parse(content, toAttribute);
    if (typeof row !== 'object' || row === null || !('details' in row)) return parseStoredDay(row);
    const { details, ...item } = row;
    const [day, parsed] = [parseStoredDay(item), parseDetails(details)];
    return 'problem' in parsed && 'day' in day ? parsed : { ...parsed, ...day };
  } catch (error) {
    return { problem: `not JSON: ${printable(String(error instanceof Error ? error.message : error))}` };
  }
}

/** Attributes with integers of any size. */
const BIG = new Set([
  ...Object.keys(mapFeeAttributes(() => 0n)),
  ...Object.keys(mapMeasureAttributes(() => 0n)),
]);

/** More elements fit no item of the table, and each invalid one costs an issue. */
const MAX_ELEMENTS = 1_000;

/** DynamoDB keeps 38 digits of a number exactly. */
const toBig = (value: unknown): unknown =>
  typeof value === 'string' && /^(0|[1-9]\d{0,37})$/.test(value) ? BigInt(value) : value;

/** Converts a JSON value to the form that the table returns, in which numbers are bigint. Leaves invalid values for the schema. */
function toAttribute(name: string, value: unknown): unknown {
  if (BIG.has(name)) return Array.isArray(value) ? value.slice(0, MAX_ELEMENTS).map(toBig) : toBig(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : value;
  return Array.isArray(value) && value.length > MAX_ELEMENTS ? null : value;
}
