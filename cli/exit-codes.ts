/** What a command ends with, for scripts. docs/operations.md lists them. */
export const exitCodes = {
  done: 0,
  /** It could not do what it was asked to. */
  failed: 1,
  /** It was asked for something that it does not understand. */
  usage: 2,
  /** It did what it was asked to, and what it found is not well: a day that differs, a node that would not do. */
  unwell: 3,
  /** Ctrl-C. What it did by then is kept. */
  interrupted: 130,
} as const;

/** Why a command cannot go on, in words for whoever called it: what was wrong, where, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
