import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import {
  countDays,
  DAYS_AGO,
  intervals,
  MAX_DAYS_OF_HOURS,
  resolveRelativeDay,
  type UtcDay,
} from '../../core/figures/calendar.ts';
import { blockEvidences } from '../../core/figures/day-figures.ts';
import { chainMessage, chainsIn, chainsSchema } from './chain-input.ts';
import { oneOfMessage, suggestion } from './other-names.ts';
import { functionProblems, type InvalidField, ProblemError } from './problem.ts';

export const daySchema = z.iso.date();

const DAYS = 'YYYY-MM-DD, yesterday or 30-days-ago';

/** Other words for today, which only `/today` serves. */
const TODAY = /^(today|now|0+-days?-ago)$/;

/** A day, or one relative to today (UTC). */
export const dayInputSchema = z.union(
  [daySchema, z.literal('yesterday'), z.string().check(z.regex(DAYS_AGO))],
  { error: ({ input }) => dayMessage(input) },
);

function dayMessage(input: unknown): string {
  if (input === undefined) return `is required, as ${DAYS}`;
  const text = typeof input === 'string' ? input : '';
  if (TODAY.test(text))
    return 'must not be today, because the day is not over (UTC); use yesterday, or /today';
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `must be a day of the calendar; ${text} does not exist`;
  return `must be a valid day, as ${DAYS}`;
}

const rangeSchema = z.object({ start_date: dayInputSchema, end_date: dayInputSchema });

const queryIntervals = ['hour', ...intervals] as const;

export type QueryInterval = (typeof queryIntervals)[number];

const oneOf = (known: readonly QueryInterval[]) =>
  z._default(z.enum(known, { error: ({ input }) => oneOfMessage(known, input) }), 'day');

export const intervalSchema = oneOf(queryIntervals);
export const periodSchema = oneOf(intervals);

/** The weakest evidence that a day may have to be served. */
export const evidenceSchema = z.optional(
  z.enum(blockEvidences, {
    error: ({ input }) =>
      `${oneOfMessage(blockEvidences, input)}${input === 'archived' ? '; leave it out to include archived days' : ''}`,
  }),
);

/** The input of every series. Days are UTC, and both ends are included. */
export const querySchema = z.object({
  chain: chainsSchema,
  ...rangeSchema.shape,
  interval: intervalSchema,
  evidence: evidenceSchema,
});

/** Names each field once, so that neither the work of a request nor its ETag grows with the input. */
const withoutRepeats = (fields: string): string => [...new Set(fields.split(','))].join(',');

const knownFields =
  (known: readonly string[]): z.core.CheckFn<string> =>
  (context) => {
    const unknown = context.value.split(',').find((name) => !known.includes(name));
    if (unknown === undefined) return;
    // The names are long, and a response repeats the message.
    const reason = suggestion(unknown, known) || ` of ${known.join(', ')}`;
    const message = `must be names of fields, separated by commas; ${unknown || 'an empty name'} is not one${reason}`;
    context.issues.push({ code: 'custom', message, input: context.value });
  };

/** Returns the schema of a choice of fields. */
export const fieldChoice = (known: readonly string[]) =>
  z.string('must be text: names separated by commas').check(knownFields(known), z.overwrite(withoutRepeats));

/** The input of an endpoint, which may choose fields or have no hours. */
export type QuerySchema = z.ZodMiniType<
  z.output<typeof querySchema> & { readonly fields?: string | undefined }
> & { readonly shape: z.core.$ZodShape };

/** The input of `/today`. */
export const todayQuerySchema = z.object({ chain: chainsSchema });

export interface DayQuery extends Readonly<Omit<z.output<typeof querySchema>, 'chain'>> {
  /** In the order of the request; at least one. */
  readonly chains: readonly ChainName[];
  /** Separated by commas. */
  readonly fields?: string | undefined;
  /** True if a day was given relative to today. */
  readonly isRelative: boolean;
}

/** The part of a gateway event that holds the query, with a JSON body already decoded. */
export type QueryEvent = Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'> & {
  readonly body: unknown;
};

/**
 * Reads the query of a request from its query parameters, its JSON body or both. Values are read in any case.
 * @param yesterday the last complete day
 * @param schema of the endpoint
 * @param offered chains that errors name
 * @throws ProblemError with status 400 and every invalid or unknown field
 */
export function readQuery(
  event: QueryEvent,
  yesterday: UtcDay,
  schema: QuerySchema = querySchema,
  offered: readonly ChainName[] = chainNames,
): DayQuery {
  const { input, data, errors } = readInput(event, schema, offered);
  const days = rangeSchema.safeParse(input).data;
  const range = days && resolveRange(days, yesterday);
  if (range) errors.push(...rangeErrors(range, data?.interval));
  if (!data || !range || errors.length > 0) throw invalidFields(errors);
  const { chain, ...others } = data;
  return { ...others, ...range, chains: [chain].flat() };
}

/** Reads values of the fields of a schema, and lists each invalid or unknown field once. */
function readInput<Schema extends z.ZodMiniType & Pick<QuerySchema, 'shape'>>(
  event: QueryEvent,
  schema: Schema,
  offered: readonly ChainName[],
) {
  const given = valuesOf(event);
  const fields = Object.keys(schema.shape);
  const errors = [...unknownFields(given.keys(), fields), ...conflicts(given, fields)];
  const input = Object.fromEntries(fields.map((field) => [field, given.get(field)?.values().next().value]));
  input.chain = chainsIn(input.chain);
  const { data, error } = schema.safeParse(input);
  const reported = new Set(errors.map(({ field }) => field));
  for (const { path, message } of error?.issues ?? []) {
    const field = String(path[0]);
    if (reported.has(field)) continue;
    errors.push({ field, message: field === 'chain' ? chainMessage(offered, input.chain) : message });
  }
  return { input, data, errors };
}

/** Reads the chains whose running day a request asks for. @throws ProblemError as `readQuery` */
export function readTodayQuery(event: QueryEvent, offered: readonly ChainName[]): readonly ChainName[] {
  const { data, errors } = readInput(event, todayQuerySchema, offered);
  if (data && errors.length === 0) return [data.chain].flat();
  throw invalidFields(errors);
}

const chainsQuerySchema = z.object({ evidence: evidenceSchema });

/** Reads the weakest evidence of days that count as final. @throws ProblemError as `readQuery` */
export function readChainsQuery(event: QueryEvent): z.output<typeof chainsQuerySchema> {
  const { data, errors } = readInput(event, chainsQuerySchema, []);
  if (data && errors.length === 0) return data;
  throw invalidFields(errors);
}

/** Returns the problem of a query for a chain that this service does not read. */
export const notOffered = (chain: ChainName, offered: readonly ChainName[]): ProblemError =>
  invalidFields([
    { field: 'chain', message: `${oneOfMessage(offered, chain)}; this service does not read ${chain}` },
  ]);

/** Returns the problem of fields of `/days` that no row of an interval has. */
export function notInRows(interval: QueryInterval, names: readonly string[]): ProblemError {
  const message = `must leave out ${names.join(', ')}, which rows with the interval ${interval} never have`;
  return invalidFields([{ field: 'fields', message }]);
}

function invalidFields(errors: readonly InvalidField[]): ProblemError {
  const [first, ...others] = errors;
  const detail =
    first && others.length === 0
      ? `Invalid field: ${first.field} ${first.message}.`.replace(/\?\.$/, '?')
      : `Invalid fields: ${errors.map(({ field }) => field).join(', ')}. See errors.`;
  return new ProblemError({ status: 400, detail, errors });
}

/** Lists the different values that a request gives each field, texts in lower case. */
function valuesOf({ body, multiValueQueryStringParameters }: QueryEvent): Map<string, Set<unknown>> {
  const values = new Map<string, Set<unknown>>();
  const pairs: [string, unknown[] | undefined][] = Object.entries(multiValueQueryStringParameters ?? {});
  for (const [field, given = []] of [...pairs, ...membersOf(body)]) {
    const lower = given.map((value) => (typeof value === 'string' ? value.toLowerCase() : value));
    // Many generated clients repeat a parameter that has several values.
    const one = field === 'chain' && lower.length > 1 ? [[...new Set(lower)].join()] : lower;
    values.set(field, new Set([...(values.get(field) ?? []), ...one]));
  }
  return values;
}

function unknownFields(names: Iterable<string>, fields: readonly string[]): InvalidField[] {
  const known = `${fields.length === 1 ? 'the only field is' : 'the fields are'} ${fields.join(', ')}`;
  return [...names]
    .filter((name) => !fields.includes(name))
    .map((field) => ({ field, message: `is unknown; ${known}${suggestion(field, fields)}` }));
}

const conflicts = (given: ReadonlyMap<string, ReadonlySet<unknown>>, fields: readonly string[]) =>
  fields.filter((field) => (given.get(field)?.size ?? 0) > 1).map((field) => ({ field, message: CONFLICT }));

const CONFLICT = 'has conflicting values; send it once';

/** Returns the problem of a JSON body that gives members different values. */
export const conflictingMembers = (names: readonly string[]): ProblemError =>
  invalidFields(names.map((field) => ({ field, message: CONFLICT })));

function rangeErrors(range: Pick<DayQuery, 'start_date' | 'end_date'>, interval: QueryInterval | undefined) {
  if (range.start_date > range.end_date)
    return [{ field: 'end_date', message: 'must not be before start_date' }];
  if (interval !== 'hour' || countDays(range.start_date, range.end_date) <= MAX_DAYS_OF_HOURS) return [];
  const message = `must be at most ${MAX_DAYS_OF_HOURS - 1} days after start_date with the interval hour; ask for the other days in further requests`;
  return [{ field: 'end_date', message }];
}

function membersOf(body: unknown): [string, unknown[]][] {
  if (body === null || body === '' || body === undefined) return [];
  if (typeof body === 'object' && !Array.isArray(body))
    return Object.entries(body).map(([field, value]) => [field, [value]]);
  throw new ProblemError(functionProblems.NOT_AN_OBJECT);
}

function resolveRange(given: z.output<typeof rangeSchema>, yesterday: UtcDay) {
  const [start, end] = [given.start_date, given.end_date].map((day) => resolveRelativeDay(day, yesterday));
  return {
    start_date: start ?? given.start_date,
    end_date: end ?? given.end_date,
    isRelative: start !== undefined || end !== undefined,
  };
}
