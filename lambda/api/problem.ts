import { STATUS_CODES } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

export interface InvalidField {
  readonly field: string;
  readonly message: string;
}

/** An error as the API reports it. https://www.rfc-editor.org/rfc/rfc9457 */
export interface Problem {
  readonly status: number;
  /** The cause, and the remedy. */
  readonly detail: string;
  /** Every invalid field of the request. */
  readonly errors?: readonly InvalidField[];
  readonly retryAfterSeconds?: number;
}

export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Returns the body of a problem response, the same from the functions and from the gateway. */
export const problemBody = ({ status, detail, errors }: Problem, requestId: string) => ({
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
  ...(errors && { errors }),
  request_id: requestId,
});

export const problemHeaders = ({ retryAfterSeconds }: Problem): Record<string, string> => ({
  'Content-Type': PROBLEM_TYPE,
  'Cache-Control': 'no-store',
  ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
});

/** Returns the ID that API Gateway assigns: the extended one, which a client cannot choose, if there is one. */
export const requestIdOf = ({
  requestContext,
}: Partial<Pick<APIGatewayProxyEvent, 'requestContext'>>): string =>
  requestContext?.extendedRequestId ?? requestContext?.requestId ?? 'unknown';

export const problemResponse = (problem: Problem, requestId: string): APIGatewayProxyResult => ({
  statusCode: problem.status,
  headers: problemHeaders(problem),
  body: JSON.stringify(problemBody(problem, requestId)),
});

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
  RESPONSE_TOO_LARGE: {
    status: 400,
    detail:
      'The response would be larger than 5 MB. Request fewer days or chains, a longer interval, or CSV.',
  },
  TABLE_UNAVAILABLE: {
    status: 503,
    detail:
      'The figures are temporarily unavailable. Wait for the number of seconds in Retry-After, then send the request again.',
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, Problem>;
