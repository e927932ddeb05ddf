import { JSON_TYPE } from '../lambda/api/formats.ts';
import { MAX_BODY_BYTES } from '../lambda/api/json-body.ts';
import type { Query } from '../lambda/api/query.ts';
import { methods, type Route, routes } from '../lambda/api/routes.ts';
import { headers } from './headers.ts';
import { exampleQuery, type MetricDoc, metricDocs } from './metric-docs.ts';
import { componentSchemas, refTo } from './schemas.ts';

export const TAG = 'Daily figures';

const descriptions: Readonly<Record<keyof Query, string>> = {
  chain: 'The chain.',
  start_date: 'First day of the range (UTC). It must not be after `end_date`.',
  end_date: 'Last day of the range (UTC), included. The length of the range is not limited.',
};

const IF_NONE_MATCH = 'If-None-Match';

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

const inputRules = 'Other inputs are ignored. An input with conflicting values is answered with 400.';

const parameter = (name: string) => refTo(`parameters/${name}`);

const methodDocs = {
  GET: {
    description:
      'Send the three inputs as query parameters, or as a JSON body with `Content-Type: ' +
      `application/json\`. ${inputRules}`,
    input: { parameters: Object.keys(parameters()).map(parameter) },
  },
  POST: {
    description:
      'The same as GET, for clients that prefer a body. Send the three inputs as a JSON body, or as query parameters ' +
      `without a body. ${inputRules} A body may have at most ${MAX_BODY_BYTES / 1_024} KiB.`,
    input: {
      parameters: [parameter(IF_NONE_MATCH)],
      requestBody: {
        required: false,
        content: { [JSON_TYPE]: { schema: refTo('schemas/Query'), example: exampleQuery } },
      },
    },
  },
};

/** Returns the operations of each path, given the names of the error responses by status. */
export function paths(errors: Readonly<Record<number, string>>) {
  const operation = (method: (typeof methods)[number], { name, title, description }: MetricDoc) => ({
    operationId: `${method.toLowerCase()}${name}`,
    tags: [TAG],
    summary: title,
    description: `${description}\n\n${methodDocs[method].description}`,
    ...methodDocs[method].input,
    responses: Object.fromEntries(
      Object.entries({ 200: name, 304: 'NotModified', ...errors }).map(([status, response]) => [
        status,
        refTo(`responses/${response}`),
      ]),
    ),
  });
  const operationsOf = ({ handler }: Route) =>
    Object.fromEntries(
      methods.map((method) => [method.toLowerCase(), operation(method, metricDocs[handler])]),
    );
  return Object.fromEntries(routes.map((route) => [route.path, operationsOf(route)]));
}
