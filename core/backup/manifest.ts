import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../chains/chains.ts';
import type { UtcDay } from '../figures/calendar.ts';

/*
 * An export of the table: a folder with a file for each chain, and a manifest that is written last, so that a folder without one is
 * incomplete. A line of a file is an item as DynamoDB's own exports write it.
 */

export const MANIFEST = 'manifest.json';

export const fileNameOf = (chain: ChainName): string => `${chain}.ndjson.gz`;

/** Prefix of all exports in a bucket, and of those of a day. The function may write nowhere else. */
export const EXPORTS = 'exports';
export const folderOf = (day: UtcDay): string => `${EXPORTS}/${day}`;

const count = z.int().check(z.nonnegative());

const manifestSchema = z.object({
  format: z.literal(1),
  exported_at: z.iso.datetime(),
  software_version: z.string(),
  chains: z.array(
    z.object({
      chain: z.enum(chainNames),
      /** Of the file, as it is stored. */
      sha256: z.string(),
      bytes: count,
      items: count,
      days: count,
      first_day: z.optional(z.string()),
      last_day: z.optional(z.string()),
    }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;

export const encodeManifest = (manifest: Manifest): Buffer =>
  Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);

/** Returns undefined for bytes that are no manifest of this version. */
export function decodeManifest(bytes: Buffer): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(bytes.toString())).data;
  } catch {
    return undefined;
  }
}

export const sha256Of = (bytes: Buffer, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding);
