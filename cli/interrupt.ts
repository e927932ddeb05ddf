import { exitCodes } from './exit-codes.ts';

const interruption = new AbortController();

/** Aborts with Ctrl-C. Whoever listens keeps what is done, and says how to go on. */
export const interrupted: AbortSignal = interruption.signal;

/** The first Ctrl-C asks for an end, the second ends. */
export function endOnInterrupt(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupted.aborted) process.exit(exitCodes.interrupted);
      interruption.abort();
      process.stderr.write('\nStopping, once what is done is saved. Ctrl-C again ends at once.\n');
    });
  }
}
