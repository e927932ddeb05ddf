import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDocumentTable, documentTable } from '#core/store/table/document-table.ts';
import {
  createTable,
  EMBEDDED_TABLE_NAME,
  type EmbeddedTable,
  embeddedAccess,
  KEYS_TABLE_NAME,
} from '#local/embedded-table.ts';

/** The jar of Amazon's DynamoDB Local, in the Jest project that tests on it. */
export const { dynamoDbLocal } = globalThis as { readonly dynamoDbLocal?: string };

/** Amazon's DynamoDB Local in a process of its own. */
interface DynamoDbLocal {
  /** Opens new tables in a database of their own. */
  readonly openTables: () => Promise<Omit<EmbeddedTable, 'server'>>;
  readonly stop: () => Promise<void>;
}

/** @param jar its libraries are beside it, or in DynamoDBLocal_lib */
export async function startDynamoDbLocal(jar: string): Promise<DynamoDbLocal> {
  const folder = dirname(jar);
  const port = await freePort();
  const java = spawn(
    'java',
    [
      `-Djava.library.path=${folder}:${join(folder, 'DynamoDBLocal_lib')}`,
      `-Dsqlite4java.library.path=${folder}:${join(folder, 'DynamoDBLocal_lib')}`,
      ...['-cp', `${jar}:${folder}/*`, 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner'],
      ...['-inMemory', '-disableTelemetry', '-port', String(port)],
    ],
    { stdio: 'ignore' },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  while (!(await fetch(endpoint).catch(() => undefined))) {
    if (java.exitCode !== null) throw new Error(`DynamoDB Local ended with ${java.exitCode}.`);
    await sleep(50);
  }
  let opened = 0;
  const openTables = async () => {
    // Each access key has a database of its own.
    const credentials = { ...embeddedAccess.credentials, accessKeyId: `local${++opened}` };
    const table = createDocumentTable(EMBEDDED_TABLE_NAME, {
      ...embeddedAccess,
      endpoint,
      credentials,
      // Its first answers take seconds on a busy machine.
      requestHandler: { requestTimeout: 60_000 },
    });
    const keys = documentTable(table.client, KEYS_TABLE_NAME);
    await createTable(table);
    await createTable(keys, 'hash');
    return { ...table, keys, endpoint, close: async () => table.client.destroy() };
  };
  const stop = async () => {
    java.kill('SIGKILL');
    if (java.exitCode === null && java.signalCode === null) await once(java, 'exit');
  };
  return { openTables, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
