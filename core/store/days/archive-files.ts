import * as z from 'zod/mini';
import { integer } from '../attributes/shared-attributes.ts';
import { readItem, readItems } from '../table/decode-item.ts';
import { itemKey, kindRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, isUnchanged } from '../table/table.ts';

/** A random draw of ranges, which is saved before any of them is read. */
const drawSchema = z.object({
  /** SHA-256 of the file's hash and the block's. */
  seed: z.string(),
  block_number: integer,
  block_hash: z.string(),
  drawn_at: z.iso.datetime(),
  /** The smallest number of ranges, and of complete days, that the draw must hold. */
  ranges: integer,
  days: integer,
});

export const archiveFileSchema = z.object({
  /** Counts the writes, for an optimistic lock. */
  sequence: integer,
  sha256: z.string(),
  name: z.string(),
  query_sha256: z.optional(z.string()),
  draws: z.array(drawSchema),
  /** Drawn ranges that were equal, by the number of their first block. */
  equal: z.array(integer),
  /** The first difference; such a file is never published. */
  difference: z.optional(z.string()),
  /** The report of the last audit. */
  report: z.optional(z.string()),
  /** Set once a proof has contradicted a day of the file. */
  void_since: z.optional(z.iso.datetime()),
  /** True once all days of a void file are marked. */
  is_marked: z.optional(z.boolean()),
  /** The day that scheduled runs prove, or proved last: why it was chosen, and why it could not be proven. */
  proving: z.optional(
    z.object({
      day: z.string(),
      since: z.iso.datetime(),
      by: z.enum(['fees', 'chance']),
      problem: z.optional(z.string()),
    }),
  ),
});

export type ArchiveFile = z.output<typeof archiveFileSchema>;

export const getArchiveFile = (store: ChainReader, sha256: string): Promise<ArchiveFile | undefined> =>
  readItem(archiveFileSchema, store, itemKey(store, 'archive', sha256));

export const listArchiveFiles = (store: ChainReader): Promise<ArchiveFile[]> =>
  readItems(archiveFileSchema, store, kindRange(store, 'archive'));

/** Returns the file of the day that scheduled runs prove, or proved last. */
export const provingFile = (files: readonly ArchiveFile[]): ArchiveFile | undefined =>
  files
    .filter(({ proving }) => proving)
    .toSorted((a, b) => String(a.proving?.since).localeCompare(String(b.proving?.since)))
    .at(-1);

/** Changes a file, and repeats that when another writer was faster. @param change receives the stored file, or an empty one */
export async function changeArchiveFile(
  store: ChainStore,
  sha256: string,
  change: (file: ArchiveFile) => Partial<ArchiveFile>,
): Promise<ArchiveFile> {
  for (;;) {
    const stored = await getArchiveFile(store, sha256);
    const before = stored ?? { sequence: 0, sha256, name: 'unknown', draws: [], equal: [] };
    const after = { ...before, ...change(before), sequence: before.sequence + 1 };
    const item = { ...itemKey(store, 'archive', sha256), ...after };
    if (await store.table.putIf(item, isUnchanged('sequence', before.sequence))) return after;
  }
}
