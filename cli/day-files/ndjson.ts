import { mapFeeAttributes } from '../../core/figures/fee-parts.ts';
import { printable, printableJson } from '../../core/printable.ts';
import { type ParsedDay, parseStoredDay, type StoredDay } from '../../core/store/day-item.ts';
import { formerNames } from '../../core/store/shared-attributes.ts';
import { CommandError } from '../exit-codes.ts';

/* Day files: one final day per line, as its item with wei as decimal strings, in NDJSON, https://github.com/ndjson/ndjson-spec. */

/** Encodes a day as a line. Its attributes have the order of the item's schema, so equal days have equal lines. */
export const encodeDay = (day: StoredDay): string =>
  `${printableJson(JSON.stringify(day, (_, value) => (typeof value === 'bigint' ? String(value) : value)))}\n`;

/** A row of a file: its day, or its problem. */
export type ReadRow = { readonly line: number } & ParsedDay;

/** Characters. An item of the table has 400 kB at most, and an export has 1 kB a day. */
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

function decodeLine(content: string): ParsedDay {
  try {
    return parseStoredDay(JSON.parse(content, toAttribute));
  } catch (error) {
    return { problem: `not JSON: ${printable(String(error instanceof Error ? error.message : error))}` };
  }
}

/** Attributes in wei. */
const WEI = new Set([...Object.keys(mapFeeAttributes(() => 0n)), ...Object.keys(formerNames)]);

/** More elements fit no item of the table, and each invalid one costs an issue. */
const MAX_ELEMENTS = 1_000;

/** Converts a JSON value to the form that the table returns, in which numbers are bigint. Leaves invalid values for the schema. */
function toAttribute(name: string, value: unknown): unknown {
  // DynamoDB keeps 38 digits of a number exactly.
  if (WEI.has(name)) {
    return typeof value === 'string' && /^(0|[1-9]\d{0,37})$/.test(value) ? BigInt(value) : value;
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : value;
  return Array.isArray(value) && value.length > MAX_ELEMENTS ? null : value;
}
