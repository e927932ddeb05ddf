import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Chain, type ChainName, chainOf } from '../../chains/chains.ts';
import type { Rules } from '../../chains/rule-types.ts';
import type { ItemKey } from './keys.ts';

/** An item or some of its attributes. Numbers are read as bigint, because wei exceed what a number holds exactly. */
export type Item = Record<string, unknown>;

export type TableQuery = Pick<
  QueryCommandInput,
  'KeyConditionExpression' | 'ExpressionAttributeNames' | 'ProjectionExpression'
> & { readonly ExpressionAttributeValues: Item };

/** A table that is only read. All functions throw TableUnavailableError when DynamoDB throttles or does not answer. */
export interface TableReader {
  readonly name: string;
  /** Reads an item with strong consistency. */
  readonly getItem: (key: object) => Promise<Item | undefined>;
  /** Reads items with strong consistency, in the order of their sort keys. Reads a page when the caller needs it. */
  readonly queryPages: (query: TableQuery) => AsyncGenerator<readonly Item[], void>;
}

export interface Table extends TableReader {
  readonly client: DynamoDBClient;
  readonly documents: DynamoDBDocumentClient;
  /** Writes an item. Returns false if the condition fails because another writer was faster. */
  readonly putIf: (item: object, condition?: Condition) => Promise<boolean>;
  /** Deletes an item, unless the condition fails. */
  readonly deleteItem: (key: object, condition?: Condition) => Promise<void>;
  /** Does all of these writes or none, at most 100 of different items. Returns false if a condition fails. */
  readonly commit: (writes: readonly Write[]) => Promise<boolean>;
  /** Waits for a random time of up to this, before a commit that another one overtook is decided again. */
  readonly pause: (maxMs: number) => Promise<void>;
}

/** One write of a commit. */
export type Write =
  | { readonly put: ItemKey & Item; readonly condition?: Condition | undefined }
  | { readonly delete: ItemKey; readonly condition?: Condition | undefined }
  /** Changes nothing, and refuses the commit if the condition fails. */
  | { readonly check: ItemKey; readonly condition: Condition };

export function keyOfWrite(write: Write): ItemKey {
  const { chain, date } = 'put' in write ? write.put : 'delete' in write ? write.delete : write.check;
  return { chain, date };
}

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

export const isNew: Condition = { ConditionExpression: 'attribute_not_exists(chain)' };

/** Returns the condition that a counter, which every write increments, still has the value that was read: 0 when no item was. */
export const isUnchanged = (counter: string, value: number): Condition =>
  value === 0
    ? isNew
    : {
        ConditionExpression: '#counter = :value',
        ExpressionAttributeNames: { '#counter': counter },
        ExpressionAttributeValues: { ':value': value },
      };

export async function queryItems(table: TableReader, query: TableQuery): Promise<Item[]> {
  return (await Array.fromAsync(table.queryPages(query))).flat();
}

/** One chain's items in the metrics table, to read. */
export interface ChainReader {
  readonly table: TableReader;
  readonly chain: string;
  /** Progress that was saved under other rules is ignored. */
  readonly rules: Rules;
}

export interface ChainStore extends ChainReader {
  readonly table: Table;
}

export function chainStore<AnyTable extends TableReader>(
  table: AnyTable,
  chain: ChainName | Pick<Chain, 'name' | 'rules'>,
): ChainReader & { readonly table: AnyTable } {
  const { name, rules } = typeof chain === 'string' ? chainOf(chain) : chain;
  return { table, chain: name, rules };
}
