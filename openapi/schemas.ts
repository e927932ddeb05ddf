import * as z from 'zod/mini';
import { chainSchema, daySchema, querySchema } from '../lambda/api/query.ts';
import { chainNames, chainOf } from '../lambda/chains/chains.ts';
import { type Figure, figures } from './figures.ts';

export const refTo = (path: string) => ({ $ref: `#/components/${path}` });

export const rowName = ({ name }: Figure): string => `${name}Day`;

/** What schemas mean; those with an ID are named in the document. */
const registry = z.registry<{ readonly id?: string; readonly description: string }>();

registry.add(daySchema, { id: 'Day', description: 'A day of the calendar, UTC.' });

registry.add(chainSchema, {
  id: 'Chain',
  description: `A chain, with the coin of its fees and its first day: ${chainNames
    .map((name) => `\`${name}\` (${chainOf(name).coin}, ${chainOf(name).firstDay})`)
    .join(', ')}.`,
});

registry.add(querySchema, {
  id: 'Query',
  description:
    'A chain, and the days from `start_date` to `end_date`, both included. There may be any number of them.',
});

for (const figure of Object.values(figures)) {
  const { metric, schema, description } = figure;
  registry.add(schema, { description });
  registry.add(z.object({ date: daySchema, [metric.field]: schema }), {
    id: rowName(figure),
    description: 'A final day and its figure.',
  });
}

/** The body of every error, as `problemBody` makes it. https://www.rfc-editor.org/rfc/rfc9457 */
const problemSchema = z.object({
  title: z.string().register(registry, { description: 'The name of the status.' }),
  status: z
    .int()
    .check(z.minimum(400), z.maximum(599))
    .register(registry, { description: 'The status of the response, once more.' }),
  detail: z.string().register(registry, { description: 'What was wrong and what to do.' }),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))).register(registry, {
    description: 'For bad values: every bad field at once, with what is wrong with it.',
  }),
  request_id: z.string().register(registry, { description: 'Quote it when you report a problem.' }),
});
registry.add(problemSchema, { id: 'Problem', description: 'What was wrong and what to do (RFC 9457).' });

/** The schemas that the document names, as JSON Schema. */
export function componentSchemas() {
  const { schemas } = z.toJSONSchema(registry, {
    metadata: registry,
    // Members that nobody needs may be there.
    io: 'input',
    uri: (id) => refTo(`schemas/${id}`).$ref,
  });
  // A component is found by its place, and of the dialect of the whole document.
  const components = Object.entries(schemas).map(
    ([name, { $schema, $id, ...schema }]) => [name, schema] as const,
  );
  return Object.fromEntries(components);
}
