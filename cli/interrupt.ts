import { CommandError, exitCodes } from './exit-codes.ts';

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
