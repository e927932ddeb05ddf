import middy from '@middy/core';
import httpContentNegotiation from '@middy/http-content-negotiation';
import httpCors from '@middy/http-cors';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { environment } from '../environment.ts';
import { corsOptions } from './cors.ts';
import { CSV_TYPE, JSON_TYPE, type MediaType } from './formats.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { jsonBody } from './json-body.ts';
import { ProblemError } from './problem.ts';
import { problemResponses } from './problem-responses.ts';

type Answer = (event: APIGatewayProxyEvent, mediaType: MediaType) => Promise<APIGatewayProxyResult>;

/**
 * What every endpoint has around it: a body that is decoded, header names in lower case, the format that the client
 * prefers, problems for errors, and CORS where it is configured.
 */
export const httpHandler = (answer: Answer) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context & { preferredMediaType?: string }>({
    timeoutEarlyInMillis: 200,
    timeoutEarlyResponse: () => {
      throw new ProblemError(gatewayProblems.INTEGRATION_TIMEOUT);
    },
  })
    // Around all others, so that a page can read their errors too.
    .use(httpCors(corsOptions(process.env[environment.corsOrigins] ?? '')))
    .use(problemResponses())
    .use(httpHeaderNormalizer())
    .use(
      httpContentNegotiation({
        parseCharsets: false,
        parseEncodings: false,
        parseLanguages: false,
        // A parameter that is asked for must be offered, even one that is always so.
        availableMediaTypes: [JSON_TYPE, CSV_TYPE].flatMap((type) => [type, `${type};charset=utf-8`]),
        failOnMismatch: false,
      }),
    )
    .use(jsonBody())
    .handler((event, context) =>
      answer(event, context.preferredMediaType?.startsWith(CSV_TYPE) ? CSV_TYPE : JSON_TYPE),
    );
