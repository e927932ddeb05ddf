import { createInterface } from 'node:readline/promises';
import { CommandError, exitCodes, usageError } from './exit-codes.ts';

const interruption = new AbortController();

/** Aborts on Ctrl-C. Commands then save finished work and print how to continue. */
export const interrupted: AbortSignal = interruption.signal;

/** Aborts `interrupted` on the first Ctrl-C, and ends the process on the second. */
export function endOnInterrupt(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupted.aborted) process.exit(exitCodes.interrupted);
      interruption.abort();
      process.stderr.write('\nStopping after finished work is saved. Press Ctrl-C again to stop now.\n');
    });
  }
}

/** Returns the result of work. When Ctrl-C ended it, throws a CommandError with this message instead of the work's error. */
export const orStopped = <T>(work: Promise<T>, message: string): Promise<T> =>
  work.catch((error: unknown) => {
    throw interrupted.aborted ? new CommandError(message, exitCodes.interrupted) : error;
  });

/**
 * Asks the user on the terminal, unless `--yes` answers.
 * @param undone the state after a no, such as `Nothing was started.`
 * @throws CommandError unless the user confirms
 */
export async function confirm(
  question: string,
  undone: string,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw usageError(`${undone.replace(/\.$/, '')}: without a terminal, confirm with --yes.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  // While reading, readline receives Ctrl-C and Ctrl-D.
  lines.once('SIGINT', () => ended.abort()).once('close', () => ended.abort());
  const signal = AbortSignal.any([ended.signal, interrupted]);
  const reply = await lines.question(`${question} [y/N] `, { signal }).catch(() => '');
  lines.close();
  if (!/^y(es)?$/i.test(reply.trim())) throw new CommandError(undone, exitCodes.interrupted);
}
