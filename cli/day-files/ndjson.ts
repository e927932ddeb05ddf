import { printable, printableJson } from '../../lambda/printable.ts';
import { withCurrentNames } from '../../lambda/store/attributes.ts';
import type { StoredDay } from '../../lambda/store/day-item.ts';
import { CommandError } from '../exit-codes.ts';
import { type DecodedRow, fromRow, toRow } from './day-row.ts';

/* Day files: one final day per line, in NDJSON, https://github.com/ndjson/ndjson-spec. */

export const encodeDay = (day: StoredDay): string => `${printableJson(JSON.stringify(toRow(day)))}\n`;

/** A row of a file: its day, or its problems. */
export type ReadRow = { readonly line: number } & DecodedRow;

/**
 * Reads the rows of a file one by one. Skips blank lines.
 * @throws LineError when a line is too long to be a day
 */
export async function* readRows(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  for await (const { line, content } of linesOf(text)) yield { line, ...decodeLine(content) };
}

/** Characters. An item of the table has 400 kB at most, and JSON escapes one character with up to six. */
const MAX_LINE = 3_000_000;

interface Line {
  readonly line: number;
  readonly content: string;
}

/**
 * Returns the lines that are not blank. Splits at line feeds only: Node's readline also splits at characters that JSON allows within a
 * string.
 */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let line = 1;
  let content = '';
  for await (const chunk of text) {
    const [end = '', ...others] = chunk.split('\n');
    content += end;
    for (const next of others) {
      if (content.trim() !== '') yield { line, content };
      line++;
      content = next;
    }
    if (content.length > MAX_LINE) {
      throw new LineError(line, 'longer than 3 MB. Expected NDJSON, one day per line.');
    }
  }
  if (content.trim() !== '') yield { line, content };
}

/** A row has five levels. Parsing a line of a million levels would take 400 MB. */
const MAX_LEVELS = 20;

function isTooDeep(json: string): boolean {
  let level = 0;
  let isInString = false;
  for (let index = 0; index < json.length && level <= MAX_LEVELS; index++) {
    const character = json[index];
    if (character === '\\') index++;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && (character === '[' || character === '{')) level++;
    else if (!isInString && (character === ']' || character === '}')) level--;
  }
  return level > MAX_LEVELS;
}

function decodeLine(content: string): DecodedRow {
  if (isTooDeep(content)) return { problems: [`has more than ${MAX_LEVELS} levels of lists and objects`] };
  try {
    return fromRow(JSON.parse(content, (_, value) => withCurrentNames(value)));
  } catch (error) {
    return { problems: [`not JSON: ${printable(String(error instanceof Error ? error.message : error))}`] };
  }
}

/** An error that stops the reading of a file at a line. */
export class LineError extends Error {
  override readonly name = 'LineError';

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}

/** Turns a LineError into a CommandError that names the file. Returns other errors unchanged. */
export const withFileName = (name: string, error: unknown): unknown =>
  error instanceof LineError ? new CommandError(`${name}: ${error.message}`) : error;
