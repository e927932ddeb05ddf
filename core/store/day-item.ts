import * as z from 'zod/mini';
import { chainNames } from '../chains/chains.ts';
import type { BlockRef } from '../figures/block.ts';
import { type Evidence, evidences } from '../figures/evidence.ts';
import type { Totals } from '../figures/totals.ts';
import type { UtcDay } from '../figures/utc-day.ts';
import { printable } from '../printable.ts';
import {
  blockRefShape,
  HOST,
  integer,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
  withFormerNames,
  withTotals,
} from './attributes.ts';

/** The final figures of one UTC day of a chain. They follow from its blocks alone. */
export interface DayFigures {
  readonly day: UtcDay;
  readonly totals: Totals;
  /** Hash of the last block before the day; absent in days that earlier versions stored, until they are connected. */
  readonly parentHash?: string | undefined;
  /** Absent on a day without blocks. */
  readonly first?: BlockRef | undefined;
  /** The chain's last block before the next midnight; the next day's blocks follow it. */
  readonly last: BlockRef;
  readonly definitionVersion: number;
}

/** The origin of figures, stored beside them. Two days with the same figures may differ in it. */
export interface Provenance {
  readonly softwareVersion: string;
  readonly ingestedAt: Date;
  /** Hosts of the endpoints that returned the blocks, sorted. */
  readonly hosts: readonly string[];
  readonly evidence: Evidence;
  /** Blocks whose figures follow from their hash. */
  readonly provenBlocks: number;
  /** Hosts that support the block after the day, sorted; empty when the next day continues it. */
  readonly confirmedBy: readonly string[];
}

/** A spreadsheet runs a cell that begins with =, +, - or @ as a formula. */
export const VERSION_PATTERN = /^\d[\w.+-]{0,63}$/;

const HASH = /^0x[0-9a-f]{64}$/;
const hashSchema = z.string().check(z.regex(HASH));
const blockSchema = z.strictObject({ ...blockRefShape, hash: hashSchema });

const counter = z.pipe(z.bigint().check(z.minimum(1n)), z.transform(Number));

const figuresShape = {
  ...totalsShape,
  parent_hash: z.optional(hashSchema),
  first_block: z.optional(blockSchema),
  last_block: blockSchema,
  definition_version: counter,
};

const revisionShape = {
  ...figuresShape,
  revision: counter,
  software_version: z.string().check(z.regex(VERSION_PATTERN)),
  ingested_at: z.iso.datetime(),
  endpoint_hosts: z.array(z.string().check(z.regex(HOST))),
  // Days of release 0.1.0 have none of these: no block was proven.
  evidence: z._default(z.enum(evidences), 'checked'),
  proven_blocks: z._default(integer, 0),
  confirmed_by: z._default(z.array(z.string().check(z.regex(HOST))), []),
};

const restatedShape = {
  ...revisionShape,
  reason: z.string(),
  requested_at: z.iso.datetime(),
  restated_at: z.iso.datetime(),
};

const storedDaySchema = withTotals(
  z.strictObject({
    chain: z.enum(chainNames),
    date: z.iso.date(),
    ...revisionShape,
    restated: z.optional(z.array(withTotals(z.strictObject(restatedShape)))),
  }),
);

/** All attributes of a final day's item, with the figures before each restatement. Fees are wei. */
export type StoredDay = z.output<typeof storedDaySchema>;

/** Returns an item with its figures and provenance. */
export const toDayItem = (day: DayFigures, provenance: Provenance, revision: number) => ({
  date: day.day,
  ...withFormerNames(totalsToAttributes(day.totals)),
  parent_hash: day.parentHash,
  first_block: day.first,
  last_block: day.last,
  definition_version: day.definitionVersion,
  revision,
  software_version: provenance.softwareVersion,
  ingested_at: provenance.ingestedAt.toISOString(),
  endpoint_hosts: provenance.hosts,
  evidence: provenance.evidence,
  proven_blocks: provenance.provenBlocks,
  confirmed_by: provenance.confirmedBy,
});

const figuresSchema = withTotals(z.object({ date: z.string(), ...figuresShape }));

/** Reads the figures of an item and ignores attributes that this version does not know. */
export const decodeFigures = (item: unknown): DayFigures => figuresOf(figuresSchema.parse(item));

export const figuresOf = (day: z.output<typeof figuresSchema>): DayFigures => ({
  day: day.date,
  totals: totalsFromAttributes(day),
  parentHash: day.parent_hash,
  first: day.first_block,
  last: day.last_block,
  definitionVersion: day.definition_version,
});

/** A day, or which of its attributes are unknown, missing or invalid. */
export type ParsedDay = { readonly day: StoredDay } | { readonly problem: string };

const MAX_PROBLEMS = 10;
const MAX_NAME_LENGTH = 100;

/** Reads all attributes of an item, which may come from a file. */
export function parseStoredDay(item: unknown): ParsedDay {
  const { data, error } = storedDaySchema.safeParse(item);
  if (data) return { day: data };
  const problems = error.issues.flatMap(({ path, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
          return `${[...path, printable(key.slice(0, MAX_NAME_LENGTH))].join('.')} is unknown`;
        })
      : [`${path.join('.') || 'the object'} is missing or invalid`],
  );
  return { problem: problems.slice(0, MAX_PROBLEMS).join(', ') };
}

/** An item with attributes that this version does not know: a copy of it would be incomplete. */
export class UnknownItemError extends Error {
  override readonly name = 'UnknownItemError';
}

/** @throws UnknownItemError with the problem of an item that this version cannot read */
export function decodeStoredDay(item: unknown): StoredDay {
  const parsed = parseStoredDay(item);
  if ('day' in parsed) return parsed.day;
  const { chain, date } = z.object({ chain: z.string(), date: z.string() }).parse(item);
  throw new UnknownItemError(
    `This version cannot read the item ${chain} ${date}: ${parsed.problem}. Use the version that wrote it.`,
  );
}
