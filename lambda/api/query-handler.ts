import middy from '@middy/core';
import httpContentNegotiation from '@middy/http-content-negotiation';
import httpCors from '@middy/http-cors';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { dayOf } from '../chains/utc-day.ts';
import { environment, fromEnvironment } from '../environment.ts';
import { getCoverage } from '../store/coverage.ts';
import { queryDays } from '../store/days.ts';
import { openTable } from '../store/table.ts';
import { answer, CSV_TYPE, JSON_TYPE } from './answer.ts';
import { corsOptions } from './cors.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { jsonBody } from './json-body.ts';
import type { Metric } from './metrics.ts';
import { ProblemError } from './problem.ts';
import { problemResponses } from './problem-responses.ts';
import { readQuery } from './query.ts';

const table = openTable(fromEnvironment('tableName'));

/** The Lambda handler of an endpoint that serves one metric: decode, validate, read, answer. */
export const queryHandler = (metric: Metric) =>
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
    .handler(async (event, context) => {
      const query = readQuery(event);
      const { chain, start_date, end_date } = query;
      const [days, coverage] = await Promise.all([
        queryDays(table, chain, start_date, end_date),
        getCoverage(table, chain),
      ]);
      const known = { days, lastFinalDay: coverage?.last, today: dayOf(Date.now() / 1000) };
      return answer(metric, query, known, {
        mediaType: context.preferredMediaType?.startsWith(CSV_TYPE) ? CSV_TYPE : JSON_TYPE,
        ifNoneMatch: event.headers?.['if-none-match'],
      });
    });
