import { CommandError } from '../exit-codes.ts';

/** Why a file cannot be read on from a line. What it is called is for whoever opened it to add. */
export class LineError extends Error {
  override readonly name = 'LineError';

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}

/** The same for whoever called the command, with what the file is called. Other errors stay as they are. */
export const withTitle = (title: string, error: unknown): unknown =>
  error instanceof LineError ? new CommandError(`${title}: ${error.message}`) : error;

/** Characters. An item of the table has 400 kB at most, and JSON makes six characters of one. */
export const MAX_ROW = 3_000_000;
export const TOO_LONG = 'longer than 3 MB, as no row of a day is';
