import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames } from '../chains/chains.ts';
import { functionProblems, ProblemError } from './problem.ts';

export const daySchema = z.iso.date({
  error: ({ input }) =>
    input === undefined ? 'is required, as YYYY-MM-DD' : 'must be a valid date, as YYYY-MM-DD',
});

const rangeSchema = z.object({ start_date: daySchema, end_date: daySchema });

export const chainSchema = z.enum(chainNames, {
  error: ({ input }) => `${input === undefined ? 'is required:' : 'must be'} one of ${chainNames.join(', ')}`,
});

/** The input of both endpoints. Days are UTC, and both ends are included. */
export const querySchema = z.object({ chain: chainSchema, ...rangeSchema.shape });

export type Query = z.infer<typeof querySchema>;

/** The part of a gateway event that holds the query, with a JSON body already decoded. */
export type QueryEvent = Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'> & {
  readonly body: unknown;
};

const fields = Object.keys(querySchema.shape);

/**
 * Reads the query of a request from its query parameters, its JSON body or both.
 * @throws ProblemError with status 400 and every invalid field
 */
export function readQuery({ body, multiValueQueryStringParameters }: QueryEvent): Query {
  const input: Record<string, unknown> = {};
  const errors: { field: string; message: string }[] = [];
  const members = membersOf(body);
  for (const field of fields) {
    const values = new Set([
      ...(multiValueQueryStringParameters?.[field] ?? []),
      ...(members.has(field) ? [members.get(field)] : []),
    ]);
    [input[field]] = values;
    if (values.size > 1) errors.push({ field, message: 'has conflicting values; send it once' });
  }
  const query = querySchema.safeParse(input);
  const conflicting = new Set(errors.map(({ field }) => field));
  for (const { path, message } of query.error?.issues ?? []) {
    const field = String(path[0]);
    if (!conflicting.has(field)) errors.push({ field, message });
  }
  const range = rangeSchema.safeParse(input);
  if (range.success && range.data.start_date > range.data.end_date) {
    errors.push({ field: 'end_date', message: 'must not be before start_date' });
  }
  if (query.success && errors.length === 0) return query.data;
  throw new ProblemError({
    status: 400,
    detail: `Invalid fields: ${errors.map(({ field }) => field).join(', ')}. See errors.`,
    errors,
  });
}

function membersOf(body: unknown): ReadonlyMap<string, unknown> {
  if (body === null || body === '' || body === undefined) return new Map();
  if (typeof body === 'object' && !Array.isArray(body)) return new Map(Object.entries(body));
  throw new ProblemError(functionProblems.NOT_AN_OBJECT);
}
