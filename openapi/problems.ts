import { STATUS_CODES } from 'node:http';
import { functionProblems } from '../lambda/api/function-problems.ts';
import { gatewayProblems } from '../lambda/api/gateway-problems.ts';
import { PROBLEM_TYPE, type Problem, ProblemError, problemBody } from '../lambda/api/problem.ts';
import { readQuery } from '../lambda/api/query.ts';
import { refTo } from './schemas.ts';

/** A query with a bad value of each kind. */
export const badQuery = { chain: 'SOLANA', start_date: '2025-02-30' };

const exampleId = 'JKJaXmPLvHcESHA=';

/** Everything that goes wrong, by a name that is told apart from all others. */
const problems: Readonly<Record<string, Problem>> = {
  BAD_VALUES: problemWith(badQuery),
  ...functionProblems,
  ...gatewayProblems,
};

/** The responses to what goes wrong, by their names, with their status. */
export function problemResponses() {
  const byStatus = Map.groupBy(Object.entries(problems), ([, { status }]) => status);
  return new Map(
    [...byStatus].map(([status, cases]) => [
      (STATUS_CODES[status] ?? 'Error').replaceAll(' ', ''),
      { status, response: responseOf(status, cases) },
    ]),
  );
}

function responseOf(status: number, named: readonly (readonly [string, Problem])[]) {
  // The gateway has several names for what a caller cannot tell apart.
  const cases = [...new Map(named.map((each) => [each[1].detail, each])).values()];
  const retryAfter = cases.flatMap(([name, { retryAfterSeconds }]) =>
    retryAfterSeconds === undefined ? [] : [[name, { value: retryAfterSeconds }] as const],
  );
  return {
    description: [`${STATUS_CODES[status]}.`, ...cases.map(([, { detail }]) => `- ${detail}`)].join('\n'),
    headers: {
      'Cache-Control': cacheControlHeader,
      ...(retryAfter.length > 0 && {
        'Retry-After': { ...retryAfterHeader, examples: Object.fromEntries(retryAfter) },
      }),
    },
    content: {
      [PROBLEM_TYPE]: {
        schema: refTo('schemas/Problem'),
        examples: Object.fromEntries(
          cases.map(([name, problem]) => [name, { value: problemBody(problem, exampleId) }]),
        ),
      },
    },
  };
}

const cacheControlHeader = {
  description: 'Nobody may keep an error.',
  required: true,
  schema: { type: 'string', const: 'no-store' },
  example: 'no-store',
};

const retryAfterHeader = {
  description: 'Seconds after which to send the request again.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

/** What is wrong with a query. */
function problemWith(body: unknown): Problem {
  try {
    readQuery({ body, multiValueQueryStringParameters: null });
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('The example of a bad query is a good one');
}
