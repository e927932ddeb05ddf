import type { Problem } from './api.ts';

/** A request that failed for good. The message says what failed, why, and what to do; it never holds the key. */
export class ChainInsightsError extends Error {
  override readonly name = 'ChainInsightsError';
  /** HTTP status; undefined when no response came. */
  readonly status: number | undefined;
  /** The error as the API describes it, with every invalid field; undefined when something else responded. */
  readonly problem: Problem | undefined;

  constructor(message: string, status?: number, problem?: Problem) {
    // Letters that a terminal obeys or does not show, such as escapes and changes of direction, are shown as codes.
    super(message.replaceAll(/[^\P{C}\n]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`));
    this.status = status;
    this.problem = problem;
  }
}
