import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { gatewayProblems } from '../../lambda/api/gateway-problems.ts';
import { type Problem, problemBody, problemHeaders } from '../../lambda/api/problem.ts';
import { errorCorsHeaders } from './cors.ts';

/** Sends the gateway's own errors as problem+json, with the headers that errors of the functions have. */
export function addProblemResponses(api: RestApi, corsOrigins: readonly string[]): void {
  const corsHeaders = errorCorsHeaders(corsOrigins);
  for (const [type, problem] of Object.entries<Problem>(gatewayProblems)) {
    // Inner single quotes mark a literal value.
    const headers = Object.entries(problemHeaders(problem)).map(([name, value]) => [name, `'${value}'`]);
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(problem.status),
      responseHeaders: { ...Object.fromEntries(headers), ...corsHeaders },
      templates: { 'application/json': JSON.stringify(problemBody(problem, '$context.extendedRequestId')) },
    });
  }
}
