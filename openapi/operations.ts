import { JSON_TYPE } from '../lambda/api/formats.ts';
import { MAX_BODY_BYTES } from '../lambda/api/json-body.ts';
import { methods, routes } from '../lambda/api/routes.ts';
import { exampleQuery, type Figure, figures } from './figures.ts';
import { IF_NONE_MATCH, parameters } from './parameters.ts';
import { refTo } from './schemas.ts';

export const TAG = 'Daily figures';

/** By status. */
type ResponseNames = Readonly<Record<number, string>>;

interface Way {
  /** Begins the name of the operation. */
  readonly verb: string;
  readonly description: string;
  readonly input: object;
}

const rest =
  'Whatever else is sent is ignored. An input that is given more than once, with different values, is answered with 400.';

const parameter = (name: string) => refTo(`parameters/${name}`);

/** How each method is used. */
const ways: Readonly<Record<(typeof methods)[number], Way>> = {
  GET: {
    verb: 'get',
    description:
      'The three inputs are query parameters. They may be sent as a JSON body too, with `Content-Type: ' +
      `application/json\`. ${rest}`,
    input: { parameters: Object.keys(parameters()).map(parameter) },
  },
  POST: {
    verb: 'post',
    description:
      'The same answer, for clients that rather send a body. The three inputs may be query parameters too, and then no ' +
      `body is needed. ${rest} A body may have ${MAX_BODY_BYTES / 1_024} KiB at most.`,
    input: {
      parameters: [parameter(IF_NONE_MATCH)],
      requestBody: {
        required: false,
        content: { [JSON_TYPE]: { schema: refTo('schemas/Query'), example: exampleQuery } },
      },
    },
  },
};

/**
 * The operations of each path.
 * @param errors the names of the responses to what goes wrong, by their status
 */
export const paths = (errors: ResponseNames) =>
  Object.fromEntries(
    routes.map(({ path, handler }) => [
      path,
      Object.fromEntries(
        methods.map((method) => [method.toLowerCase(), operation(ways[method], figures[handler], errors)]),
      ),
    ]),
  );

const operation = (way: Way, { name, title, description }: Figure, errors: ResponseNames) => ({
  operationId: `${way.verb}${name}`,
  tags: [TAG],
  summary: title,
  description: `${description}\n\n${way.description}`,
  ...way.input,
  responses: Object.fromEntries(
    Object.entries({ 200: name, 304: 'NotModified', ...errors }).map(([status, response]) => [
      status,
      refTo(`responses/${response}`),
    ]),
  ),
});
