import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames } from '../../core/chains/chains.ts';
import {
  countDays,
  DAYS_AGO,
  intervals,
  resolveRelativeDay,
  type UtcDay,
} from '../../core/figures/calendar.ts';
import { functionProblems, ProblemError } from './problem.ts';

export const daySchema = z.iso.date();

const DAYS = 'YYYY-MM-DD, yesterday or 30-days-ago';

/** A day, or one relative to today (UTC). */
export const dayInputSchema = z.union(
  [daySchema, z.literal('yesterday'), z.string().check(z.regex(DAYS_AGO))],
  {
    error: ({ input }) =>
      input === undefined ? `is required, as ${DAYS}` : `must be a valid day, as ${DAYS}`,
  },
);

const rangeSchema = z.object({ start_date: dayInputSchema, end_date: dayInputSchema });

export const chainSchema = z.enum(chainNames, {
  error: ({ input }) => `${input === undefined ? 'is required:' : 'must be'} one of ${chainNames.join(', ')}`,
});

/** The intervals of a query: hours of days, days, and periods of days. */
const queryIntervals = ['hour', ...intervals] as const;

export type QueryInterval = (typeof queryIntervals)[number];

const oneOf = (known: readonly QueryInterval[]) =>
  z._default(z.enum(known, { error: () => `must be one of ${known.join(', ')}` }), 'day');

export const intervalSchema = oneOf(queryIntervals);
export const periodSchema = oneOf(intervals);

/** The input of every series. Days are UTC, and both ends are included. */
export const querySchema = z.object({ chain: chainSchema, ...rangeSchema.shape, interval: intervalSchema });

/** The input of an endpoint without hours. */
export const periodQuerySchema = z.object({ ...querySchema.shape, interval: periodSchema });

/** Days of a query for hours. Their rows with everything fit into a response. */
export const MAX_DAYS_OF_HOURS = 92;

export interface DayQuery extends Readonly<z.output<typeof querySchema>> {
  /** True if a day was given relative to today. */
  readonly isRelative: boolean;
}

/** The part of a gateway event that holds the query, with a JSON body already decoded. */
export type QueryEvent = Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'> & {
  readonly body: unknown;
};

const fields = Object.keys(querySchema.shape);

/**
 * Reads the query of a request from its query parameters, its JSON body or both.
 * @param yesterday the last complete day
 * @param schema of an endpoint without hours
 * @throws ProblemError with status 400 and every invalid field
 */
export function readQuery(
  { body, multiValueQueryStringParameters }: QueryEvent,
  yesterday: UtcDay,
  schema: typeof querySchema = querySchema,
): DayQuery {
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
  input.chain = upperCased(input.chain);
  const query = schema.safeParse(input);
  const conflicting = new Set(errors.map(({ field }) => field));
  for (const { path, message } of query.error?.issues ?? []) {
    const field = String(path[0]);
    if (!conflicting.has(field)) errors.push({ field, message });
  }
  const given = rangeSchema.safeParse(input).data;
  const range = given && resolveRange(given, yesterday);
  if (range && range.start_date > range.end_date) {
    errors.push({ field: 'end_date', message: 'must not be before start_date' });
  }
  if (
    range &&
    query.data?.interval === 'hour' &&
    countDays(range.start_date, range.end_date) > MAX_DAYS_OF_HOURS
  ) {
    const message = `must be at most ${MAX_DAYS_OF_HOURS - 1} days after start_date with the interval hour; request further days apart`;
    errors.push({ field: 'end_date', message });
  }
  if (query.success && range && errors.length === 0) return { ...query.data, ...range };
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

const upperCased = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

function resolveRange(given: z.output<typeof rangeSchema>, yesterday: UtcDay) {
  const [start, end] = [given.start_date, given.end_date].map((day) => resolveRelativeDay(day, yesterday));
  return {
    start_date: start ?? given.start_date,
    end_date: end ?? given.end_date,
    isRelative: start !== undefined || end !== undefined,
  };
}
