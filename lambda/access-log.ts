import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { requestIdOf } from './api/problem.ts';
import { environment } from './environment.ts';

type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * Returns the handler, which then logs a line for each call, if the stage logs calls. API Gateway's own access log has a line for each request
 * that it refuses too, so a stranger would decide what it costs.
 */
export const logsCalls =
  (handler: ProxyHandler): ProxyHandler =>
  async (event, context) => {
    const began = performance.now();
    const response = await handler(event, context);
    if (process.env[environment.accessLog]) console.info(lineOf(event, response, performance.now() - began));
    return response;
  };

function lineOf(event: APIGatewayProxyEvent, { statusCode, body }: APIGatewayProxyResult, ms: number) {
  const { identity } = event.requestContext;
  return {
    // Error responses contain it.
    request_id: requestIdOf(event),
    // Not `apiKey`, which is the key itself.
    api_key_id: identity?.apiKeyId,
    method: event.httpMethod,
    path: event.path,
    status: statusCode,
    latency_ms: Math.round(ms),
    response_bytes: body.length,
    source_ip: identity?.sourceIp,
    user_agent: identity?.userAgent,
  };
}
