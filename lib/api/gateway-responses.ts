import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { corsExposedHeaders } from '../../lambda/api/cors.ts';
import { gatewayProblems } from '../../lambda/api/gateway-problems.ts';
import { type Problem, problemBody, problemHeaders } from '../../lambda/api/problem.ts';

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

/**
 * Returns the CORS headers of the gateway's own errors. A gateway response cannot choose from several origins. It cannot reflect the
 * request's either: it matches header names by case, and browsers send `origin` over HTTP/2. So it allows any origin, which is safe:
 * these errors hold only fixed text, and browsers send no credentials.
 */
function errorCorsHeaders(origins: readonly string[]): Record<string, string> {
  const [origin, ...others] = origins;
  if (!origin) return {};
  return {
    'Access-Control-Allow-Origin': others.length === 0 ? `'${origin}'` : "'*'",
    'Access-Control-Expose-Headers': `'${corsExposedHeaders.join(',')}'`,
  };
}
