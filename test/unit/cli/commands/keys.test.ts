import { startEmbeddedTable } from '#local/embedded-table.ts';
import { idOf, listKeys } from '#local/keys.ts';
import { createFolder } from '#test/support/folders.ts';
import { runCli } from '#test/support/processes/cli-process.ts';
import { startServiceProcess } from '#test/support/processes/service-process.ts';

const dataDir = createFolder();

const keys = (...parameters: string[]) => runCli(['keys', ...parameters], { PORT: port });
let port = '';

/** Points keys commands at a service, and returns a function that calls its API with a key. */
async function use(service: ReturnType<typeof startServiceProcess>) {
  const url = await service.ready();
  // The service announces itself to commands just before this line.
  await service.says(/Ctrl-C stops it/);
  port = new URL(url).port;
  const call = async (key: string) => {
    const query = 'chain=BSC&start_date=2026-11-18&end_date=2026-11-19';
    const response = await fetch(`${url}/api/chain-insights/fees?${query}`, {
      headers: { 'X-API-Key': key },
    });
    const body = await response.text();
    return { status: response.status, body: body.replace(/"request_id":"[^"]+"/, '') };
  };
  return { url, call };
}

/** Returns the requests counted so far, with all keys. */
async function requests(): Promise<number> {
  const usages: { readonly requests: number }[] = JSON.parse((await keys('usage', '--json')).stdout);
  return usages.reduce((sum, { requests }) => sum + requests, 0);
}

const statusOf = async (response: Promise<{ status: number }>) => (await response).status;

test('issues, rotates, counts and disables keys, and keeps them in the data folder', async () => {
  using service = startServiceProcess({ DATA_DIR: dataDir });
  const { url, call } = await use(service);
  expect(await keys('list')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/\nAPI_KEY +API_KEY +none +yes +set by a variable\n$/),
    stderr: `The service at ${url} has not issued any keys yet. To issue one: PORT=${new URL(url).port} npx --no chain-insights keys issue --name alice --tier standard\n`,
  });

  const issued = await keys('issue', '--name', 'alice');
  expect(issued.code).toBe(0);
  expect(issued.stdout).toMatch(/^[0-9a-f]{40}\n$/);
  expect(issued.stderr).toMatch(
    / issued key [0-9a-f]{10} for alice\.\nTier standard: 10 requests\/s, bursts of 20, 100,000 requests\/month\.\nSave its value: it is not shown again\. Clients send it as the X-API-Key header\.\nTo see its usage: PORT=\d+ npx --no chain-insights keys usage --name alice\n$/,
  );
  const old = issued.stdout.trim();
  expect(await statusOf(call(old))).toBe(200);
  expect(await statusOf(call(old))).toBe(200);

  const rotated = JSON.parse((await keys('rotate', '--name', 'alice', '--json')).stdout);
  expect(await Promise.all([old, rotated.value].map((key) => statusOf(call(key))))).toEqual([200, 200]);

  const [oldKey, newKey] = JSON.parse((await keys('list', '--json')).stdout);
  expect(oldKey).toMatchObject({ name: 'alice', enabled: true });
  expect(newKey).toMatchObject({ id: rotated.id, tier: 'standard' });
  // Counting does not delay the response.
  while ((await requests()) < 4);
  const usage = await keys('usage');
  expect(usage.stdout).toMatch(new RegExp(`alice +${oldKey.id} +standard +3 +\\d{4}-\\d\\d-\\d\\d\n`));
  expect(usage.stdout).toMatch(new RegExp(`alice +${newKey.id} +standard +1 `));
  expect(usage.stdout).toMatch(/API_KEY +API_KEY +0 +not used\n/);

  for (const [name, why] of [
    ['alice', /^The service at .* already has a key named alice: /],
    ['API_KEY', /^The name API_KEY is reserved/],
  ] as const) {
    expect(await keys('issue', '--name', name)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(why),
    });
  }

  expect((await keys('disable', '--id', oldKey.id)).stdout).toBe(
    `Key ${oldKey.id} of alice is disabled. Key ${rotated.id} remains valid.\n`,
  );
  const refused = await call(old);
  expect(refused.status).toBe(403);
  expect(refused).toEqual(await call('never-issued'));
  expect((await keys('enable', '--name', 'alice')).stderr).toContain(`keys disable --id ${oldKey.id}`);
  expect(await statusOf(call(old))).toBe(200);
  await keys('disable', '--id', oldKey.id);

  for (const { stdout, stderr } of [usage, await keys('list')]) {
    for (const value of [old, rotated.value]) expect(stdout + stderr).not.toContain(value);
  }

  service.child.kill('SIGKILL');
  await service.exit;
  const table = await startEmbeddedTable(dataDir);
  const kept = await listKeys(table.keys);
  expect(new Map(kept.map((key) => [idOf(key), key.enabled]))).toEqual(
    new Map([
      [oldKey.id, false],
      [newKey.id, true],
    ]),
  );
  await table.close();
});

test.each([
  [[], "required option '--name <name>' not specified"],
  [['--name', 'al ice'], 'A name has up to 100 letters, digits and . _ - @'],
])('refuses issue %j with the reason', async (parameters, message) => {
  expect((await keys('issue', ...parameters)).stderr).toContain(message);
});
