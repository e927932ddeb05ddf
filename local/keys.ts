import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import pLimit from 'p-limit';
import * as z from 'zod';
import { dayOf, type UtcDay } from '../core/figures/calendar.ts';
import { integer } from '../core/store/attributes/shared-attributes.ts';
import { queryItems, type Table } from '../core/store/table/table.ts';

/*
 * API keys of the service on this machine, in a table of their own: partition key `hash`, sort key `date`. Each key has one item
 * `key`, and one item per day with its request count. Only the hash of a key's value is stored.
 */

/** ID of the key in the environment variable API_KEY. It is valid and counted, but has no item `key`. */
export const ENVIRONMENT_KEY = 'API_KEY';

/** Sort key of a key's own item. Dates begin with a digit, so no query for dates returns it. */
const KEY = 'key';

const keySchema = z.object({
  /** SHA-256 of the value, hexadecimal. */
  hash: z.string(),
  name: z.string(),
  tier: z.string(),
  enabled: z.boolean(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
});
export type LocalKey = Readonly<z.output<typeof keySchema>>;

const countSchema = z.object({ date: z.iso.date(), requests: integer });

const digestOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Returns the public ID of a key: the first 10 digits of its hash. */
export const idOf = ({ hash }: Pick<LocalKey, 'hash'>): string => hash.slice(0, 10);

/** Creates a key that is valid at once, and returns also its value, which is not stored. */
export async function addKey(table: Table, { name, tier }: Pick<LocalKey, 'name' | 'tier'>) {
  // API Gateway's values have the same length.
  const value = randomBytes(20).toString('hex');
  const created_at = new Date().toISOString();
  const key = { hash: digestOf(value).toString('hex'), name, tier, enabled: true, created_at };
  await table.putIf({ ...key, date: KEY });
  return { key, value };
}

export async function listKeys(table: Table): Promise<LocalKey[]> {
  const pages = paginateScan(
    { client: table.documents },
    {
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: '#date = :key',
      ExpressionAttributeNames: { '#date': 'date' },
      ExpressionAttributeValues: { ':key': KEY },
    },
  );
  const items = await Array.fromAsync(pages, ({ Items = [] }) => Items);
  return items.flat().map((item) => keySchema.parse(item));
}

/** Enables or disables a key, effective from the next request. */
export async function setKeyEnabled(table: Table, hash: string, enabled: boolean): Promise<void> {
  const key = keySchema.parse(await table.getItem({ hash, date: KEY }));
  await table.putIf({ ...key, enabled, date: KEY });
}

/** Returns the requests of a key per day, from `first` to `last`, ascending; days without requests are absent. */
export async function readCounts(table: Table, hash: string, range: Record<'first' | 'last', UtcDay>) {
  const items = await queryItems(table, {
    KeyConditionExpression: '#hash = :hash AND #date BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#hash': 'hash', '#date': 'date' },
    ExpressionAttributeValues: { ':hash': hash, ':first': range.first, ':last': range.last },
  });
  return items.map((item) => countSchema.parse(item));
}

/** Checks a key value and counts the request when it is valid. */
export type KeyCheck = (value: string) => Promise<boolean>;

/** @param apiKey the value of the environment's key, valid without having been issued */
export function keyCheck(table: Table, apiKey: string): KeyCheck {
  const expected = digestOf(apiKey);
  const count = requestCounter(table);
  return async (value) => {
    const digest = digestOf(value);
    // Hashes have the same length, and comparing them takes the same time whatever the value.
    const isGiven = timingSafeEqual(digest, expected);
    const hash = isGiven ? ENVIRONMENT_KEY : digest.toString('hex');
    const item = isGiven ? undefined : await table.getItem({ hash, date: KEY });
    if (!isGiven && !(item && keySchema.parse(item).enabled)) return false;
    // Do not delay or fail the request when it cannot be counted.
    count(hash);
    return true;
  };
}

/** Returns a function that counts a request of a key. Requests are summed in memory while the last sums are written. */
function requestCounter(table: Table): (hash: string) => void {
  const pending = new Map<string, number>();
  const writes = pLimit(1);
  const write = async () => {
    for (const [id, requests] of pending) {
      pending.delete(id);
      const [date, hash] = id.split(' ');
      const update = new UpdateCommand({
        TableName: table.name,
        Key: { hash, date },
        UpdateExpression: 'ADD requests :requests',
        ExpressionAttributeValues: { ':requests': requests },
      });
      await table.documents.send(update).catch((error: unknown) => {
        // Kept for the next write.
        pending.set(id, (pending.get(id) ?? 0) + requests);
        throw error;
      });
    }
  };
  return (hash) => {
    const id = `${dayOf(Date.now() / 1_000)} ${hash}`;
    pending.set(id, (pending.get(id) ?? 0) + 1);
    if (writes.pendingCount > 0) return;
    void writes(write).catch((error: unknown) => console.error({ not_counted_yet: id, error }));
  };
}
