import type { Problem } from './api.ts';

/** A request that failed for good. The message says what failed, why, and what to do; it never holds the key. */
export class ChainInsightsError extends Error {
  override readonly name = 'ChainInsightsError';
  /** HTTP status; undefined when no response came. */
  readonly status: number | undefined;
  /** The error as the API describes it, with every invalid field; undefined when something else responded. */
  readonly problem: Problem | undefined;

  constructor(message: string, status?: number, problem?: Problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}
