import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { TableUnavailableError } from '../../core/store/client.ts';
import { InvalidItemError } from '../../core/store/decode-item.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { functionProblems, type Problem, ProblemError, problemResponse, requestIdOf } from './problem.ts';

/** Creates the middleware that turns every thrown error into a problem response, and logs those with a 5xx status. */
export const errorResponses = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: (request) => {
    const requestId = requestIdOf(request.event);
    const { error } = request;
    const problem = problemOf(error);
    if (problem.status >= 500) {
      const item = error instanceof InvalidItemError && { chain: error.chain, item: error.item };
      console.error({ request_id: requestId, status: problem.status, ...item, error });
    }
    // Assigned, not returned: a returned response would keep outer middleware from adding its headers.
    request.response = problemResponse(problem, requestId);
  },
});

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TableUnavailableError) return functionProblems.TABLE_UNAVAILABLE;
  return gatewayProblems.DEFAULT_5XX;
}
