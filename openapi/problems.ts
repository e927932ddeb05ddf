import { STATUS_CODES } from 'node:http';
import { gatewayProblems } from '../lambda/api/gateway-problems.ts';
import {
  functionProblems,
  PROBLEM_TYPE,
  type Problem,
  ProblemError,
  problemBody,
} from '../lambda/api/problem.ts';
import { readQuery } from '../lambda/api/query.ts';
import { errorCacheControl } from './headers.ts';
import { refTo } from './registry.ts';

/** A query with an invalid field of each kind. */
export const invalidQuery = { chain: 'SOLANA', start_date: '2025-02-30', interval: 'decade' };

const exampleId = 'JKJaXmPLvHcESHA=';

/** All problems by a unique name. */
const problems: Readonly<Record<string, Problem>> = {
  INVALID_FIELDS: problemOf(invalidQuery),
  ...functionProblems,
  ...gatewayProblems,
};

/** Returns the error responses by name, with their status. */
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
  // The gateway has several names for problems that look the same to a caller.
  const cases = [...new Map(named.map((each) => [each[1].detail, each])).values()];
  const retryAfter = cases.flatMap(([name, { retryAfterSeconds }]) =>
    retryAfterSeconds === undefined ? [] : [[name, { value: retryAfterSeconds }] as const],
  );
  return {
    description: [`${STATUS_CODES[status]}.`, ...cases.map(([, { detail }]) => `- ${detail}`)].join('\n'),
    headers: {
      'Cache-Control': errorCacheControl,
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

const retryAfterHeader = {
  description: 'The number of seconds to wait before sending the request again.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

function problemOf(body: unknown): Problem {
  try {
    readQuery({ body, multiValueQueryStringParameters: null }, '2025-11-20');
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('The example of an invalid query is valid');
}
