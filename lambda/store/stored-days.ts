import * as z from 'zod/mini';
import { chainNames } from '../chains/chains.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import { blockRefSchema, integer, totalsFromAttributes, totalsShape } from './attributes.ts';
import type { ChainStore } from './chain-store.ts';
import { type DayFigures, keyOf, rangeOf } from './days.ts';
import { getItem, isNew, isUnchanged, putIf, queryPages, type Table } from './table.ts';

/* The items of final days with all that is kept in them, so that they can be carried from one table to another. */

const blockSchema = z.strictObject(blockRefSchema.shape);

const revisionShape = {
  ...totalsShape,
  first_block: z.optional(blockSchema),
  last_block: blockSchema,
  definition_version: integer,
  revision: integer,
  software_version: z.string(),
  ingested_at: z.string(),
  endpoint_hosts: z.array(z.string()),
};

const restatedSchema = z.strictObject({
  ...revisionShape,
  reason: z.string(),
  requested_at: z.string(),
  restated_at: z.string(),
});

const storedDaySchema = z.strictObject({
  chain: z.enum(chainNames),
  date: z.string(),
  ...revisionShape,
  restated: z.optional(z.array(restatedSchema)),
});

/** A final day, with how it came about and what it said before each restatement: all of its item. Fees are wei. */
export type StoredDay = z.output<typeof storedDaySchema>;

/** An item that holds more or less than this version of the code knows of: it would be carried over in part. */
export class UnknownItemError extends Error {
  override readonly name = 'UnknownItemError';
}

/** @throws UnknownItemError that names each attribute that is not known or not as it should be */
function fromItem(item: unknown): StoredDay {
  const { data, error } = storedDaySchema.safeParse(item);
  if (data) return data;
  const { chain, date } = z.object({ chain: z.string(), date: z.string() }).parse(item);
  const problems = error.issues.flatMap(({ path, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...path, key].join('.')} is not known`)
      : [`${path.join('.')} is missing or of another form`],
  );
  throw new UnknownItemError(
    `The item ${chain} ${date} is not one of this version of the code: ${problems.join(', ')}. Use the version that wrote it.`,
  );
}

/**
 * The final days from `first` to `last`, both included, ascending: read page by page, as fast as they are taken.
 * @throws UnknownItemError
 */
export async function* readStoredDays(
  store: ChainStore,
  first: UtcDay,
  last: UtcDay,
): AsyncGenerator<StoredDay> {
  const query = { ...rangeOf(store, first, last), ConsistentRead: true };
  for await (const items of queryPages(store.table, query)) yield* items.map(fromItem);
}

/** One day, or undefined when it is not final. */
export async function getStoredDay(store: ChainStore, day: UtcDay): Promise<StoredDay | undefined> {
  const item = await getItem(store.table, keyOf(store, day));
  return item && fromItem(item);
}

/**
 * Puts a day as it is, in the place of the revision that is stored now.
 * @param before 0 when none is stored
 * @returns whether it was put: false when another writer came in between
 */
export const putStoredDay = (table: Table, day: StoredDay, before: number): Promise<boolean> =>
  putIf(table, day, before === 0 ? isNew : isUnchanged('revision', before));

/** What a day says, without how it came about. */
export const figuresOf = (day: StoredDay): DayFigures => ({
  day: day.date,
  totals: totalsFromAttributes(day),
  first: day.first_block,
  last: day.last_block,
  definitionVersion: day.definition_version,
});
