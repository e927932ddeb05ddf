import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { createClient, wrapNumber } from './client.ts';
import type { Table } from './table.ts';

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
    putIf: (item, condition) =>
      hasHeld(documents.send(new PutCommand({ TableName: name, Item: { ...item }, ...condition }))),
    deleteItem: async (key, condition) => {
      await hasHeld(documents.send(new DeleteCommand({ TableName: name, Key: { ...key }, ...condition })));
    },
  };
}

/** Waits for a write, and returns whether its condition held. */
async function hasHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
