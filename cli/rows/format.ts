import { Option } from 'commander';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import type { Row } from './row.ts';

/** How rows are told in text. */
export interface Format {
  /** What stands before the first row. */
  readonly header: string;
  readonly encode: (row: Row) => string;
  /** @throws LineError when it is not known where a row begins or which field is which */
  readonly read: (text: AsyncIterable<string>) => AsyncIterable<TextRow>;
}

/** A row as a text has it: what is in it, not checked yet, or why that cannot be read. */
export type TextRow = {
  /** The line that it begins in, from 1. */
  readonly line: number;
} & ({ readonly value: unknown } | { readonly problem: string });

const formats = { csv, ndjson };
export type FormatName = keyof typeof formats;

export const formatOption = (): Option =>
  new Option(
    '--format <name>',
    "how the rows are written (default: by the file's ending, or ndjson)",
  ).choices(Object.keys(formats));

/** The format that is asked for, or the one that a file's name ends with. */
export const formatOf = (name: FormatName | undefined, file = ''): Format =>
  formats[name ?? (/\.csv$/i.test(file) ? 'csv' : 'ndjson')];
