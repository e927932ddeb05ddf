import * as z from 'zod/mini';
import { described, registry } from './registry.ts';

/* Schemas that the fields of several rows share. */

export const natural = () => z.int().check(z.nonnegative());

export const count = (description: string) => described(natural(), description);

export const text = (description: string) => described(z.string(), description);

export const optionalText = (description: string) => described(z.optional(z.string()), description);

/** An exact decimal, as `coinAmount` formats it. */
export const amountSchema = z.string().check(z.regex(/^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/));

export const amount = (description: string) => described(z.clone(amountSchema), description);

export const time = (description: string) => described(z.iso.datetime(), description);

export const nullable = (schema: z.ZodMiniType, description: string) =>
  described(z.nullable(schema), description);

export const blockSchema = z
  .object({ number: count('The number of the block.'), hash: text('The hash of the block.') })
  .register(registry, { id: 'Block', description: 'A block.' });
