import * as z from 'zod/mini';
import { chainNames, chainOf } from '../core/chains/chains.ts';
import { MAX_DAYS_OF_HOURS } from '../core/figures/calendar.ts';
import { chainSchema, chainsSchema } from '../lambda/api/chain-input.ts';
import {
  dayInputSchema,
  daySchema,
  evidenceSchema,
  intervalSchema,
  periodSchema,
  querySchema,
  todayQuerySchema,
} from '../lambda/api/query.ts';
import { dayFieldsSchema, daysQuerySchema } from '../lambda/api/series/days.ts';
import { periodQuerySchema } from '../lambda/api/series/distribution.ts';
import { feesFieldsSchema, feesQuerySchema } from '../lambda/api/series/fees.ts';
import { described, refTo, registry } from './registry.ts';
import './row-schemas.ts';
import './status-schema.ts';
import './today-schema.ts';

registry.add(daySchema, { id: 'Day', description: 'A calendar day (UTC).' });

registry.add(dayInputSchema, {
  id: 'DayInput',
  description: 'A calendar day (UTC), `yesterday`, or a number of days before today, such as `30-days-ago`.',
});

registry.add(chainSchema, {
  id: 'Chain',
  description: `A chain. In brackets: the coin of its fees, and its first day. ${chainNames
    .map((name) => `\`${name}\` (${chainOf(name).coin}, ${chainOf(name).firstDay})`)
    .join(', ')}.`,
});

registry.add(chainsSchema, {
  id: 'OneOrMoreChains',
  description: 'The name of a chain, or several, separated by commas. A list of names is accepted too.',
});

registry.add(intervalSchema, {
  id: 'Interval',
  description:
    'The length of the time that each row sums up. Weeks are ISO weeks, which begin on Monday. A range of hours has ' +
    `at most ${MAX_DAYS_OF_HOURS} days.`,
});

registry.add(periodSchema, {
  id: 'Period',
  description: 'The length of the period that each row sums up, as `Interval` without hours.',
});

described(
  evidenceSchema,
  'The weakest evidence to accept: `proven`, or `checked` (also returns proven days). Other days count as missing.',
);

registry.add(periodQuerySchema, { id: 'PeriodQuery', description: 'As `Query`, without hours.' });

registry.add(dayFieldsSchema, {
  id: 'FieldNames',
  description:
    'The fields of the rows to answer with, separated by commas, such as `fees,evidence`; all by default. `date` is always there. ' +
    'CSV has all its columns. Fields that no row of the interval has get 400.',
});

registry.add(feesFieldsSchema, {
  id: 'FeesFieldNames',
  description: 'Such as `fees,fees_usd`, for rows with dollars too.',
});

registry.add(daysQuerySchema, { id: 'DaysQuery', description: 'As `Query`, with the fields of the rows.' });
registry.add(feesQuerySchema, { id: 'FeesQuery', description: 'As `Query`, with the fields of the rows.' });
registry.add(todayQuerySchema, { id: 'TodayQuery', description: 'A request for the running day of chains.' });

registry.add(querySchema, {
  id: 'Query',
  description:
    'A chain or several, the days from `start_date` to `end_date`, both included, and the interval of the rows.',
});

/** The body of every error, as `problemBody` builds it. https://www.rfc-editor.org/rfc/rfc9457 */
z.object({
  title: described(z.string(), 'The reason phrase of the status.'),
  status: described(z.int().check(z.minimum(400), z.maximum(599)), 'The status code of the response.'),
  detail: described(z.string(), 'The cause, and the remedy.'),
  errors: described(
    z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
    'For invalid input: every invalid field.',
  ),
  request_id: described(z.string(), 'Quote it when you report a problem.'),
}).register(registry, { id: 'Problem', description: 'An error (RFC 9457).' });

/** Rows of which a request may choose fields: then all but the date may be absent. */
const CHOSEN = ['DayDetails', 'FeesDay'];

/** Returns the components of the document, in the forms that generators of clients accept. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  const rows = rowSchemas();
  return Object.fromEntries(
    Object.entries(rows).map(([name, schema]) => {
      const portable = withoutNullUnions(schema, rows) as JsonSchema;
      const { required } = portable;
      return [
        name,
        // For readers: these are in each row of a request that chooses nothing.
        CHOSEN.includes(name) ? { ...portable, required: ['date'], 'x-always': required } : portable,
      ];
    }),
  );
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Writes `null` as one of the types of a value: some generators know no union with it, and others no object that may be null in this way. */
function withoutNullUnions(node: unknown, components: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutNullUnions(each, components));
  if (typeof node !== 'object' || node === null) return node;
  const { anyOf, ...others } = node as JsonSchema;
  const [value, nothing] = anyOf ?? [];
  if (value && nothing?.type === 'null') {
    const found = components[value.$ref?.split('/').at(-1) ?? ''] ?? value;
    if (found.type !== 'object') return { ...found, type: [found.type, 'null'], ...others };
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, each]) => [name, withoutNullUnions(each, components)]),
  );
}

const TEXTS = ['DayInput', 'OneOrMoreChains'];

/** Returns the components with all fields of a row that is complete, as the client declares them. */
export function rowSchemas(): Readonly<Record<string, JsonSchema>> {
  const { schemas } = z.toJSONSchema(registry, {
    metadata: registry,
    // Unknown members are allowed.
    io: 'input',
    uri: (id) => refTo(`schemas/${id}`).$ref,
  });
  // OpenAPI identifies a component by its place, and sets the dialect for the whole document.
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
      name,
      // Generators know no union of texts, or of a text and a list.
      TEXTS.includes(name) ? { type: 'string', description: schema.description } : schema,
    ]),
  ) as Record<string, JsonSchema>;
}
