/* The parts of docs/openapi.json that the API reference shows. openapi/ generates it, so its shape is known. */

export interface Schema {
  /** Name of the component that the schema is. */
  readonly component?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The fields that each row has unless a request chooses others. */
  readonly 'x-always'?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}

export interface OpenApiDocument {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Reads a document, and puts the components that its references name in their place. */
export function readDocument(json: string): OpenApiDocument {
  const root = JSON.parse(json);
  const expand = (value: object): object => {
    const entries = Object.entries(value).map(([name, member]) => [
      name,
      member instanceof Object ? expand(member) : member,
    ]);
    if (Array.isArray(value)) return entries.map(([, member]) => member);
    const { $ref, ...members } = Object.fromEntries(entries);
    if ($ref === undefined) return members;
    const [, , kind, component] = $ref.split('/');
    return { ...expand(root.components[kind][component]), ...members, component };
  };
  return expand(root) as OpenApiDocument;
}

/** Returns the object types in a schema, such as those of a list or of alternatives, with what tells alternatives apart. */
export function nestedTypes(schema: Schema): readonly { readonly title: string; readonly schema: Schema }[] {
  const { items, anyOf = [], oneOf = [], properties } = schema;
  const of = [...(items ? [items] : []), ...anyOf, ...oneOf];
  if (of.length > 0) return of.flatMap(nestedTypes);
  return properties ? [{ title: properties.kind?.const ?? '', schema }] : [];
}

/** Returns the type of a value in words, such as `string`, `integer or null` or `Block`. Only what can be expanded has a name. */
export function typeName(schema: Schema): string {
  if (schema.component && nestedTypes(schema).length > 0) return schema.component;
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ');
  if (schema.items) return `list of ${typeName(schema.items)}`;
  return schema.enum?.map((value) => `"${value}"`).join(' or ') ?? schema.type ?? 'any';
}
