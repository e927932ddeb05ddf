import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { TableUnavailableError } from '../store/table.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { type Problem, ProblemError, problemResponse } from './problem.ts';

/** Middleware that answers whatever is thrown with problem+json, and logs what was not the caller's doing. */
export const problemResponses = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: (request) => {
    const requestId = requestIdOf(request.event);
    const problem = problemOf(request.error);
    if (problem.status >= 500)
      console.error({ request_id: requestId, status: problem.status, error: request.error });
    // Returned, it would keep the middleware around this one from adding its headers.
    request.response = problemResponse(problem, requestId);
  },
});

/** The id that API Gateway makes itself; a client can set the other one. */
const requestIdOf = ({ requestContext }: APIGatewayProxyEvent): string =>
  requestContext.extendedRequestId ?? requestContext.requestId;

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TableUnavailableError) {
    return {
      status: 503,
      detail:
        'The figures cannot be read for the moment. Wait for the seconds in Retry-After and send the request again.',
      retryAfterSeconds: 1,
    };
  }
  // The statuses that Middy's body parser throws.
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 415) return gatewayProblems.UNSUPPORTED_MEDIA_TYPE;
  if (status === 422) return { status: 400, detail: 'The body is not valid JSON.' };
  return gatewayProblems.DEFAULT_5XX;
}
