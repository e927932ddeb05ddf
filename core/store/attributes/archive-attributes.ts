import * as z from 'zod/mini';
import { integer } from './shared-attributes.ts';

const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

// Lazy, because most tables have no archived day, and a schema takes time in the cold start of a query function.
const archiveSchema = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    file_sha256: hashSchema,
    query_sha256: z.optional(hashSchema),
    audit: z.strictObject({
      audited_at: z.iso.datetime(),
      ranges_compared: integer,
      ranges: integer,
      statement: z.string(),
    }),
    void_since: z.optional(z.iso.datetime()),
  }),
);

/** Absent unless the day comes from an archive. DynamoDB reserves the word `archive`. */
export const archiveShape = { archived_from: z.optional(archiveSchema) };
