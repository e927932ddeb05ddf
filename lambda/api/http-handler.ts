import middy, { type MiddlewareObj } from '@middy/core';
import httpContentNegotiation from '@middy/http-content-negotiation';
import httpCors from '@middy/http-cors';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { TableUnavailableError } from '../../core/store/table/client.ts';
import { InvalidItemError } from '../../core/store/table/decode-item.ts';
import { logsCalls } from '../access-log.ts';
import { environment } from '../environment.ts';
import { corsOptions } from './cors.ts';
import { CSV_TYPE, JSON_TYPE, type MediaType } from './formats.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { jsonBody } from './json-body.ts';
import { functionProblems, type Problem, ProblemError, problemResponse, requestIdOf } from './problem.ts';

type Endpoint = (event: APIGatewayProxyEvent, mediaType: MediaType) => Promise<APIGatewayProxyResult>;

/** Wraps an endpoint in the middleware of all: body, header names, content negotiation, problem responses to errors, and CORS. */
export const httpHandler = (endpoint: Endpoint) =>
  logsCalls(
    middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context & { preferredMediaType?: string }>({
      timeoutEarlyInMillis: 200,
      timeoutEarlyResponse: () => {
        throw new ProblemError(gatewayProblems.INTEGRATION_TIMEOUT);
      },
    })
      // Outermost, so that pages can read error responses too.
      .use(cors())
      .use(errorResponses())
      .use(httpHeaderNormalizer())
      .use(
        httpContentNegotiation({
          parseCharsets: false,
          parseEncodings: false,
          parseLanguages: false,
          // An Accept header with a charset matches only a media type that is offered with it.
          availableMediaTypes: [JSON_TYPE, CSV_TYPE].flatMap((type) => [type, `${type};charset=utf-8`]),
          failOnMismatch: false,
        }),
      )
      .use(jsonBody())
      .handler((event, context) => {
        const mediaType = context.preferredMediaType?.startsWith(CSV_TYPE) ? CSV_TYPE : JSON_TYPE;
        return endpoint(event, mediaType);
      }),
  );

/** Returns the middleware that adds CORS headers; none where no origin is allowed, because it takes 2 ms of a cold start. */
function cors(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[] {
  const options = corsOptions(process.env[environment.corsOrigins] ?? '');
  return options ? [httpCors(options)] : [];
}

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
