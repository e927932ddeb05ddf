import * as z from 'zod/mini';

/** The description of each schema. Those with an ID become components of the document. */
export const registry = z.registry<{ readonly id?: string; readonly description: string }>();

export const refTo = (path: string) => ({ $ref: `#/components/${path}` });
