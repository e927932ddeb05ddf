import { STATUS_CODES } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** What an error response says. https://www.rfc-editor.org/rfc/rfc9457 */
export interface Problem {
  readonly status: number;
  /** What was wrong and what to do. */
  readonly detail: string;
  /** For bad input: every bad field at once. */
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Thrown anywhere while a request is handled, to answer it with this problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export const PROBLEM_TYPE = 'application/problem+json';

/** The body of an error, the same from the functions and from the gateway itself. */
export const problemBody = ({ status, detail, errors }: Problem, requestId: string) => ({
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
  ...(errors && { errors }),
  request_id: requestId,
});

/** Its headers, likewise. */
export const problemHeaders = ({ retryAfterSeconds }: Problem): Record<string, string> => ({
  'Content-Type': PROBLEM_TYPE,
  'Cache-Control': 'no-store',
  ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
});

/** The id that API Gateway makes itself; a client can set the other one. */
export const requestIdOf = ({ requestContext }: APIGatewayProxyEvent): string =>
  requestContext.extendedRequestId ?? requestContext.requestId;

export const problemResponse = (problem: Problem, requestId: string): APIGatewayProxyResult => ({
  statusCode: problem.status,
  headers: problemHeaders(problem),
  body: JSON.stringify(problemBody(problem, requestId)),
});
