import { startEmbeddedTable } from '#local/embedded-table.ts';
import { createFolder } from '#test/support/folders.ts';
import { outerAddresses } from '#test/support/servers/addresses.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = createFolder();
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
