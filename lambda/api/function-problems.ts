import type { Problem } from './problem.ts';

/** What the functions answer by themselves, beside the bad values that a query names one by one. */
export const functionProblems = {
  NOT_JSON: { status: 400, detail: 'The body is not valid JSON.' },
  NOT_AN_OBJECT: {
    status: 400,
    detail: 'The body must be a JSON object with chain, start_date and end_date.',
  },
  TABLE_UNAVAILABLE: {
    status: 503,
    detail:
      'The figures cannot be read for the moment. Wait for the seconds in Retry-After and send the request again.',
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, Problem>;
