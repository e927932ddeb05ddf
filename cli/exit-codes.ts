import { createInterface } from 'node:readline/promises';
import { types } from 'node:util';

/** Exit codes of the commands, for scripts. docs/operate/operations.md lists them. */
export const exitCodes = {
  done: 0,
  /** Something was not done: an unreachable node, a missing right, an invalid file. */
  failed: 1,
  /** The options or their values are invalid. */
  usage: 2,
  /** Everything was done, and it found something to act on: a day that differs, a gap, a conflict, an endpoint that fails a check. */
  checkFailed: 3,
  /** Ctrl-C. Finished work is saved. */
  interrupted: 130,
} as const;

/** An error for the user of a command: what failed, why, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string): CommandError => new CommandError(message, exitCodes.usage);

/** Returns the result of reading options or settings. @throws CommandError in place of an error of the reader */
export function orUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

/** Explains the AWS and network errors that any command may meet, and their remedy; undefined for any other. */
export function explainAwsError(error: unknown): string | undefined {
  if (!types.isNativeError(error)) return undefined;
  const { name, message } = error;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return `No AWS credentials: ${message}. Set AWS_PROFILE, or sign in as for the AWS CLI.`;
  }
  if (/^Region (is missing|not accepted)/.test(message)) {
    return 'No valid AWS region is set. Set AWS_REGION, or `env` in the file of your stage, such as `lib/stages/dev.ts`.';
  }
  if (/^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|InvalidSignature|RequestExpired)/.test(name)) {
    return `AWS rejected the credentials: ${name}, ${message}. Sign in again.`;
  }
  if (/^(TooManyRequests|LimitExceeded|Throttling)/.test(name)) {
    return `AWS throttles this account: ${message}. Try again in a minute.`;
  }
  if (/AccessDenied|NotAuthorized|UnauthorizedOperation/.test(name)) {
    return `AWS denied the request: ${message}. docs/operate/operations.md lists the permissions of each command.`;
  }
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)$/.test(code)) {
    return `AWS is unreachable: ${message}. Check the network and the region.`;
  }
  return undefined;
}

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

/** Asks on the terminal, unless `--yes` answers. @param undone the state after a no @throws CommandError after a no */
export async function confirm(question: string, undone: string, { yes }: { readonly yes: boolean }) {
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
