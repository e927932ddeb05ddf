import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { createClient, TableUnavailableError, wrapNumber } from './client.ts';
import { keyOfWrite, type Table, type Write } from './table.ts';

/** Creates a table for reading and writing. Query functions use `createQueryTable`. */
export const createDocumentTable = (name: string, config: DynamoDBClientConfig = {}): Table =>
  documentTable(createClient(config), name);

export function documentTable(client: DynamoDBClient, name: string): Table {
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: wrapNumber },
  });
  return {
    name,
    client,
    documents,
    getItem: async (key) => {
      const get = new GetCommand({ TableName: name, Key: { ...key }, ConsistentRead: true });
      return (await documents.send(get)).Item;
    },
    async *queryPages(query) {
      const pages = paginateQuery({ client: documents }, { TableName: name, ConsistentRead: true, ...query });
      for await (const { Items = [] } of pages) yield Items;
    },
    putIf: (item, condition) => {
      const put = new PutCommand({ TableName: name, Item: { ...item }, ...condition });
      return hasHeld(() => documents.send(put));
    },
    deleteItem: async (key, condition) => {
      const remove = new DeleteCommand({ TableName: name, Key: { ...key }, ...condition });
      await hasHeld(() => documents.send(remove));
    },
    commit: (writes) => {
      const TransactItems = writes.map((write) => transactItemOf(name, write));
      // An attempt of unknown result is repeated with the same token, and DynamoDB then does it once.
      const ClientRequestToken = randomUUID();
      return hasHeld(() => documents.send(new TransactWriteCommand({ TransactItems, ClientRequestToken })));
    },
    pause,
  };
}

function transactItemOf(TableName: string, write: Write) {
  const { condition } = write;
  if ('put' in write) return { Put: { TableName, Item: write.put, ...condition } };
  const Key = keyOfWrite(write);
  return 'delete' in write
    ? { Delete: { TableName, Key, ...condition } }
    : { ConditionCheck: { TableName, Key, ...write.condition } };
}

/** Another transaction on the same item takes milliseconds, and many runs may meet on the coverage of a chain. */
const MAX_CONFLICTS = 100;
const MAX_PAUSE_MS = 100;

const pause = (maxMs: number): Promise<void> => sleep(Math.random() * maxMs);

/** Sends a write until no other transaction is in its way. @returns whether its conditions held */
async function hasHeld(send: () => Promise<unknown>): Promise<boolean> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      await send();
      return true;
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === 'refused') return false;
      if (outcome === 'failed') throw error;
      if (conflicts === MAX_CONFLICTS) throw new TableUnavailableError(error);
    }
    await pause(MAX_PAUSE_MS);
  }
}

/** Returns whether a condition did not hold, another transaction was in the way, or the write failed for another reason. */
function outcomeOf(error: unknown): 'refused' | 'in conflict' | 'failed' {
  if (error instanceof ConditionalCheckFailedException) return 'refused';
  // The attempt before it, with the same token, has not ended.
  if (error instanceof TransactionInProgressException) return 'in conflict';
  if (error instanceof TransactionConflictException) return 'in conflict';
  if (!(error instanceof TransactionCanceledException)) return 'failed';
  const codes = new Set(error.CancellationReasons?.map(({ Code }) => Code));
  if (codes.has('ConditionalCheckFailed')) return 'refused';
  codes.delete('None');
  return [...codes].every((code) => code !== undefined && PASSING.has(code)) ? 'in conflict' : 'failed';
}

/** Reasons of a cancellation that a later attempt may not have. */
const PASSING: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);
