import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { ArchiveOrigin, DayFigures } from '../../figures/day-figures.ts';
import { totalFees } from '../../figures/fee-parts.ts';
import { dayShape } from '../attributes/day-attributes.ts';
import { integer } from '../attributes/shared-attributes.ts';
import { decodeItem, readItem, readItems } from '../table/decode-item.ts';
import { dayKey, dayRange, itemKey, kindRange } from '../table/keys.ts';
import {
  type ChainReader,
  type ChainStore,
  type Item,
  isUnchanged,
  queryItems,
  type Write,
} from '../table/table.ts';
import { figuresOf, figuresSchema } from './day-item.ts';
import { isArchived, queryStoredDays } from './days.ts';
import { type ItemVersion, versionShape } from './write-day.ts';

/* Days from the files of archives, and these files. Archived days are served, and are not final: any proof replaces them. */

const archivedSchema = z.extend(figuresSchema, { ...versionShape, archived_from: dayShape.archived_from });

/** A day from a file of an archive. */
export interface ArchivedDay {
  readonly figures: DayFigures;
  readonly origin: ArchiveOrigin;
  readonly item: Item;
  readonly version: ItemVersion;
}

export function decodeArchived({ chain }: ChainReader, item: Item): ArchivedDay {
  const { archived_from: origin, revision, amendments, ...figures } = decodeItem(archivedSchema, chain, item);
  if (!origin) throw new Error(`${chain} ${item.date} is archived without an archive`);
  return { figures: figuresOf(figures), origin, item, version: { revision, amendments } };
}

export async function getArchivedDay(store: ChainReader, day: UtcDay): Promise<ArchivedDay | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && isArchived(item) ? decodeArchived(store, item) : undefined;
}

/** Lists the archived days, ascending. */
export async function listArchivedDays(store: ChainReader): Promise<ArchivedDay[]> {
  const items = await queryItems(store.table, dayRange(store));
  return items.filter(isArchived).map((item) => decodeArchived(store, item));
}

/** Returns the percentage of the fees of all stored days that is proven, rounded down; undefined without fees. */
export async function provenFeesPercent(store: ChainReader): Promise<number | undefined> {
  const days = await queryStoredDays(store);
  const feesOf = (some: typeof days) =>
    some.reduce((sum, { figures }) => sum + totalFees(figures.totals.fees), 0n);
  const all = feesOf(days);
  const proven = feesOf(days.filter(({ evidence }) => evidence === 'proven'));
  return all === 0n ? undefined : Number((proven * 1_000n) / all) / 10;
}

/** The smallest number of ranges, and of complete days, that a draw must hold. */
const drawSize = { ranges: integer, days: integer };

export const archiveFileSchema = z.object({
  /** Counts the writes, for an optimistic lock. */
  sequence: integer,
  sha256: z.string(),
  name: z.string(),
  query_sha256: z.optional(z.string()),
  /** Random draws of ranges. Each is saved before any of them is read. */
  draws: z.array(
    z.object({
      /** SHA-256 of the file's hash and the block's. */
      seed: z.string(),
      block_number: integer,
      block_hash: z.string(),
      drawn_at: z.iso.datetime(),
      /** The time of the record, which the block follows; earlier versions drew without one. */
      recorded_at: z.optional(z.iso.datetime()),
      /** True on a development chain. */
      is_made_up: z.optional(z.boolean()),
      ...drawSize,
    }),
  ),
  /** A draw whose block is not final yet. */
  record: z.optional(z.object({ recorded_at: z.iso.datetime(), ...drawSize })),
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
  /** Days that could not be proven, the last one last. They are tried again once no others are left. */
  failed_days: z.optional(z.array(z.string())),
});

export type ArchiveFile = z.output<typeof archiveFileSchema>;

export const getArchiveFile = (store: ChainReader, sha256: string): Promise<ArchiveFile | undefined> =>
  readItem(archiveFileSchema, store, itemKey(store, 'archive', sha256));

export const listArchiveFiles = (store: ChainReader): Promise<ArchiveFile[]> =>
  readItems(archiveFileSchema, store, kindRange(store, 'archive'));

/** Returns the file of the day that scheduled runs prove, or proved last; any file if there is none. */
export const provingFile = (files: readonly ArchiveFile[]): ArchiveFile | undefined =>
  files.toSorted((a, b) => (a.proving?.since ?? '').localeCompare(b.proving?.since ?? '')).at(-1);

/** Returns a changed file, and the write of it, which is refused if another writer was faster. @param file undefined if none is stored */
export function fileWrite(
  store: ChainReader,
  sha256: string,
  file: ArchiveFile | undefined,
  change: (file: ArchiveFile) => Partial<ArchiveFile>,
): { readonly after: ArchiveFile; readonly write: Write } {
  const before = file ?? { sequence: 0, sha256, name: 'unknown', draws: [], equal: [] };
  const after = { ...before, ...change(before), sequence: before.sequence + 1 };
  const put = { ...itemKey(store, 'archive', sha256), ...after };
  return { after, write: { put, condition: isUnchanged('sequence', before.sequence) } };
}

/** Changes a file, and repeats that when another writer was faster. @param change receives the stored file, or an empty one */
export async function changeArchiveFile(
  store: ChainStore,
  sha256: string,
  change: (file: ArchiveFile) => Partial<ArchiveFile>,
): Promise<ArchiveFile> {
  for (;;) {
    const { after, write } = fileWrite(store, sha256, await getArchiveFile(store, sha256), change);
    if (await store.table.commit([write])) return after;
  }
}
