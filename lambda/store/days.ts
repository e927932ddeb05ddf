import { GetCommand, paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { BlockRef } from '../chains/block.ts';
import type { Totals } from '../chains/totals.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import {
  blockRefSchema,
  integer,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
} from './attributes.ts';
import { answerOf, isNew, putIf, type Table } from './table.ts';

/** The final figures of one UTC day of a chain. */
export interface DayFigures {
  readonly day: UtcDay;
  readonly totals: Totals;
  /** Absent on a day without blocks. */
  readonly first?: BlockRef | undefined;
  /** The chain's last block before the next midnight; the next day's blocks follow it. */
  readonly last: BlockRef;
  readonly definitionVersion: number;
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

/**
 * Stores the figures of a final day, once: a day that is already there stays as it is.
 * @returns whether it was not there yet
 */
export function putDay(table: Table, chain: string, figures: DayFigures, now: Date): Promise<boolean> {
  const item = {
    chain,
    date: figures.day,
    ...totalsToAttributes(figures.totals),
    first_block: figures.first,
    last_block: figures.last,
    definition_version: figures.definitionVersion,
    revision: 1,
    ingested_at: now.toISOString(),
  };
  return putIf(table, item, isNew);
}

/** The figures of one day as they are stored now, or undefined when it is not final. */
export async function getDay(table: Table, chain: string, day: UtcDay): Promise<DayFigures | undefined> {
  const get = new GetCommand({
    TableName: table.name,
    Key: { chain, date: day },
    ConsistentRead: true,
  });
  const { Item } = await answerOf(table.client.send(get));
  return Item && fromItem(Item);
}

/** The final days from `first` to `last`, both included, ascending. */
export async function queryDays(
  table: Table,
  chain: string,
  first: UtcDay,
  last: UtcDay,
): Promise<DayFigures[]> {
  return (await queryItems(table, rangeOf(chain, first, last))).map(fromItem);
}

/** Which days are final from `first` on, ascending. */
export async function listFinalDays(table: Table, chain: string, first: UtcDay): Promise<UtcDay[]> {
  const items = await queryItems(table, {
    ...rangeOf(chain, first, LAST_DAY),
    ProjectionExpression: '#date',
    ConsistentRead: true,
  });
  return items.map((item) => z.object({ date: z.string() }).parse(item).date);
}

const LAST_DAY: UtcDay = '9999-12-31';

/** Sort keys that are no days begin with a letter and so lie outside every range of days. */
const rangeOf = (chain: string, first: UtcDay, last: UtcDay) => ({
  KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
  ExpressionAttributeNames: { '#date': 'date' },
  ExpressionAttributeValues: { ':chain': chain, ':first': first, ':last': last },
});

async function queryItems(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName'>,
): Promise<Record<string, unknown>[]> {
  const pages = paginateQuery({ client: table.client }, { TableName: table.name, ...query });
  const items = await answerOf(Array.fromAsync(pages, ({ Items = [] }) => Items));
  return items.flat();
}
