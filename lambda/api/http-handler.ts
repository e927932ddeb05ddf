import middy from '@middy/core';
import httpContentNegotiation from '@middy/http-content-negotiation';
import httpCors from '@middy/http-cors';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { environment } from '../environment.ts';
import { corsOptions, exposeDates } from './cors.ts';
import { errorResponses } from './error-responses.ts';
import { CSV_TYPE, JSON_TYPE, type MediaType } from './formats.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { jsonBody } from './json-body.ts';
import { ProblemError } from './problem.ts';

type Endpoint = (event: APIGatewayProxyEvent, mediaType: MediaType) => Promise<APIGatewayProxyResult>;

/**
 * Wraps an endpoint in the middleware that all of them share: body decoding, lowercase header names, content negotiation,
 * problem responses to errors, and CORS where it is configured.
 */
export const httpHandler = (endpoint: Endpoint) => {
  const cors = corsOptions(process.env[environment.corsOrigins] ?? '');
  return (
    middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context & { preferredMediaType?: string }>({
      timeoutEarlyInMillis: 200,
      timeoutEarlyResponse: () => {
        throw new ProblemError(gatewayProblems.INTEGRATION_TIMEOUT);
      },
    })
      // Outermost, so that pages can read error responses too.
      .use(httpCors(cors))
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
      .handler(async (event, context) => {
        const mediaType = context.preferredMediaType?.startsWith(CSV_TYPE) ? CSV_TYPE : JSON_TYPE;
        return exposeDates(cors, await endpoint(event, mediaType));
      })
  );
};
