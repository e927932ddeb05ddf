import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient, waitUntilTableNotExists } from '@aws-sdk/client-dynamodb';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { chainStore } from '#core/store/table/table.ts';
import { embeddedAccess, startEmbeddedTable } from '#local/embedded-table.ts';
import { addKey, listKeys } from '#local/keys.ts';
import { createFolder } from '#test/support/folders.ts';
import { outerAddresses } from '#test/support/servers/addresses.ts';
import { refreshCoverage } from '#test/support/tables/put-day.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = createFolder();
});

/** A script that creates a table and takes long to finish. */
const CREATING = `
  const { CreateTableCommand, DynamoDBClient } = require('@aws-sdk/client-dynamodb');
  const server = require('dynalite')({ path: process.argv[1], createTableMs: 600_000 });
  server.listen(0, '127.0.0.1', async () => {
    const endpoint = 'http://127.0.0.1:' + server.address().port;
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    await new DynamoDBClient({ endpoint, region: 'local', credentials }).send(
      new CreateTableCommand({
        TableName: process.argv[2],
        AttributeDefinitions: [{ AttributeName: 'chain', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'chain', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    console.log('creating');
  });`;

async function killWhileCreating(name: string) {
  const child = spawn(process.execPath, ['--eval', CREATING, join(dataDir, 'table'), name]);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('creates a table again whose creation was interrupted by a kill', async () => {
  await killWhileCreating('metrics');
  const table = await startEmbeddedTable(dataDir);
  expect(await refreshCoverage(chainStore(table, 'BSC'), '2026-11-18')).toMatchObject({ revision: 1 });
  await table.close();
});

test('keeps all days when the creation of the key table was interrupted by a kill', async () => {
  const before = await startEmbeddedTable(dataDir);
  await refreshCoverage(chainStore(before, 'BSC'), '2026-11-18');
  const client = new DynamoDBClient({ ...embeddedAccess, endpoint: before.endpoint });
  await client.send(new DeleteTableCommand({ TableName: before.keys.name }));
  await waitUntilTableNotExists(
    { client, maxWaitTime: 10, minDelay: 0.1, maxDelay: 0.1 },
    { TableName: before.keys.name },
  );
  client.destroy();
  await before.close();
  await killWhileCreating('keys');

  const table = await startEmbeddedTable(dataDir);
  expect(await getCoverage(chainStore(table, 'BSC'))).toMatchObject({ revision: 1 });
  const { key } = await addKey(table.keys, { name: 'alice', tier: 'standard' });
  expect(await listKeys(table.keys)).toEqual([key]);
  await table.close();
});

test('refuses a folder that another process uses', async () => {
  const table = await startEmbeddedTable(dataDir);
  await expect(startEmbeddedTable(dataDir)).rejects.toThrow(
    /^The table in DATA_DIR cannot be opened: .*\. Another npm start may be using it: stop that one, or choose another DATA_DIR\.$/,
  );
  await table.close();
});

const isReachedAt = (host: string, endpoint: string) =>
  fetch(`http://${host}:${new URL(endpoint).port}`).then(
    () => true,
    () => false,
  );

test('is reachable only from this machine by default', async () => {
  const table = await startEmbeddedTable();
  expect(new URL(table.endpoint).hostname).toBe('127.0.0.1');
  expect(await isReachedAt('127.0.0.1', table.endpoint)).toBe(true);
  for (const address of outerAddresses) expect(await isReachedAt(address, table.endpoint)).toBe(false);
  await table.close();
});

test('reports a port that is in use and a foreign address, with a remedy', async () => {
  const table = await startEmbeddedTable();
  const port = Number(new URL(table.endpoint).port);
  await expect(startEmbeddedTable(undefined, { host: '127.0.0.1', port })).rejects.toThrow(
    `Port ${port} is in use by another process. Stop it, or set TABLE_PORT to another port.`,
  );
  await table.close();
  // Reserved for examples: https://www.rfc-editor.org/rfc/rfc5737
  await expect(startEmbeddedTable(undefined, { host: '198.51.100.1', port: 0 })).rejects.toThrow(
    '198.51.100.1 is not an address of this machine. Set TABLE_HOST to one that is.',
  );
});
