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

registry.add(chainsSchema, { id: 'Chains', description: 'A chain, or a list of several.' });

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

export function componentSchemas() {
  const { schemas } = z.toJSONSchema(registry, {
    metadata: registry,
    // Unknown members are allowed.
    io: 'input',
    uri: (id) => refTo(`schemas/${id}`).$ref,
  });
  // OpenAPI identifies a component by its place, and sets the dialect for the whole document.
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema] as const),
  );
}
