import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTableCommand, ResourceInUseException, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { Level } from 'level';
import * as z from 'zod';
import { createDocumentTable, documentTable } from '../core/store/table/document-table.ts';
import type { Table } from '../core/store/table/table.ts';
import { type Address, ANY_ADDRESS, endServer, LOOPBACK, listen, refuseWebPages } from './listen.ts';
import { createDynalite } from './transactions.ts';

export type EmbeddedTable = Awaited<ReturnType<typeof startEmbeddedTable>>;

/** Placeholders: the embedded DynamoDB accepts any region and credentials, but the SDK requires some. */
export const embeddedCredentials = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
/** The same as options of a client. */
export const embeddedAccess = { region: 'local', credentials };

/** Name of the metrics table. On AWS, CloudFormation generates one. */
export const EMBEDDED_TABLE_NAME = 'metrics';

/** Name of the table of API keys. On AWS, API Gateway stores them. */
export const KEYS_TABLE_NAME = 'keys';

/**
 * Starts an embedded DynamoDB and creates missing tables.
 * @param dataDir keeps tables between runs; without it, they are kept in memory
 * @param address where it listens; anyone who can reach it may read and write without credentials, except web pages
 * @throws Error with a message for the user when the folder is not writable, another process uses it, or the address is not free
 */
export async function startEmbeddedTable(
  dataDir?: string,
  address: Required<Address> = { host: LOOPBACK, port: 0 },
) {
  const path = dataDir && join(dataDir, 'table');
  if (path) await prepare(path);
  const server = createDynalite({ createTableMs: 0, ...(path && { path }) });
  refuseWebPages(server);
  const port = await listen(server, address, 'TABLE_');
  // Of the DynamoDB API.
  const endpoint = `http://${address.host === ANY_ADDRESS ? LOOPBACK : address.host}:${port}`;
  const table = createDocumentTable(EMBEDDED_TABLE_NAME, { endpoint, ...embeddedAccess });
  const close = async () => {
    table.client.destroy();
    await endServer(server);
  };
  const keys = documentTable(table.client, KEYS_TABLE_NAME);
  await createTable(table);
  await createTable(keys, 'hash');
  return { ...table, keys, endpoint, server, close };
}

/** Opens the store once to report errors: dynalite opens it on the first request, and exits the process when that fails. */
async function prepare(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new Error(`DATA_DIR is not writable: ${error.message}. Use another folder.`);
  });
  const store = new Level<string, unknown>(path, { valueEncoding: 'json' });
  try {
    await store.open();
    for (const name of [EMBEDDED_TABLE_NAME, KEYS_TABLE_NAME]) {
      // Under this key dynalite stores a table's description. A kill may leave it in the state CREATING, which the API cannot delete.
      const key = `table~${name}`;
      if (recordSchema.parse(await store.get(key))?.TableStatus === 'CREATING') await store.del(key);
    }
    await store.close();
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(
      `The table in DATA_DIR cannot be opened: ${reason}. Another npm start may be using it: stop that one, or choose another DATA_DIR.`,
    );
  }
}

const recordSchema = z.object({ TableStatus: z.string() }).optional();

/** Creates a table, unless it exists, by default with the key of the metrics table, and waits until it is active. */
export async function createTable({ client, name: TableName }: Table, partitionKey = 'chain'): Promise<void> {
  const create = new CreateTableCommand({
    TableName,
    AttributeDefinitions: [partitionKey, 'date'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: 'date', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await client.send(create).catch((error: unknown) => {
    if (!(error instanceof ResourceInUseException)) throw error;
  });
  // Seconds.
  await waitUntilTableExists({ client, minDelay: 0.01, maxDelay: 1, maxWaitTime: 10 }, { TableName });
}
