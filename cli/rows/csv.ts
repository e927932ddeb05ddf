import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import * as z from 'zod';
import type { Format, TextRow } from './format.ts';
import { LineError, MAX_ROW, TOO_LONG } from './line-error.ts';
import type { Row } from './row.ts';

/* CSV, https://www.rfc-editor.org/rfc/rfc4180, with a header row. An absent first block is two empty cells. */

const COLUMNS = [
  ...['chain', 'date', 'block_count', 'transaction_count', 'protocol_transaction_count'],
  ...['execution_fees', 'l1_data_fees', 'operator_fees', 'blob_fees', 'fees_reported_twice'],
  ...['first_block_number', 'first_block_hash', 'last_block_number', 'last_block_hash'],
  ...['definition_version', 'revision', 'software_version', 'ingested_at', 'endpoint_hosts', 'restated'],
];

const write = (rows: readonly (readonly string[] | object)[]): string =>
  // Of line breaks, the library itself quotes only the one that ends a row.
  stringify([...rows], { columns: COLUMNS, record_delimiter: '\r\n', quoted_match: /[\r\n]/ });

export const csv: Format = {
  header: write([COLUMNS]),
  encode: (row) => write([toCells(row)]),
  async *read(text) {
    const lines = countLines();
    // Quotes are the only thing that is not relaxed: after a wrong one nobody knows where a row begins.
    const parser = parse({
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      max_record_size: MAX_ROW,
      skip_empty_lines: true,
      // Here, and not where records are taken, for those read before an error are not given out.
      on_record: (cells: string[], { empty_lines }) => [String(lines.next(cells, empty_lines)), ...cells],
    });
    pipeline(Readable.from(text), parser, () => {});
    try {
      yield* rowsOf(parser);
    } catch (error) {
      throw error instanceof CsvError ? unreadable(lines.next([], Number(error.empty_lines)), error) : error;
    }
  },
};

/** The library tells where a record ends, and counts a CRLF within quotes twice: what is wanted is where it begins. */
function countLines() {
  let before = 0;
  return {
    next: (cells: readonly string[], emptyLines: number) => {
      const line = before + emptyLines + 1;
      before += cells.reduce((lines, cell) => lines + cell.split('\n').length - 1, 1);
      return line;
    },
  };
}

const unreadable = (line: number, { code }: CsvError) =>
  new LineError(
    line,
    code === 'CSV_MAX_RECORD_SIZE'
      ? `this row is ${TOO_LONG}, or it has a quote that nothing closes.`
      : 'this row has a quote in a wrong place, or one that nothing closes, so it is not known where the next begins.',
  );

/** The line that a record begins in, and its cells. */
const recordSchema = z.tuple([z.coerce.number()], z.string());

async function* rowsOf(records: AsyncIterable<unknown>): AsyncGenerator<TextRow> {
  let columns: readonly string[] | undefined;
  for await (const record of records) {
    const [line, ...cells] = recordSchema.parse(record);
    if (columns) yield { line, ...contentOf(columns, cells) };
    else columns = checkedColumns(line, cells);
  }
}

/** @throws LineError that names the columns which are missing, not known, or there twice */
function checkedColumns(line: number, columns: readonly string[]): readonly string[] {
  const faults = [
    ['misses', COLUMNS.filter((column) => !columns.includes(column))],
    ['has unknown', columns.filter((column) => !COLUMNS.includes(column))],
    ['has twice', columns.filter((column, index) => columns.indexOf(column) !== index)],
  ] as const;
  const problems = faults
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.join(', ')}`);
  if (problems.length === 0) return columns;
  throw new LineError(line, `the header row ${problems.join('; ')}.`);
}

function contentOf(columns: readonly string[], record: readonly string[]) {
  return record.length === columns.length
    ? { value: fromCells((column) => record[columns.indexOf(column)] ?? '') }
    : { problem: `has ${record.length} cells, and the header row ${columns.length}` };
}

const toCells = ({ first_block, last_block, endpoint_hosts, restated, ...others }: Row) => ({
  ...others,
  first_block_number: first_block?.number,
  first_block_hash: first_block?.hash,
  last_block_number: last_block.number,
  last_block_hash: last_block.hash,
  endpoint_hosts: endpoint_hosts.join(' '),
  restated: restated && JSON.stringify(restated),
});

/** What JSON would have of the cells. One that is none of that stays as it is, for the row's schema to name. */
function fromCells(cell: (column: string) => string): Record<keyof Row, unknown> {
  const number = (column: string) => numberOf(cell(column));
  return {
    chain: cell('chain'),
    date: cell('date'),
    block_count: number('block_count'),
    transaction_count: number('transaction_count'),
    protocol_transaction_count: number('protocol_transaction_count'),
    execution_fees: cell('execution_fees'),
    l1_data_fees: cell('l1_data_fees'),
    operator_fees: cell('operator_fees'),
    blob_fees: cell('blob_fees'),
    fees_reported_twice: cell('fees_reported_twice'),
    first_block: blockOf(cell('first_block_number'), cell('first_block_hash')),
    last_block: blockOf(cell('last_block_number'), cell('last_block_hash')),
    definition_version: number('definition_version'),
    revision: number('revision'),
    software_version: cell('software_version'),
    ingested_at: cell('ingested_at'),
    endpoint_hosts: cell('endpoint_hosts').split(' ').filter(Boolean),
    restated: jsonOf(cell('restated')),
  };
}

const numberOf = (cell: string) => (/^(0|[1-9]\d*)$/.test(cell) ? Number(cell) : cell);

const blockOf = (number: string, hash: string) =>
  number === '' && hash === '' ? undefined : { number: numberOf(number), hash };

function jsonOf(cell: string): unknown {
  try {
    return cell === '' ? undefined : JSON.parse(cell);
  } catch {
    return cell;
  }
}
