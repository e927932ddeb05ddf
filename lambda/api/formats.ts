import type { UtcDay } from '../../core/figures/calendar.ts';

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export type MediaType = typeof JSON_TYPE | typeof CSV_TYPE;

/** A day, or a row for a day or a period. */
export interface Dated {
  /** The day, or the first day of the period. */
  readonly date: UtcDay;
}

/** The columns of CSV in order, each with the function that returns a row's cell. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | undefined>>;

/** The attributes of a row that are cells as they are. */
type Cell<Row> = {
  [Name in keyof Row]-?: Row[Name] extends string | number | undefined ? Name & string : never;
}[keyof Row];

export const plainColumns = <Row extends { readonly [Name in Cell<Row>]?: string | number | undefined }>(
  ...names: readonly Cell<Row>[]
): Columns<Row> => Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]]));

/** Rows in one string, from which a body is sliced. */
export interface SerializedRows {
  readonly text: string;
  /** Row `i` begins at `offsets[i]`; a last offset says where one more row would begin. */
  readonly offsets: readonly number[];
  /** A body is `open`, rows joined by `separator`, and `close`. */
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

export function serializeRows<Row extends Dated>(
  type: MediaType,
  columns: Columns<Row>,
  rows: readonly Row[],
): SerializedRows {
  const isJson = type === JSON_TYPE;
  const syntax = isJson
    ? { open: '[', separator: ',', close: ']' }
    : { open: `${Object.keys(columns).join(',')}\r\n`, separator: '', close: '' };
  const cells = Object.values(columns);
  const texts = rows.map((row) => (isJson ? JSON.stringify(row) : csvLine(cells, row)));
  const offsets = [0];
  let offset = 0;
  for (const text of texts) {
    offset += text.length + syntax.separator.length;
    offsets.push(offset);
  }
  return { text: texts.join(syntax.separator), offsets, ...syntax };
}

/** Formats a line of RFC 4180. Cells are days, decimals, hashes, times, words and hosts, or quoted. */
const csvLine = <Row>(cells: readonly Columns<Row>[string][], row: Row): string =>
  `${cells.map((cell) => cell(row)).join(',')}\r\n`;

/** The rows of a chain from index `begin` up to, but not including, `end`. */
export interface RowsOfChain {
  readonly chain: string;
  readonly rows: SerializedRows;
  readonly bounds: readonly [begin: number, end: number];
}

/** Returns one body with the rows of several chains. Each begins with its chain. */
export function bodyOfChains(type: MediaType, parts: readonly RowsOfChain[]): string {
  const isJson = type === JSON_TYPE;
  const { open = '', separator = '', close = '' } = parts[0]?.rows ?? {};
  const texts = parts.flatMap(({ chain, rows: { text, offsets }, bounds: [begin, end] }) =>
    offsets.slice(begin, Math.max(begin, end)).map((offset, index) => {
      const row = text.slice(offset, (offsets[begin + index + 1] ?? 0) - separator.length);
      return isJson ? `{"chain":"${chain}",${row.slice(1)}` : `${chain},${row}`;
    }),
  );
  return `${isJson ? open : `chain,${open}`}${texts.join(separator)}${close}`;
}

/** Returns the body with the rows from index `begin` up to, but not including, `end`. Slicing takes constant time. */
export function sliceBody(
  { text, offsets, open, separator, close }: SerializedRows,
  begin: number,
  end: number,
): string {
  const rows = begin < end ? text.slice(offsets[begin], (offsets[end] ?? 0) - separator.length) : '';
  return open + rows + close;
}
