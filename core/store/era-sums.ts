import * as z from 'zod/mini';
import { DEFINITION_VERSION } from '../figures/day-figures.ts';
import type { DayProgress } from '../figures/progress.ts';
import { decodeProgress, toProgressAttributes } from './checkpoint-item.ts';
import { decodeItem } from './decode-item.ts';
import { eraSumsKey, eraSumsRange } from './keys.ts';
import { integer } from './shared-attributes.ts';
import { type ChainReader, type ChainStore, isUnchanged, queryItems } from './table.ts';

/** The header records of the blocks of an era file, reduced to what its accumulator needs. */
export interface HeaderRecords {
  readonly count: number;
  /** Roots of the full trees that hold them, the largest first, in hex: one for each binary digit 1 of `count`. */
  readonly roots: readonly string[];
  /** Of the last block; absent before the first, and in files without total difficulties. */
  readonly totalDifficulty: bigint | undefined;
}

/** The sums of the blocks of one era file. They follow from the hash of its last block alone. */
export interface EraSums {
  /** Name of the file. */
  readonly name: string;
  /** Number of its first block. */
  readonly first: number;
  /** Blocks in the file; 0 when it could not be opened. */
  readonly count: number;
  /** Parent of the first block. */
  readonly parentHash: string;
  /** The blocks read so far, day by day in order. Those of the first and the last day may be cut by the ends of the file. */
  readonly days: readonly DayProgress[];
  /** The header records of these blocks. */
  readonly records: HeaderRecords;
  /** Hosts of the endpoints that confirm the hash of the last block, sorted; empty when none did yet. */
  readonly confirmedBy: readonly string[];
  /** The reason why the file is refused. */
  readonly problem?: string | undefined;
  /** Time that reading and proving took, over all runs. */
  readonly seconds: number;
  /** Size of the file. */
  readonly bytes: number;
}

/** Stored sums, with a counter of the saves for an optimistic lock; 0 before the first. */
export interface StoredEraSums {
  readonly sequence: number;
  /** Absent when nothing is stored, or by a version with other rules or definitions. */
  readonly sums?: EraSums | undefined;
}

const schema = z.object({
  date: z.string(),
  sequence: integer,
  definition_version: integer,
  first_number: integer,
  block_count: integer,
  parent_hash: z.string(),
  days: z.array(z.object({ date: z.string(), progress: z.unknown() })),
  // Absent in what was stored before accumulators were checked.
  header_records: z.optional(
    z.object({
      count: integer,
      roots: z.array(z.string()),
      // Up to 78 digits, and DynamoDB keeps 38 of a number.
      total_difficulty: z.optional(z.string()),
    }),
  ),
  confirmed_by: z.array(z.string()),
  problem: z.optional(z.string()),
  milliseconds: integer,
  bytes: integer,
});

function decode(store: ChainReader, value: unknown): StoredEraSums {
  const item = decodeItem(schema, store.chain, value);
  const days = item.days.map(({ date, progress }) => decodeProgress(store, date, progress));
  const decoded = days.filter((day) => day !== undefined);
  const records = item.header_records;
  if (item.definition_version !== DEFINITION_VERSION || decoded.length < days.length || !records) {
    return { sequence: item.sequence };
  }
  return {
    sequence: item.sequence,
    sums: {
      name: item.date.slice(item.date.indexOf('#') + 1),
      first: item.first_number,
      count: item.block_count,
      parentHash: item.parent_hash,
      records: {
        count: records.count,
        roots: records.roots,
        totalDifficulty:
          records.total_difficulty === undefined ? undefined : BigInt(records.total_difficulty),
      },
      days: decoded,
      confirmedBy: item.confirmed_by,
      problem: item.problem,
      seconds: item.milliseconds / 1_000,
      bytes: item.bytes,
    },
  };
}

export async function getEraSums(store: ChainReader, name: string): Promise<StoredEraSums> {
  const item = await store.table.getItem(eraSumsKey(store, name));
  return item ? decode(store, item) : { sequence: 0 };
}

/** Lists the sums of all files, in the order of their names. */
export async function listEraSums(store: ChainReader): Promise<EraSums[]> {
  const items = await queryItems(store.table, eraSumsRange(store));
  return items.flatMap((item) => decode(store, item).sums ?? []);
}

/**
 * Saves sums, with an optimistic lock on those that they continue from.
 * @returns false when another run has saved the same file since
 */
export const saveEraSums = (store: ChainStore, before: StoredEraSums, sums: EraSums): Promise<boolean> =>
  store.table.putIf(
    {
      ...eraSumsKey(store, sums.name),
      sequence: before.sequence + 1,
      definition_version: DEFINITION_VERSION,
      first_number: sums.first,
      block_count: sums.count,
      parent_hash: sums.parentHash,
      days: sums.days.map((day) => ({ date: day.day, progress: toProgressAttributes(store, day) })),
      header_records: {
        count: sums.records.count,
        roots: sums.records.roots,
        total_difficulty: sums.records.totalDifficulty?.toString(),
      },
      confirmed_by: sums.confirmedBy,
      problem: sums.problem,
      milliseconds: Math.round(sums.seconds * 1_000),
      bytes: sums.bytes,
    },
    isUnchanged('sequence', before.sequence),
  );
