import { setImmediate } from 'node:timers/promises';
import { dayOf } from '../../lambda/chains/utc-day.ts';
import type { Table } from '../../lambda/store/table.ts';
import { readRows, withFileName } from '../day-files/ndjson.ts';
import { CommandError } from '../exit-codes.ts';
import { startProgress } from '../progress.ts';
import { readStoredDigests } from './day-digest.ts';
import type { InputFile } from './input-file.ts';
import { planWrites, type WritePlan } from './plan-writes.ts';
import { addProblems, type RowProblems, type ValidatedRows, validateRows } from './validate-rows.ts';

export interface ValidatedFile extends Pick<WritePlan, 'writes' | 'alreadyFinal'> {
  readonly problems: RowProblems;
}

/**
 * Reads a file and validates every row: on its own, against the other rows, and against the table.
 * @throws CommandError when the file cannot be read or has no row; AbortError when `signal` aborts
 */
export async function validateFile(
  table: Table,
  file: InputFile,
  { replace, signal }: { readonly replace: boolean; readonly signal: AbortSignal },
): Promise<ValidatedFile> {
  const { rows, days, problems } = await readAll(file, signal);
  if (rows === 0) {
    throw new CommandError(`${file.name} has no rows, so nothing was written. Check how it was created.`);
  }
  // Lets the handler of Ctrl-C run before a step that may take long.
  await setImmediate();
  signal.throwIfAborted();
  const progress = startProgress('days compared');
  try {
    const stored = await readStoredDigests(table, days, { signal, onDay: progress.update });
    const plan = planWrites(days, stored, { replace });
    return { ...plan, problems: addProblems(problems, plan.problems) };
  } finally {
    progress.end();
  }
}

async function readAll(file: InputFile, signal: AbortSignal): Promise<ValidatedRows> {
  const progress = startProgress('rows checked');
  const text = file.open(signal);
  try {
    return await validateRows(readRows(text), dayOf(Date.now() / 1_000), (rows) =>
      progress.update(text.share(), rows),
    );
  } catch (error) {
    throw withFileName(file.name, error);
  } finally {
    progress.end();
  }
}
