import * as z from 'zod/mini';
import { chainSchema, daySchema, querySchema } from '../lambda/api/query.ts';
import { chainNames, chainOf } from '../lambda/chains/chains.ts';
import { type MetricDoc, metricDocs } from './metric-docs.ts';

export const refTo = (path: string) => ({ $ref: `#/components/${path}` });

export const rowName = ({ name }: MetricDoc): string => `${name}Day`;

/** The description of each schema. Those with an ID become components of the document. */
const registry = z.registry<{ readonly id?: string; readonly description: string }>();

registry.add(daySchema, { id: 'Day', description: 'A calendar day (UTC).' });

registry.add(chainSchema, {
  id: 'Chain',
  description: `A chain. In brackets: the coin of its fees, and its first day. ${chainNames
    .map((name) => `\`${name}\` (${chainOf(name).coin}, ${chainOf(name).firstDay})`)
    .join(', ')}.`,
});

registry.add(querySchema, {
  id: 'Query',
  description: 'A chain, and the days from `start_date` to `end_date`, both included.',
});

for (const doc of Object.values(metricDocs)) {
  const { metric, schema, description } = doc;
  registry.add(schema, { description });
  registry.add(z.object({ date: daySchema, [metric.field]: schema }), {
    id: rowName(doc),
    description: 'A final day and its value.',
  });
}

/** The body of every error, as `problemBody` builds it. https://www.rfc-editor.org/rfc/rfc9457 */
const problemSchema = z.object({
  title: z.string().register(registry, { description: 'The reason phrase of the status.' }),
  status: z
    .int()
    .check(z.minimum(400), z.maximum(599))
    .register(registry, { description: 'The status code of the response.' }),
  detail: z.string().register(registry, { description: 'The cause, and the remedy.' }),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))).register(registry, {
    description: 'For invalid input: every invalid field.',
  }),
  request_id: z.string().register(registry, { description: 'Quote it when you report a problem.' }),
});
registry.add(problemSchema, { id: 'Problem', description: 'An error (RFC 9457).' });

/** Returns the component schemas as JSON Schema. */
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
