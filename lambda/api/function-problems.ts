import type { Problem } from './problem.ts';

/** Problems that the functions themselves report, except invalid fields, which `readQuery` lists one by one. */
export const functionProblems = {
  NOT_JSON: {
    status: 400,
    detail: 'The body is not valid JSON. Send a JSON object with chain, start_date and end_date.',
  },
  NOT_AN_OBJECT: {
    status: 400,
    detail: 'The body must be a JSON object with chain, start_date and end_date.',
  },
  TABLE_UNAVAILABLE: {
    status: 503,
    detail:
      'The figures are temporarily unavailable. Wait for the number of seconds in Retry-After, then send the request again.',
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, Problem>;
