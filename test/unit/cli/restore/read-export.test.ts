import { gunzipSync, gzipSync } from 'node:zlib';
import { readExport } from '#cli/restore/read-export.ts';
import { decodeManifest, encodeManifest, sha256Of } from '#core/backup/export-files.ts';
import { exportToMemory, fillTable, REQUEST } from '#test/support/generators/filled-table.ts';
import { storedDay } from '#test/support/generators/stored-days.ts';
import { startInProcessTable } from '#test/support/tables/in-process-table.ts';

let files: Map<string, Buffer>;
beforeAll(async () => {
  const { table } = await startInProcessTable();
  await fillTable(table);
  await table.putIf({ ...storedDay({ date: '2025-12-01' }), block_count: 5 });
  await table.putIf({ ...storedDay({ date: '2025-12-02' }), colour: 'red' });
  files = await exportToMemory(table);
});

const read = (changed: Record<string, Buffer | undefined> = {}) =>
  readExport('folder', async (name) => (name in changed ? changed[name] : files.get(name)), undefined);

const file = (name: string) => files.get(name) ?? Buffer.of();

test('reads the items of each chain, and lists those that cannot be read', async () => {
  const [bsc, base] = await read();
  expect([bsc?.chain, base?.chain]).toEqual(['BSC', 'BASE']);
  expect([...(bsc?.days.keys() ?? [])]).toEqual([18, 19, 20, 21, 22].map((day) => `2025-11-${day}`));
  expect(bsc?.coverage).toMatchObject({ from: '2025-11-17', revision: 3 });
  expect(bsc?.restatements).toEqual([{ day: '2025-11-19', restatement: REQUEST }]);
  expect(bsc?.problems).toEqual([
    expect.stringContaining('BSC 2025-12-01 cannot be read: block_count: 5, but 1 to 4 are 4 blocks'),
    expect.stringContaining('BSC 2025-12-02 cannot be read: colour is unknown'),
  ]);
});

test('refuses a file with any flipped byte', async () => {
  const name = 'BASE.ndjson.gz';
  for (let index = 0; index < file(name).length; index++) {
    const flipped = Buffer.from(file(name));
    flipped[index] = (flipped[index] ?? 0) ^ 1;
    await expect(read({ [name]: flipped })).rejects.toThrow(
      /^BASE\.ndjson\.gz of folder is damaged: its SHA-256 is [0-9a-f]{64}, and the manifest has [0-9a-f]{64}\./,
    );
  }
});

test('reads the same items by a manifest with any flipped byte, or refuses it', async () => {
  const manifest = file('manifest.json');
  const whole = await read();
  let refused = 0;
  for (let index = 0; index < manifest.length; index++) {
    const flipped = Buffer.from(manifest);
    flipped[index] = (flipped[index] ?? 0) ^ 1;
    const chains = await read({ 'manifest.json': flipped }).catch((error: Error) => {
      expect(error.message).toMatch(/ is damaged: /);
      refused++;
    });
    if (chains) expect(chains).toEqual(whole);
  }
  expect(refused).toBeGreaterThan(manifest.length / 2);
});

test.each([
  [
    'the manifest',
    { 'manifest.json': undefined },
    /^folder has no manifest\.json: it is no export, or an incomplete/,
  ],
  ['a file', { 'BSC.ndjson.gz': undefined }, /^BSC\.ndjson\.gz of folder is damaged: it is missing\./],
])('refuses an export without %s', async (_, changed, message) => {
  await expect(read(changed)).rejects.toThrow(message);
});

test('refuses a file with other counts than the manifest', async () => {
  const lines = gunzipSync(file('BASE.ndjson.gz')).toString();
  const bytes = gzipSync(lines + lines);
  const manifest = decodeManifest(file('manifest.json'));
  const chains = manifest?.chains.map((one) =>
    one.chain === 'BASE' ? { ...one, sha256: sha256Of(bytes) } : one,
  );
  const changed = manifest && encodeManifest({ ...manifest, chains: chains ?? [] });
  await expect(read({ 'BASE.ndjson.gz': bytes, 'manifest.json': changed })).rejects.toThrow(
    'it has 4 items and 2 days, and the manifest counts 2 and 1.',
  );
});
