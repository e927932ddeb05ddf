import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames } from '../chains/chains.ts';
import { functionProblems } from './function-problems.ts';
import { type FieldError, ProblemError } from './problem.ts';

export const daySchema = z.iso.date({
  error: ({ input }) =>
    input === undefined ? 'is required: a day as YYYY-MM-DD' : 'must be a day of the calendar as YYYY-MM-DD',
});

const rangeSchema = z.object({ start_date: daySchema, end_date: daySchema });

export const chainSchema = z.enum(chainNames, {
  error: ({ input }) => `${input === undefined ? 'is required:' : 'must be'} one of ${chainNames.join(', ')}`,
});

/** What both endpoints take. Days are UTC and both ends are included. */
export const querySchema = z.object({ chain: chainSchema, ...rangeSchema.shape });

export type Query = z.infer<typeof querySchema>;

/** The part of a gateway event that a query is in, with its JSON body already decoded. */
export type QueryEvent = Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'> & {
  readonly body: unknown;
};

const fields = Object.keys(querySchema.shape);

/**
 * The query of a request, from its query parameters, its JSON body or both.
 * @throws ProblemError with status 400, naming every bad field
 */
export function readQuery({ body, multiValueQueryStringParameters }: QueryEvent): Query {
  const input: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  const members = membersOf(body);
  for (const field of fields) {
    const values = new Set([
      ...(multiValueQueryStringParameters?.[field] ?? []),
      ...(members.has(field) ? [members.get(field)] : []),
    ]);
    [input[field]] = values;
    if (values.size > 1) errors.push({ field, message: 'is given more than once, with different values' });
  }
  const query = querySchema.safeParse(input);
  const contradicted = new Set(errors.map(({ field }) => field));
  for (const { path, message } of query.error?.issues ?? []) {
    const field = String(path[0]);
    if (!contradicted.has(field)) errors.push({ field, message });
  }
  const range = rangeSchema.safeParse(input);
  if (range.success && range.data.start_date > range.data.end_date) {
    errors.push({ field: 'end_date', message: 'must not be before start_date' });
  }
  if (query.success && errors.length === 0) return query.data;
  throw new ProblemError({
    status: 400,
    detail: `Not valid: ${errors.map(({ field }) => field).join(', ')}. See errors.`,
    errors,
  });
}

function membersOf(body: unknown): ReadonlyMap<string, unknown> {
  if (body === null || body === '' || body === undefined) return new Map();
  if (typeof body === 'object' && !Array.isArray(body)) return new Map(Object.entries(body));
  throw new ProblemError(functionProblems.NOT_AN_OBJECT);
}
