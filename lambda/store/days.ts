import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { BlockRef } from '../chains/block.ts';
import type { Fees } from '../chains/fees.ts';
import type { Totals } from '../chains/totals.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import {
  blockRefSchema,
  feesFromAttributes,
  feesShape,
  integer,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
} from './attributes.ts';
import type { ChainStore } from './chain-store.ts';
import type { Restatement } from './checkpoints.ts';
import { getItem, isNew, isUnchanged, putIf, queryItems, queryPages } from './table.ts';

/** The final figures of one UTC day of a chain. They follow from its blocks alone. */
export interface DayFigures {
  readonly day: UtcDay;
  readonly totals: Totals;
  /** Absent on a day without blocks. */
  readonly first?: BlockRef | undefined;
  /** The chain's last block before the next midnight; the next day's blocks follow it. */
  readonly last: BlockRef;
  readonly definitionVersion: number;
}

/** How figures came about: kept beside them, and no part of what they say. */
export interface Provenance {
  readonly softwareVersion: string;
  readonly ingestedAt: Date;
  /** Hosts of the endpoints that gave the blocks, sorted. */
  readonly hosts: readonly string[];
}

const dayItemSchema = z.object({
  date: z.string(),
  first_block: z.optional(blockRefSchema),
  last_block: blockRefSchema,
  definition_version: integer,
  ...totalsShape,
});

const fromItem = (item: unknown): DayFigures => {
  const decoded = dayItemSchema.parse(item);
  return {
    day: decoded.date,
    totals: totalsFromAttributes(decoded),
    first: decoded.first_block,
    last: decoded.last_block,
    definitionVersion: decoded.definition_version,
  };
};

const toItem = (store: ChainStore, figures: DayFigures, provenance: Provenance, revision: number) => ({
  ...keyOf(store, figures.day),
  ...totalsToAttributes(figures.totals),
  first_block: figures.first,
  last_block: figures.last,
  definition_version: figures.definitionVersion,
  revision,
  software_version: provenance.softwareVersion,
  ingested_at: provenance.ingestedAt.toISOString(),
  endpoint_hosts: provenance.hosts,
});

export const keyOf = ({ chain }: ChainStore, day: UtcDay) => ({ chain, date: day });

/**
 * Stores the figures of a final day, once: a day that is already there stays as it is.
 * @returns whether it was not there yet
 */
export const putDay = (store: ChainStore, figures: DayFigures, provenance: Provenance): Promise<boolean> =>
  putIf(store.table, toItem(store, figures, provenance, 1), isNew);

const restatedItemSchema = z.looseObject({
  chain: z.string(),
  date: z.string(),
  revision: integer,
  last_block: blockRefSchema,
  restated: z._default(
    z.array(z.looseObject({ reason: z.string(), requested_at: z.string(), last_block: blockRefSchema })),
    [],
  ),
});

/** Whether what is kept in `restated` was replaced by this restatement. */
const isBy =
  ({ reason, requestedAt }: Restatement) =>
  (old: { reason: string; requested_at: string }): boolean =>
    old.reason === reason && old.requested_at === requestedAt;

/**
 * Puts figures in the place of those that are stored: the revision goes up, and the item as it was is kept in its list
 * `restated`, with the reason and the time.
 * @returns whether the day is restated: false when another writer came in between
 */
export async function replaceDay(
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  restatement: Restatement,
): Promise<boolean> {
  const stored = await getItem(store.table, keyOf(store, figures.day));
  const { chain: _chain, date: _date, restated, ...old } = restatedItemSchema.parse(stored);
  // A run beside this one has done it.
  if (restated.some(isBy(restatement))) return true;
  const { reason, requestedAt } = restatement;
  const restatedAt = provenance.ingestedAt.toISOString();
  const item = {
    ...toItem(store, figures, provenance, old.revision + 1),
    restated: [...restated, { ...old, reason, requested_at: requestedAt, restated_at: restatedAt }],
  };
  return putIf(store.table, item, isUnchanged('revision', old.revision));
}

/**
 * How a restatement stands.
 * @returns `open` while the day does not hold it, and then whether the day ends with another block since; `void` when
 *   there is no such day
 */
export async function restatementOf(
  store: ChainStore,
  day: UtcDay,
  restatement: Restatement,
): Promise<'open' | 'void' | { readonly isEndMoved: boolean }> {
  const stored = await getItem(store.table, keyOf(store, day));
  if (!stored) return 'void';
  const { restated, last_block } = restatedItemSchema.parse(stored);
  const old = restated.find(isBy(restatement));
  return old ? { isEndMoved: !isDeepStrictEqual(old.last_block, last_block) } : 'open';
}

/** The figures of one day as they are stored now, or undefined when it is not final. */
export async function getDay(store: ChainStore, day: UtcDay): Promise<DayFigures | undefined> {
  const item = await getItem(store.table, keyOf(store, day));
  return item && fromItem(item);
}

/** The final days from `first` to `last`, both included, ascending. */
export async function queryDays(store: ChainStore, first: UtcDay, last: UtcDay): Promise<DayFigures[]> {
  return (await queryItems(store.table, rangeOf(store, first, last))).map(fromItem);
}

/**
 * Some attributes of the final days from `first` to `last`, both included, as of every write that has been answered. Ascending.
 */
async function queryParts<Shape extends Record<string, z.ZodMiniType>>(
  store: ChainStore,
  first: UtcDay,
  last: UtcDay,
  shape: Shape,
) {
  const schema = z.object({ date: z.string(), ...shape });
  const items = await queryItems(store.table, {
    ...rangeOf(store, first, last),
    // A day is read as fast as its attributes are decoded, so only those are sent that are needed.
    ProjectionExpression: ['#date', ...Object.keys(shape)].join(', '),
    ConsistentRead: true,
  });
  return items.map((item) => schema.parse(item));
}

/** How many transactions the final days from `first` to `last` carried, both included: as of every answered write. Ascending. */
export async function queryTransactionCounts(
  store: ChainStore,
  first: UtcDay,
  last: UtcDay,
): Promise<(readonly [UtcDay, number])[]> {
  const days = await queryParts(store, first, last, { transaction_count: integer });
  return days.map(({ date, transaction_count }) => [date, transaction_count]);
}

/** The same for what senders paid, in wei. */
export async function queryFees(
  store: ChainStore,
  first: UtcDay,
  last: UtcDay,
): Promise<(readonly [UtcDay, Fees])[]> {
  const days = await queryParts(store, first, last, feesShape);
  return days.map((item) => [item.date, feesFromAttributes(item)]);
}

/** Which days are final from `first` on, ascending. */
export async function listFinalDays(store: ChainStore, first: UtcDay): Promise<UtcDay[]> {
  const items = await queryItems(store.table, {
    ...rangeOf(store, first, LAST_DAY),
    ProjectionExpression: '#date',
    ConsistentRead: true,
  });
  return items.map((item) => z.object({ date: z.string() }).parse(item).date);
}

/** The last of all final days. */
export async function lastFinalDay(store: ChainStore): Promise<UtcDay | undefined> {
  const { value = [] } = await queryPages(store.table, {
    ...rangeOf(store, FIRST_DAY, LAST_DAY),
    ScanIndexForward: false,
    Limit: 1,
    ConsistentRead: true,
  }).next();
  return value.map((item) => z.object({ date: z.string() }).parse(item).date)[0];
}

const FIRST_DAY: UtcDay = '0000-01-01';
const LAST_DAY: UtcDay = '9999-12-31';

/** Sort keys that are no days begin with a letter and so lie outside every range of days. */
export const rangeOf = ({ chain }: ChainStore, first: UtcDay, last: UtcDay) => ({
  KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
  ExpressionAttributeNames: { '#date': 'date' },
  ExpressionAttributeValues: { ':chain': chain, ':first': first, ':last': last },
});
