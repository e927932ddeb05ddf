import { types } from 'node:util';

/** Exit codes of the commands, for scripts. docs/operations.md lists them. */
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

/** Returns an error about options or their values. */
export const usageError = (message: string): CommandError => new CommandError(message, exitCodes.usage);

/** Returns the result of reading options or settings. @throws CommandError in place of an error of the reader */
export function orUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Explains the AWS and network errors that any command may meet, and how to resolve them.
 * @returns undefined for any other error
 */
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
    return `AWS denied the request: ${message}. docs/operations.md lists the permissions of each command.`;
  }
  if (
    'code' in error &&
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)$/.test(String(error.code))
  ) {
    return `AWS is unreachable: ${message}. Check the network and the region.`;
  }
  return undefined;
}
