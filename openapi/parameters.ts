import type { Query } from '../lambda/api/query.ts';
import { exampleQuery } from './figures.ts';
import { headers } from './headers.ts';
import { componentSchemas } from './schemas.ts';

const descriptions: Readonly<Record<keyof Query, string>> = {
  chain: 'The chain that is asked about.',
  start_date: 'First day of the range, UTC. It must not be after `end_date`.',
  end_date: 'Last day of the range, UTC, which is part of it. The range may be as long as you like.',
};

export const IF_NONE_MATCH = 'If-None-Match';

/** What a request has beside its body, by name. */
export function parameters() {
  const { properties = {}, required = [] } = componentSchemas().Query ?? {};
  const examples: Readonly<Record<string, string>> = exampleQuery;
  const ofQuery = Object.entries(descriptions).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    required: required.includes(name),
    schema: properties[name],
    example: examples[name],
  }));
  const ifNoneMatch = {
    name: IF_NONE_MATCH,
    in: 'header',
    description:
      'The `ETag` of an answer that you have, as it came: 304 without a body says that it is still the answer. There may be ' +
      'several, with commas between them, or `*` for any.',
    schema: { type: 'string' },
    example: headers.ETag.example,
  };
  return Object.fromEntries([...ofQuery, ifNoneMatch].map((parameter) => [parameter.name, parameter]));
}
