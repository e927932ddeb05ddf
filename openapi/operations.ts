import { JSON_TYPE } from '../lambda/api/formats.ts';
import { MAX_BODY_BYTES } from '../lambda/api/json-body.ts';
import { methods, type Route, routes } from '../lambda/api/routes.ts';
import { exampleQuery, type MetricDoc, metricDocs } from './metric-docs.ts';
import { IF_NONE_MATCH, parameters } from './parameters.ts';
import { refTo } from './schemas.ts';

export const TAG = 'Daily figures';

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
