import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { TableUnavailableError } from '../store/table.ts';
import { functionProblems } from './function-problems.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { type Problem, ProblemError, problemResponse, requestIdOf } from './problem.ts';

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

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TableUnavailableError) return functionProblems.TABLE_UNAVAILABLE;
  return gatewayProblems.DEFAULT_5XX;
}
