import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  type TableStatus,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';
import * as z from 'zod';
import { documentTable, openTable } from '../lambda/store/document-table.ts';
import type { Table } from '../lambda/store/table.ts';
import { type Address, endServer, LOOPBACK, listen } from './listen.ts';

/** The metrics table on an embedded DynamoDB in this process. */
export interface EmbeddedTable extends Table {
  /** The table of keys, on the same one. */
  readonly keys: Table;
  /** Where the DynamoDB API answers. */
  readonly endpoint: string;
  readonly close: () => Promise<void>;
}

/** An embedded DynamoDB takes any region and credentials, but the SDK asks for some. */
export const embeddedCredentials = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

/** The same for a client that is opened here. */
export const embeddedAccess = {
  region: embeddedCredentials.AWS_REGION,
  credentials: {
    accessKeyId: embeddedCredentials.AWS_ACCESS_KEY_ID,
    secretAccessKey: embeddedCredentials.AWS_SECRET_ACCESS_KEY,
  },
};

/** What the table is called here. On AWS, CloudFormation makes up a name. */
export const EMBEDDED_TABLE_NAME = 'metrics';

/** The table of local keys, whose values API Gateway keeps on AWS. */
export const KEYS_TABLE_NAME = 'keys';

/**
 * Starts an embedded DynamoDB and creates its tables, where they are not there yet.
 * @param dataDir keeps them between runs; in memory when undefined
 * @param address whoever reaches it may read and write: it asks for no key
 * @throws Error in one sentence when the folder cannot be written, another process has it open, or the address is not free
 */
export async function startEmbeddedTable(
  dataDir?: string,
  address: Required<Address> = { host: LOOPBACK, port: 0 },
): Promise<EmbeddedTable> {
  const path = dataDir && join(dataDir, 'table');
  if (path) await prepare(path);
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  const port = await listen(server, address, 'TABLE_');
  // 0.0.0.0 is all addresses, and none that could be called.
  const endpoint = `http://${address.host === '0.0.0.0' ? LOOPBACK : address.host}:${port}`;
  const table = openTable(EMBEDDED_TABLE_NAME, { endpoint, ...embeddedAccess });
  const close = async () => {
    table.client.destroy();
    await endServer(server);
  };
  const keys = documentTable(table.client, KEYS_TABLE_NAME);
  if ((await statusOf(table)) === undefined) await createTable(table);
  if ((await statusOf(keys)) === undefined) await createTable(keys, 'hash');
  return { ...table, keys, endpoint, close };
}

/** Dynalite opens its store only when it is first asked for something, and ends the process when it cannot. */
async function prepare(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new Error(`DATA_DIR cannot be written: ${error.message}.`);
  });
  const store = new Level<string, unknown>(path, { valueEncoding: 'json' });
  try {
    await store.open();
    for (const name of [EMBEDDED_TABLE_NAME, KEYS_TABLE_NAME]) await forgetHalfCreated(store, name);
    await store.close();
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(
      `The table in DATA_DIR cannot be opened (${reason}): is another npm start using ${path}?`,
    );
  }
}

/** Where dynalite keeps what it knows of a table. */
const recordOf = (name: string) => `table~${name}`;
const recordSchema = z.object({ TableStatus: z.string() }).optional();

/**
 * A process that was killed while it created a table leaves it half created, for good: it cannot even be deleted. Nothing is in
 * it, so what is known of it is taken away, and the other table is kept.
 */
async function forgetHalfCreated(store: Level<string, unknown>, name: string): Promise<void> {
  const record = recordSchema.parse(await store.get(recordOf(name)));
  if (record?.TableStatus === 'CREATING') await store.del(recordOf(name));
}

/** @returns undefined when there is no table */
async function statusOf({ client, name }: Table): Promise<TableStatus | undefined> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  if (!TableNames.includes(name)) return undefined;
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  return Table?.TableStatus;
}

/** Creates a table, by default that of the metrics, and waits until it is there. */
export async function createTable(table: Table, partitionKey = 'chain'): Promise<void> {
  const create = new CreateTableCommand({
    TableName: table.name,
    AttributeDefinitions: [
      { AttributeName: partitionKey, AttributeType: 'S' },
      { AttributeName: 'date', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: 'date', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await table.client.send(create);
  while ((await statusOf(table)) !== 'ACTIVE') await sleep(1);
}
