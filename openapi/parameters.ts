import type { Query } from '../lambda/api/query.ts';
import { headers } from './headers.ts';
import { exampleQuery } from './metric-docs.ts';
import { componentSchemas } from './schemas.ts';

const descriptions: Readonly<Record<keyof Query, string>> = {
  chain: 'The chain.',
  start_date: 'First day of the range (UTC). It must not be after `end_date`.',
  end_date: 'Last day of the range (UTC), included. The length of the range is not limited.',
};

export const IF_NONE_MATCH = 'If-None-Match';

/** Returns all parameters outside the body, by name. */
export function parameters() {
  const { properties = {}, required = [] } = componentSchemas().Query ?? {};
  const examples: Readonly<Record<string, string>> = exampleQuery;
  const queryParameters = Object.entries(descriptions).map(([name, description]) => ({
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
      'The `ETag` of an earlier response, unchanged. The response is 304 without a body if that one is still current. ' +
      'Several tags may be given, separated by commas, or `*` for any.',
    schema: { type: 'string' },
    example: headers.ETag.example,
  };
  return Object.fromEntries(
    [...queryParameters, ifNoneMatch].map((parameter) => [parameter.name, parameter]),
  );
}
