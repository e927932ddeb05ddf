import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';

/* The published docs/openapi.json. */

const schema = z.looseObject({ type: z.string().optional() });
const header = z.object({
  required: z.boolean().default(false),
  schema,
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
});
const content = z.object({
  schema,
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.looseObject({ status: z.int() }) })).optional(),
});
const response = z.object({
  headers: z.record(z.string(), header).default({}),
  content: z.record(z.string(), content).default({}),
});
const operation = z.object({
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        schema,
        // A list is sent with commas.
        example: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .transform((one) => one?.toString()),
      }),
    )
    .default([]),
  requestBody: z
    .object({ required: z.boolean().default(false), content: z.record(z.string(), content) })
    .optional(),
  responses: z.record(z.string(), response),
});
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** Returns the operations, with references resolved. */
export function readOperations() {
  const root: unknown = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const { paths } = document.parse(resolved(root, root));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ path, method: method.toUpperCase(), ...found })),
  );
}

const members = z.record(z.string(), z.unknown());
const reference = z.looseObject({ $ref: z.string() });

/** Resolves references in a part of the document, and forbids additional properties. */
function resolved(node: unknown, root: unknown): unknown {
  if (Array.isArray(node)) return node.map((each) => resolved(each, root));
  if (typeof node !== 'object' || node === null) return node;
  const { data } = reference.safeParse(node);
  if (data) return resolved(members.parse(partAt(data.$ref, root)), root);
  const parts = Object.entries(node).map(([name, each]) => [name, resolved(each, root)]);
  return { ...Object.fromEntries(parts), ...('properties' in node && { additionalProperties: false }) };
}

/** @param pointer such as `#/components/schemas/Day` */
const partAt = (pointer: string, root: unknown): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((at, name) => members.parse(at)[name], root);

const ajv = new Ajv2020({ formats: { date: true, 'date-time': true } });
// For readers of the page alone.
ajv.addKeyword('x-always');

/** Returns the errors of a value by a schema of the document. */
export function errorsOf(schema: object, value: unknown): readonly unknown[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Headers of every response. */
const TRANSPORT = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'x-amzn-requestid'];

/** Returns the errors of a response's headers: invalid values, and headers that the document does not name. */
export function headerErrorsOf(
  answer: Response,
  named: Readonly<Record<string, z.infer<typeof header>>>,
): readonly unknown[] {
  const bad = Object.entries(named).flatMap(([name, { required, schema }]) => {
    const value = headerValue(answer, name, schema);
    return value === null && !required ? [] : errorsOf(schema, value);
  });
  const known = [...TRANSPORT, ...Object.keys(named).map((name) => name.toLowerCase())];
  return [...bad, ...[...answer.headers.keys()].filter((name) => !known.includes(name))];
}

/** Returns a header in the type of its schema; null when it is absent. */
export function headerValue({ headers }: Response, name: string, { type }: z.infer<typeof schema>): unknown {
  const text = headers.get(name);
  return type === 'integer' && text !== null ? Number(text) : text;
}
