import { createHash, randomBytes } from 'node:crypto';
import { PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { dayOf, type UtcDay } from '../lambda/chains/utc-day.ts';
import { integer } from '../lambda/store/attributes.ts';
import { answerOf, getItem, queryItems, type Table } from '../lambda/store/table.ts';
import { documentsOf } from './documents.ts';

/*
 * The keys of the service on this machine, in a table beside that of the metrics: partition key `hash`, sort key `date`. A key
 * has an item `key`, and one for each day on which it was used. Its value is nowhere, only the hash of it.
 */

export interface LocalKey {
  /** SHA-256 of its value, in hexadecimal digits. */
  readonly hash: string;
  readonly name: string;
  readonly tier: string;
  readonly enabled: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ID of the key in whose place it was issued. */
  readonly replaces?: string | undefined;
}

/** The key of the variable API_KEY: it is accepted and counted, and has no item of its own. */
export const ENVIRONMENT_KEY = 'API_KEY';

/** The sort key of what is known of a key. Days begin with a digit, so a range of days never meets it. */
const KEY = 'key';

const keySchema = z.object({
  hash: z.string(),
  name: z.string(),
  tier: z.string(),
  enabled: z.boolean(),
  created_at: z.string(),
  replaces: z.string().optional(),
});
const countSchema = z.object({ date: z.iso.date(), requests: integer });

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');

/** What a key is called by: the beginning of its hash, which is no secret. */
export const idOf = ({ hash }: Pick<LocalKey, 'hash'>): string => hash.slice(0, 10);

/**
 * Makes a key that is accepted from now on.
 * @returns its value as well, which is not kept
 */
export async function addKey(
  table: Table,
  { name, tier, replaces }: Pick<LocalKey, 'name' | 'tier' | 'replaces'>,
): Promise<{ readonly key: LocalKey; readonly value: string }> {
  // As long as those that API Gateway makes.
  const value = randomBytes(20).toString('hex');
  const created_at = new Date().toISOString();
  const key = { hash: hashOf(value), name, tier, enabled: true, created_at, replaces };
  const put = new PutCommand({ TableName: table.name, Item: { ...key, date: KEY } });
  await answerOf(documentsOf(table).send(put));
  return { key, value };
}

export async function listKeys(table: Table): Promise<LocalKey[]> {
  const pages = paginateScan(
    { client: documentsOf(table) },
    {
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: '#date = :key',
      ExpressionAttributeNames: { '#date': 'date' },
      ExpressionAttributeValues: { ':key': KEY },
    },
  );
  const items = await answerOf(Array.fromAsync(pages, ({ Items = [] }) => Items));
  return items.flat().map((item) => keySchema.parse(item));
}

/** Has a key accepted, or not, from the next request on. */
export async function setKeyEnabled(table: Table, hash: string, enabled: boolean): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: { hash, date: KEY },
    UpdateExpression: 'SET enabled = :enabled',
    ConditionExpression: 'attribute_exists(enabled)',
    ExpressionAttributeValues: { ':enabled': enabled },
  });
  await answerOf(documentsOf(table).send(update));
}

/** How many requests came with a key on each day of a range, both days included; days without any are left out. */
export async function readCounts(
  table: Table,
  hash: string,
  { first, last }: { readonly first: UtcDay; readonly last: UtcDay },
): Promise<ReadonlyMap<UtcDay, number>> {
  const items = await queryItems(table, {
    KeyConditionExpression: '#hash = :hash AND #date BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#hash': 'hash', '#date': 'date' },
    ExpressionAttributeValues: { ':hash': hash, ':first': first, ':last': last },
  });
  const counts = items.map((item) => countSchema.parse(item));
  return new Map(counts.map(({ date, requests }) => [date, requests]));
}

/** Whether a request that has this key is let through. */
export type KeyCheck = (value: string) => Promise<boolean>;

/**
 * The check of the local gateway, which counts the requests that it lets through.
 * @param apiKey the value of the key that is accepted without having been issued
 */
export const keyCheck =
  (table: Table, apiKey: string): KeyCheck =>
  async (value) => {
    const hash = value === apiKey ? ENVIRONMENT_KEY : await enabledHash(table, value);
    if (hash === undefined) return false;
    // Nobody waits for a count, and a request is answered even if it cannot be counted.
    countRequest(table, hash).catch((error: unknown) => console.error({ not_counted: hash, error }));
    return true;
  };

/** @returns undefined when there is no such key, or it is disabled */
async function enabledHash(table: Table, value: string): Promise<string | undefined> {
  const hash = hashOf(value);
  const item = await getItem(table, { hash, date: KEY });
  return item && keySchema.parse(item).enabled ? hash : undefined;
}

async function countRequest(table: Table, hash: string): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: { hash, date: dayOf(Date.now() / 1_000) },
    UpdateExpression: 'ADD requests :one',
    ExpressionAttributeValues: { ':one': 1 },
  });
  await answerOf(documentsOf(table).send(update));
}
