import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(parameters: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const script = resolve('bin/sam-files.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...parameters], {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Writes an empty template. test/local/sam-files.test.ts covers full ones. */
function writeTemplate(stage: string) {
  mkdirSync(join(folder, 'cdk.out'), { recursive: true });
  writeFileSync(join(folder, 'cdk.out', `ChainInsights-${stage}.template.json`), '{ "Resources": {} }');
}

test.each([
  [[], 'cdk.out/ChainInsights-dev.template.json does not exist. Run npx cdk synth --quiet -c stage=dev.\n'],
  [['--stage', 'staging'], 'Unknown stage staging: expected one of dev, prod.\n'],
])('with %p and no such template, prints the remedy and writes nothing', (parameters, stderr) => {
  expect(run(parameters)).toEqual({ status: 1, stdout: '', stderr });
  expect(readdirSync(folder)).not.toContain('.sam');
});

test('prints commands that name the files that it has written', () => {
  writeTemplate('prod');
  const { status, stdout, stderr } = run(['--stage', 'prod'], { TABLE_PORT: '8001' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('TABLE_PORT=8001 RPC_URLS_');
  const calls = [...stdout.matchAll(/^ {2}sam local invoke (\S+) -e (\S+)$/gm)];
  expect(calls.map(([, name]) => name)).toEqual([
    ...['get-transaction-count', 'get-transaction-count', 'get-fees', 'get-fees'],
    'ingest',
  ]);
  const written = readdirSync(join(folder, '.sam'));
  expect(written).toEqual(expect.arrayContaining(calls.map(([, , file]) => file)));
  expect(written).toEqual(expect.arrayContaining(['template.json', 'env.json', 'samconfig.toml']));
  expect(readFileSync(join(folder, '.sam', 'env.json'), 'utf8')).toContain('host.docker.internal:8001');
});
