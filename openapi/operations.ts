import type * as z from 'zod/mini';
import { MAX_DAYS_OF_HOURS } from '../core/figures/calendar.ts';
import { MAX_BODY_LENGTH } from '../lambda/api/days-response.ts';
import { JSON_TYPE } from '../lambda/api/formats.ts';
import { MAX_BODY_BYTES } from '../lambda/api/json-body.ts';
import { chainsRoute, type SeriesRoute, seriesRoutes, todayRoute } from '../lambda/api/routes.ts';
import type { daysQuerySchema } from '../lambda/api/series/days.ts';
import { exampleQuery } from './examples.ts';
import { headers } from './headers.ts';
import { refTo } from './registry.ts';
import { componentSchemas } from './schemas.ts';
import { seriesDocs } from './series-docs.ts';
import { TODAY } from './today-schema.ts';

export const TAG = 'Daily figures';

const descriptions = {
  chain:
    "The chain's name, in upper or lower case; or several, separated by commas. Then each row begins with its `chain`.",
  start_date: 'First day of the range (UTC). It must not be after `end_date`.',
  end_date:
    `Last day of the range (UTC), included. A range of hours has at most ${MAX_DAYS_OF_HOURS} days. Others may have any length, ` +
    `unless the response would be larger than ${MAX_BODY_LENGTH / 1e6} MB.`,
  interval:
    "The length of the time that each row sums up. A period has a row only if all its days, from the chain's first day " +
    'on, are final and within the range. Its `date` is its first day, and for an hour it looks like `2026-11-21T13`.',
  evidence:
    'The weakest evidence to accept: `proven`, or `checked` (also returns proven days). Other days count as missing. Without it, ' +
    'days from an audited archive have rows too.',
  fields:
    'The fields of the rows, separated by commas, for smaller answers in JSON. `date` is always one of them.',
} satisfies Readonly<Record<keyof DayInputs, string>>;

type DayInputs = z.input<typeof daysQuerySchema>;

const IF_NONE_MATCH = 'If-None-Match';

export function parameters() {
  const { DaysQuery, FeesQuery, PeriodQuery } = componentSchemas();
  const examples: Readonly<Record<string, string>> = { ...exampleQuery, evidence: 'checked' };
  const inputs = Object.entries(descriptions).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    required: DaysQuery?.required?.includes(name),
    schema: DaysQuery?.properties?.[name],
    // All fields are the better example.
    ...(examples[name] && { example: examples[name] }),
  }));
  const { chain, ...others } = Object.fromEntries(inputs.map((input) => [input.name, input]));
  return {
    [CHAINS]: {
      ...chain,
      style: 'form',
      explode: false,
      schema: { type: 'array', items: refTo('schemas/Chain'), minItems: 1, uniqueItems: true },
      example: [exampleQuery.chain],
    },
    ...others,
    [IF_NONE_MATCH]: {
      name: IF_NONE_MATCH,
      in: 'header',
      description:
        'The `ETag` of an earlier response, unchanged. The response is 304 without a body if that one is still current. ' +
        'Several tags may be given, separated by commas, or `*` for any.',
      schema: { type: 'string' },
      example: headers.ETag.example,
    },
    [PERIOD]: { ...others.interval, schema: PeriodQuery?.properties?.interval },
    [FEES_FIELDS]: { ...others.fields, schema: FeesQuery?.properties?.fields },
  };
}

/** The component of the input `chain`. Generators name a type after it, and `Chain` is another one. */
const CHAINS = 'chainList';

/** The components of inputs that differ from those of `/days`: `interval` of a series without hours, and `fields` of `/fees`. */
const PERIOD = 'period';
const FEES_FIELDS = 'feesFields';

const RANGE = [CHAINS, 'start_date', 'end_date'];

/** The schema of the input of each series, and its parameters. */
const queries: Readonly<
  Record<SeriesRoute['name'], { readonly query: string; readonly names: readonly string[] }>
> = {
  transaction_count: { query: 'Query', names: [...RANGE, 'interval', 'evidence'] },
  fees: { query: 'FeesQuery', names: [...RANGE, 'interval', 'evidence', FEES_FIELDS] },
  days: { query: 'DaysQuery', names: [...RANGE, 'interval', 'evidence', 'fields'] },
  distribution: { query: 'PeriodQuery', names: [...RANGE, PERIOD, 'evidence'] },
};

const inputRules = 'An unknown input, or one with conflicting values, is answered with 400.';
const HEAD = 'HEAD gives the same status and headers without a body.';
const usages = {
  get:
    'Send the inputs as query parameters, or as a JSON body with `Content-Type: ' +
    `application/json\`. ${inputRules} ${HEAD}`,
  post:
    'The same as GET, for clients that prefer a body. Send the inputs as a JSON body, or as query parameters ' +
    `without a body. ${inputRules} A body may have at most ${MAX_BODY_BYTES / 1_024} KiB.`,
};

const parameter = (name: string) => refTo(`parameters/${name}`);

type Errors = Readonly<Record<number, string>>;

/** Returns the operations of each path, given the names of the error responses by status. */
export const paths = (errors: Errors) => ({
  ...Object.fromEntries(seriesRoutes.map((route) => [route.path, seriesOperations(route, errors)])),
  [todayRoute.path]: todayOperations(errors),
  [chainsRoute.path]: {
    get: {
      operationId: 'getChains',
      tags: [TAG],
      summary: 'The chains and the state of their data',
      description: `The chains that the service ingests, with their final days and how current they are. ${HEAD}`,
      parameters: [parameter('evidence')],
      responses: responsesOf({ 200: 'Chains', ...errors }),
    },
  },
});

function seriesOperations(route: SeriesRoute, errors: Errors) {
  const { name, title, description } = seriesDocs[route.name];
  const operation = (method: keyof typeof usages, input: object) => ({
    operationId: `${method}${name}`,
    tags: [TAG],
    summary: title,
    description: `${description}\n\n${usages[method]}`,
    ...input,
    responses: responsesOf({ 200: name, 304: 'NotModified', ...errors }),
  });
  const { query, names } = queries[route.name];
  const schema = refTo(`schemas/${query}`);
  return {
    get: operation('get', { parameters: [...names, IF_NONE_MATCH].map(parameter) }),
    post: operation('post', {
      parameters: [parameter(IF_NONE_MATCH)],
      requestBody: { required: false, content: { [JSON_TYPE]: { schema, example: exampleQuery } } },
    }),
  };
}

function todayOperations(errors: Errors) {
  const operation = (method: keyof typeof usages, input: object) => ({
    operationId: `${method}Today`,
    tags: [TAG],
    summary: 'The running day',
    description: `${TODAY}\n\n${usages[method]}`,
    ...input,
    responses: responsesOf({ 200: 'RunningDay', 304: 'NotModified', ...errors }),
  });
  const example = { chain: exampleQuery.chain };
  const content = { [JSON_TYPE]: { schema: refTo('schemas/TodayQuery'), example } };
  return {
    get: operation('get', { parameters: [CHAINS, IF_NONE_MATCH].map(parameter) }),
    post: operation('post', {
      parameters: [parameter(IF_NONE_MATCH)],
      requestBody: { required: false, content },
    }),
  };
}

const responsesOf = (names: Readonly<Record<number, string>>) =>
  Object.fromEntries(
    Object.entries(names).map(([status, response]) => [status, refTo(`responses/${response}`)]),
  );
