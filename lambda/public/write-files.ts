import { parquetWriteBuffer } from 'hyparquet-writer';
import { sha256Of } from '../../core/backup/export-files.ts';
import type { PublicRow } from '../../core/rows/day-row.ts';
import { CSV_TYPE, serializeRows, sliceBody } from '../api/formats.ts';
import { days } from '../api/series/days.ts';
import { type ChainFiles, INDEX, type PublicIndex } from './public-index.ts';

/* Files with all final days and every column of `/days`, for everyone. */

export type PublicFile = Readonly<{ name: string; bytes: Buffer }>;

/** Characters of CSV in a part. A response of Lambda has 6 MB at most, which are 4.5 MB of Parquet in Base64. */
const MAX_PART = 3_500_000;

/** Returns the files of a chain, and their entry in the index. @param rows all of its days, ascending */
export function filesOfChain(
  chain: string,
  rows: readonly PublicRow[],
  maxPart = MAX_PART,
): { readonly files: readonly PublicFile[]; readonly entry?: ChainFiles } {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return { files: [] };
  const csv = serializeRows(CSV_TYPE, days.day.columns, rows);
  const all = partsOf(csv.offsets, maxPart).flatMap(([begin, end], index) => {
    const name = index === 0 ? chain : `${chain}.${index + 1}`;
    return [
      { name: `${name}.csv`, days: end - begin, bytes: Buffer.from(sliceBody(csv, begin, end)) },
      { name: `${name}.parquet`, days: end - begin, bytes: parquetOf(rows.slice(begin, end)) },
    ];
  });
  const files = all.map(({ name, days, bytes }) => ({
    name,
    days,
    bytes: bytes.length,
    sha256: sha256Of(bytes),
  }));
  return {
    files: all,
    entry: { chain, days: rows.length, first_day: first.date, last_day: last.date, files },
  };
}

/** Returns the index, which must be written last. */
export const indexFile = (index: PublicIndex): PublicFile => ({
  name: INDEX,
  bytes: Buffer.from(`${JSON.stringify(index, null, 2)}\n`),
});

/** Splits rows into parts, each filled before the next begins, so that new days change the last one alone. */
function partsOf(offsets: readonly number[], most: number): [begin: number, end: number][] {
  const begins = [0];
  for (const [row, end] of offsets.slice(1).entries())
    if (end - (offsets[begins.at(-1) ?? 0] ?? 0) > most && row > (begins.at(-1) ?? 0)) begins.push(row);
  return begins.map((begin, index) => [begin, begins[index + 1] ?? offsets.length - 1]);
}

/** The columns of whole numbers that a 64-bit integer holds. Others are text: a double would lose digits of amounts. */
const INTEGERS =
  /^((transaction|user_transaction|protocol_transaction|failed_transaction|block|blob|restatement)_count|.*_number|.*_version|revision|finality_slot|price_updates)$/;

function parquetOf(rows: readonly PublicRow[]): Buffer {
  const columnData = Object.entries(days.day.columns).map(([name, cell]) => {
    const known = <T>(convert: (value: string | number) => T) =>
      rows.map(cell).map((value) => (value === undefined || value === '' ? null : convert(value)));
    return INTEGERS.test(name)
      ? { name, type: 'INT64' as const, data: known(BigInt) }
      : { name, type: 'STRING' as const, data: known((value) => unquoted(String(value))) };
  });
  return Buffer.from(parquetWriteBuffer({ columnData }));
}

/** Returns the text of a cell that is quoted for CSV. */
const unquoted = (cell: string): string =>
  cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
