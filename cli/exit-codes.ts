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
