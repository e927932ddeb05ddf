import { setImmediate } from 'node:timers/promises';
import { dayOf } from '../../lambda/chains/utc-day.ts';
import type { Table } from '../../lambda/store/table.ts';
import { CommandError } from '../exit-codes.ts';
import { startProgress } from '../progress.ts';
import { type Judgement, judge } from './check-file.ts';
import { type CheckedRows, checkRows } from './check-rows.ts';
import type { Format } from './format.ts';
import { readKnownDays } from './known-days.ts';
import { withTitle } from './line-error.ts';
import { type Problems, withMore } from './problems.ts';
import { readRows } from './read-rows.ts';
import type { Source } from './source.ts';

/** What is to be done with a file's days, and all that is wrong in it. */
export interface JudgedFile extends Pick<Judgement, 'writes' | 'alreadyFinal'> {
  readonly problems: Problems;
}

/**
 * The first reading: every row is checked by itself, against the others, and against the table.
 * @throws CommandError when it cannot be read or there is no row in it, AbortError when `signal` aborts
 */
export async function judgeFile(
  table: Table,
  source: Source,
  format: Format,
  { replace, signal }: { readonly replace: boolean; readonly signal: AbortSignal },
): Promise<JudgedFile> {
  const { rows, days, problems } = await readAll(source, format, signal);
  if (rows === 0) {
    throw new CommandError(
      `There is no day in ${source.title}, so nothing was written: look at what should have filled it.`,
    );
  }
  // Ctrl-C is heard only when nothing else is to be done, and what follows may take a while.
  await setImmediate();
  signal.throwIfAborted();
  const progress = startProgress('days compared');
  try {
    const stored = await readKnownDays(table, days, { signal, onDay: progress.update });
    const judgement = judge(days, stored, { replace });
    return { ...judgement, problems: withMore(problems, judgement.problems) };
  } finally {
    progress.end();
  }
}

async function readAll(source: Source, format: Format, signal: AbortSignal): Promise<CheckedRows> {
  const progress = startProgress('rows checked');
  const text = source.open(signal);
  try {
    return await checkRows(readRows(format, text), dayOf(Date.now() / 1_000), (rows) =>
      progress.update(text.share(), rows),
    );
  } catch (error) {
    throw withTitle(source.title, error);
  } finally {
    progress.end();
  }
}
