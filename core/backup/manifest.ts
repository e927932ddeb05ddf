import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../chains/chains.ts';
import type { UtcDay } from '../figures/calendar.ts';

/*
 * An export of the table is a folder with a file for each chain. The manifest is written last, so a folder without one is incomplete.
 * Each line of a file is an item in the form of DynamoDB's own exports.
 */

export const MANIFEST = 'manifest.json';

export const fileNameOf = (chain: ChainName): string => `${chain}.ndjson.gz`;

/** Prefix of all exports in a bucket. The function may write nowhere else. */
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
      /** The hash of the stored file. */
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

/** Decodes a manifest; returns undefined if it is not one of this version. */
export function decodeManifest(bytes: Buffer): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(bytes.toString())).data;
  } catch {
    return undefined;
  }
}

export const sha256Of = (bytes: Buffer, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding);
