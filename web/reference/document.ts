/* The parts of docs/openapi.json that the API reference shows. openapi/ generates it, so its shape is known. */

interface Ref {
  readonly $ref: string;
}

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: string;
  readonly items?: Schema | Ref;
  readonly properties?: Readonly<Record<string, Schema | Ref>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly (Schema | Ref)[];
  readonly oneOf?: readonly (Schema | Ref)[];
  readonly const?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema | Ref;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Ref | { readonly description: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly responses: Readonly<Record<string, Response | Ref>>;
}

export interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Returns the object that a reference such as `#/components/schemas/Day` names, or the value itself. */
export function resolve<T extends object>(document: OpenApiDocument, value: T | Ref): T {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = document.components[kind]?.[name];
  if (!found) throw new Error(`docs/openapi.json has no ${value.$ref}. Run npm run generate.`);
  return resolve(document, found as T | Ref);
}

export function rowSchemaOf(document: OpenApiDocument, { content = {} }: Response): Schema {
  const { items } = content['application/json']?.schema ?? {};
  return items ? resolve(document, items) : {};
}

/** Returns the object types in a value, such as those of a list or of alternatives, with what tells alternatives apart. */
export function nestedTypes(
  document: OpenApiDocument,
  value: Schema | Ref,
): readonly { readonly title: string; readonly schema: Schema }[] {
  const schema = resolve<Schema>(document, value);
  const of = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (of.length > 0) return of.flatMap((one) => nestedTypes(document, one));
  if (!schema.properties) return [];
  const { kind } = schema.properties;
  const only = kind && 'const' in kind ? kind.const : undefined;
  return [{ title: only ?? '', schema }];
}

/** Returns the type of a value in words, such as `string`, `integer or null` or `Block`. */
export function typeName(schema: Schema | Ref): string {
  if ('$ref' in schema) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ');
  if (schema.items) return `list of ${typeName(schema.items)}`;
  return schema.enum?.map((value) => `"${value}"`).join(' or ') ?? schema.type ?? 'any';
}
