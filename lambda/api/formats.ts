import type { UtcDay } from '../chains/utc-day.ts';

/** A final day and its value, as the API returns it. */
export type DayValue = readonly [day: UtcDay, value: number | string];

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export type MediaType = typeof JSON_TYPE | typeof CSV_TYPE;

/** The syntax of a body: `open`, the rows joined by `separator`, `close`. */
const formats = {
  [JSON_TYPE]: {
    open: () => '[',
    row: (field: string, [date, value]: DayValue) => JSON.stringify({ date, [field]: value }),
    separator: ',',
    close: ']',
  },
  // https://www.rfc-editor.org/rfc/rfc4180; days and decimals need no quoting.
  [CSV_TYPE]: {
    open: (field: string) => `date,${field}\r\n`,
    row: (_: string, row: DayValue) => `${row.join(',')}\r\n`,
    separator: '',
    close: '',
  },
};

/** Rows in one string. Row `i` begins at `offsets[i]`; a last offset says where one more row would begin. */
export interface SerializedRows {
  readonly text: string;
  readonly offsets: readonly number[];
}

export function serializeRows(type: MediaType, field: string, rows: readonly DayValue[]): SerializedRows {
  const { row, separator } = formats[type];
  const texts = rows.map((each) => row(field, each));
  const offsets = [0];
  let offset = 0;
  for (const text of texts) {
    offset += text.length + separator.length;
    offsets.push(offset);
  }
  return { text: texts.join(separator), offsets };
}

/** Returns the body with the rows from index `begin` up to, but not including, `end`. Slicing takes constant time. */
export function sliceBody(
  type: MediaType,
  field: string,
  { text, offsets }: SerializedRows,
  begin: number,
  end: number,
): string {
  const { open, separator, close } = formats[type];
  const rows = begin < end ? text.slice(offsets[begin], (offsets[end] ?? 0) - separator.length) : '';
  return open(field) + rows + close;
}
