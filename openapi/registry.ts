import * as z from 'zod/mini';

/** The description of each schema. Those with an ID become components of the document. */
export const registry = z.registry<{ readonly id?: string; readonly description: string }>();

export function described<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  registry.add(schema, { description });
  return schema;
}

export const refTo = (path: string) => ({ $ref: `#/components/${path}` });
