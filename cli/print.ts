import { styleText } from 'node:util';
import Table from 'cli-table3';
import { SECONDS_PER_DAY } from '../lambda/chains/utc-day.ts';

/* What commands print: a result on stdout, all else on stderr, so that a result can be piped on. */

/** Prints a result: as one JSON document, in which wei are strings, or as text. */
export function printResult({ json }: { readonly json: boolean }, result: unknown, text: string): void {
  process.stdout.write(`${json ? toJson(result) : text}\n`);
}

export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2);

/** Prints a line that is no part of the result. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

export type Cell = string | number;

/** A table without lines, its numbers aligned to the right. */
export function tableOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isNumber = (column: number) => rows.some((row) => typeof row[column] === 'number');
  const table = new Table({
    head: head.map((title) => styleText('bold', title)),
    colAligns: head.map((_, column) => (isNumber(column) ? 'right' : 'left')),
    chars: Object.fromEntries(
      ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
        .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
        .map((name) => [name, ''])
        .concat([['middle', '  ']]),
    ),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : cell))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** A number as people read it: 1,234,567. */
export const count = (value: number | bigint): string => value.toLocaleString('en-US');

/** How many a second, with a digit after the point where there are few. */
export const rate = (value: number): string =>
  count(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

/** How many there are of something, such as `1 day` and `2 days`. */
export const counted = (value: number, one: string): string =>
  `${count(value)} ${one}${value === 1 ? '' : 's'}`;

/** A length of time in its two largest units: 45 s, 3 min 20 s, 2 h 5 min, 4 d 6 h. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const units = [
    [SECONDS_PER_DAY, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const largest = units.findIndex(([size]) => whole >= size);
  if (largest === -1) return '0 s';
  const parts = units.slice(largest, largest + 2).map(([size, unit], index) => {
    const amount = Math.floor((index === 0 ? whole : whole % (units[largest]?.[0] ?? 1)) / size);
    return amount > 0 ? `${amount} ${unit}` : '';
  });
  return parts.filter(Boolean).join(' ');
}
