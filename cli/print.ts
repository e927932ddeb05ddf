import { styleText } from 'node:util';
import Table from 'cli-table3';
import prettyMilliseconds from 'pretty-ms';
import { printable, printableJson } from '../core/printable.ts';

/* Output of the commands: the result on stdout, everything else on stderr, so that the result can be piped. */

/** Prints a command's result: as one JSON document with wei as strings, or as text. */
export function printResult({ json }: { readonly json: boolean }, result: unknown, text: string): void {
  process.stdout.write(`${json ? toJson(result) : printableText(text)}\n`);
}

export const toJson = (value: unknown): string =>
  printableJson(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2));

/** Prints a line to stderr that is not part of the result. */
export function printNote(line: string): void {
  process.stderr.write(`${printableText(line)}\n`);
}

/** Layout and styles of our own text: bold and red, and the ends of both. */
const OWN_CONTROLS = new Set(['\n', '\u001b[1m', '\u001b[22m', '\u001b[31m', '\u001b[39m']);
const CONTROLS = /\p{Cc}\[\d{1,2}m|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Removes characters that a terminal acts on from text of several lines. Any part of a message may be foreign, such as the text of an error. */
const printableText = (text: string): string =>
  text.replaceAll(CONTROLS, (found) => (OWN_CONTROLS.has(found) ? found : ' '));

export type TableCell = string | number | bigint;

const NO_BORDERS = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, '']));

/** Formats a borderless table. Columns with a number are aligned to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly TableCell[])[]): string {
  const isNumeric = (column: number) => rows.some((row) => ['number', 'bigint'].includes(typeof row[column]));
  const table = new Table({
    head: head.map((title) => styleText('bold', title)),
    colAligns: head.map((_, column) => (isNumeric(column) ? 'right' : 'left')),
    chars: { ...NO_BORDERS, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(
    ...rows.map((row) => row.map((cell) => (typeof cell === 'string' ? printable(cell) : formatCount(cell)))),
  );
  return table.toString().replaceAll(/ +$/gm, '');
}

/** Formats a number with separators, such as 1,234,567. */
export const formatCount = (value: number | bigint): string => value.toLocaleString('en-US');

/** Formats a rate: one decimal below 10, none above. */
export const formatRate = (value: number): string =>
  formatCount(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

/** Formats a number of things, such as `1 day` and `2 days`. */
export const pluralize = (value: number, noun: string): string =>
  `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;

/** Joins words, such as `a, b, and c`. */
export const listed = (words: readonly string[]): string => new Intl.ListFormat('en').format(words);

/** Formats seconds in the two largest units, such as `45s`, `3m 20s` and `4d 6h`. */
export const formatDuration = (seconds: number): string =>
  prettyMilliseconds(Math.max(0, Math.round(seconds)) * 1_000, { unitCount: 2 }).replace(/^0ms$/, '0s');

/** Formats an ISO time to the minute. */
export const formatTime = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** Options by name, in camel case. One that is undefined or false is not on the command line. */
type Options = Readonly<Record<string, unknown>>;

/**
 * Formats a command that the reader can paste into a shell.
 * @param flags select the same service, or begin with `PORT=` for one of several on this machine; see OperatedService
 * @param words the command, its parameters and options; quoted where a shell would split them
 */
export function commandLine(flags: string, ...words: readonly (string | Options)[]): string {
  const [port = ''] = /^PORT=\d+/.exec(flags) ?? [];
  const all = words.flatMap((word) =>
    typeof word === 'string' ? word : Object.entries(word).flatMap(wordsOf),
  );
  const line = `npx --no chain-insights ${all.map(quoteForShell).join(' ')}${flags.slice(port.length)}`;
  return port ? `${port} ${line}` : line;
}

function wordsOf([name, value]: readonly [string, unknown]): string[] {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === undefined || value === false) return [];
  return value === true ? [flag] : [flag, ...[value].flat().map(String)];
}

const quoteForShell = (word: string): string =>
  /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
