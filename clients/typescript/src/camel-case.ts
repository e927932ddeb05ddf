type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** JSON of the API with the names of its fields in camelCase. */
export type CamelCased<Json> = Json extends readonly (infer Each)[]
  ? readonly CamelCased<Each>[]
  : Json extends object
    ? {
        readonly [Name in keyof Json as Name extends string ? CamelCase<Name> : Name]: CamelCased<Json[Name]>;
      }
    : Json;

/** Returns JSON with the names of its fields in camelCase, at every depth. */
export function camelCased(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(camelCased);
  if (typeof json !== 'object' || json === null) return json;
  const fields = Object.entries(json).map(([name, value]) => [
    name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    camelCased(value),
  ]);
  return Object.fromEntries(fields);
}
