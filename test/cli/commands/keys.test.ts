import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey, listKeys } from '../../../local/keys.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { runCli } from '../../support/cli-process.ts';
import {
  chainsBut,
  endServicesAfterEach,
  READY,
  startServiceProcess,
  withKey,
} from '../../support/service-process.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'chain-insights-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
endServicesAfterEach();

/** A service, its keys command, and what its API answers to a key. */
async function start(environment: NodeJS.ProcessEnv = {}) {
  const service = startServiceProcess({ ...chainsBut({}), ...withKey, ...environment });
  const url = await service.says(READY);
  // The note for commands is left just before the greeting ends.
  await service.says(/Ctrl-C stops it/);
  const { port } = new URL(url);
  const keys = (...parameters: string[]) => runCli(['keys', ...parameters], { PORT: port });
  const call = async (key: string) => {
    const query = 'chain=BSC&start_date=2026-11-18&end_date=2026-11-19';
    const response = await fetch(`${url}/api/chain-insights/fees?${query}`, {
      headers: { 'X-API-Key': key },
    });
    const body = await response.text();
    return { status: response.status, body: body.replace(/"request_id":"[^"]+"/, '') };
  };
  return { service, url, keys, call };
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

test('a key is issued, rotated without a gap, counted, ended, and kept with its folder', async () => {
  const { service, url, keys, call } = await start({ DATA_DIR: dataDir });
  const fresh = await keys('list');
  expect(fresh).toMatchObject({ code: 0, stdout: '' });
  expect(fresh.stderr).toBe(
    `The service at ${url} has issued no key yet. To issue the first: npx chain-insights keys issue --name alice --tier standard\n`,
  );

  const issued = await keys('issue', '--name', 'alice');
  expect(issued.stdout).toMatch(/^[0-9a-f]{40}\n$/);
  expect(issued.stderr).toContain('tier standard (10 requests a second, bursts of 20, 100,000 a month)');
  const old = issued.stdout.trim();
  expect(await statusOf(call(old))).toBe(200);
  expect(await statusOf(call(old))).toBe(200);

  const rotated = JSON.parse((await keys('rotate', '--name', 'alice', '--json')).stdout);
  expect(await Promise.all([old, rotated.value].map((key) => statusOf(call(key))))).toEqual([200, 200]);

  const [oldKey, newKey] = JSON.parse((await keys('list', '--json')).stdout);
  expect(oldKey).toMatchObject({ name: 'alice', enabled: true, replaced_by: rotated.id });
  expect(newKey).toMatchObject({ id: rotated.id, tier: 'standard', replaces: oldKey.id });
  const usage = await keys('usage');
  expect(usage.stdout).toMatch(
    new RegExp(`alice +${oldKey.id} +standard +3 +\\d{4}-\\d\\d-\\d\\d +99,997\n`),
  );
  expect(usage.stdout).toMatch(new RegExp(`alice +${newKey.id} +standard +1 `));
  expect(usage.stdout).toMatch(/API_KEY +API_KEY +0 +not used\n/);
  expect(usage.stderr).toContain(`npx chain-insights keys disable --id ${oldKey.id}`);

  expect(await keys('disable', '--id', oldKey.id)).toMatchObject({
    code: 0,
    stdout: `The key ${oldKey.id} of alice is no longer accepted.\n`,
  });
  const refused = await call(old);
  expect(refused.status).toBe(403);
  expect(refused).toEqual(await call('never-issued'));

  for (const { stdout, stderr } of [usage, await keys('list')]) {
    for (const value of [old, rotated.value]) expect(stdout + stderr).not.toContain(value);
  }

  service.child.kill('SIGKILL');
  await service.exit;
  const again = await start({ DATA_DIR: dataDir });
  expect(await statusOf(again.call(old))).toBe(403);
  expect(await statusOf(again.call(rotated.value))).toBe(200);
  const [kept] = JSON.parse((await again.keys('usage', '--name', 'alice', '--json')).stdout);
  expect(kept).toMatchObject({ id: oldKey.id, enabled: false, requests: 3 });
  await again.keys('enable', '--name', 'alice');
  expect(await statusOf(again.call(old))).toBe(200);
});

const { table, cli } = useAnnouncedTable('2026-11-14');

test.each([
  [['issue'], "required option '--name <name>' not specified"],
  [['issue', '--name', 'al ice'], 'It is up to 100 letters, digits and . _ - @'],
  [['issue', '--name', 'alice'], 'has a key named alice already, '],
])('%p is refused with what to do, and changes nothing', async (parameters, message) => {
  const { key } = await addKey(table().keys, { name: 'alice', tier: 'standard' });
  expect(await cli(['keys', ...parameters], {})).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
  expect(await listKeys(table().keys)).toEqual([key]);
});
