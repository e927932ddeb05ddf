import type { UtcDay } from '../chains/utc-day.ts';

/** A final day and its figure, as an endpoint serves it. */
export type Row = readonly [day: UtcDay, value: number | string];

/** How rows are written: `open`, each row with `between` after all but the last, `close`. */
interface Format {
  readonly open: (field: string) => string;
  readonly row: (field: string, row: Row) => string;
  readonly between: string;
  readonly close: string;
}

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export type MediaType = typeof JSON_TYPE | typeof CSV_TYPE;

const formats: Record<MediaType, Format> = {
  [JSON_TYPE]: {
    open: () => '[',
    row: (field, [date, value]) => JSON.stringify({ date, [field]: value }),
    between: ',',
    close: ']',
  },
  // https://www.rfc-editor.org/rfc/rfc4180; days and decimals need no quoting.
  [CSV_TYPE]: {
    open: (field) => `date,${field}\r\n`,
    row: (_, row) => `${row.join(',')}\r\n`,
    between: '',
    close: '',
  },
};

/** Rows in one text. `starts` says where each begins, and where one more would. */
export interface Written {
  readonly text: string;
  readonly starts: readonly number[];
}

export function write(type: MediaType, field: string, rows: readonly Row[]): Written {
  const { row, between } = formats[type];
  const texts = rows.map((each) => row(field, each));
  let start = 0;
  const starts = [0];
  for (const text of texts) {
    start += text.length + between.length;
    starts.push(start);
  }
  return { text: texts.join(between), starts };
}

/** The body with the rows from index `begin` up to, and without, `end`: a cut, whatever the number of rows. */
export function bodyOf(
  type: MediaType,
  field: string,
  { text, starts }: Written,
  begin: number,
  end: number,
): string {
  const { open, between, close } = formats[type];
  const rows = begin < end ? text.slice(starts[begin], (starts[end] ?? 0) - between.length) : '';
  return open(field) + rows + close;
}
