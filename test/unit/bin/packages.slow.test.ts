import { execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createFolder } from '#test/support/folders.ts';
import { run as runClient } from '#test/support/processes/client-process.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { testIf } from '#test/support/test-if.ts';

/* The files that one command builds, installed and run as their users would. */

const packed = createFolder();
const place = createFolder();
const seen: string[] = [];
const url = useServer(
  createServer(({ url: path = '', headers }, response) => {
    seen.push(`${headers['x-api-key']} ${path}`);
    response
      .setHeader('Content-Type', 'application/json')
      .end('[{"chain":"BASE","last_final_day":"2026-11-20"}]');
  }),
);
const environment = () => ({ ...process.env, CHAIN_INSIGHTS_URL: url(), CHAIN_INSIGHTS_KEY: 'my key' });

const run = (command: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: place, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
  return stdout;
};

beforeAll(() => {
  execFileSync(process.execPath, ['bin/packages.ts', packed], { stdio: ['ignore', 'ignore', 'inherit'] });
  run('npm', 'init', '--yes');
}, 120_000);

test('the client for TypeScript is installed from its file, and reads its connection from the environment', async () => {
  run('npm', 'install', '--offline', join(packed, 'chain-insights-client-1.0.0.tgz'));
  const program =
    "import('chain-insights-client').then(async ({ chainInsights }) => console.log(await chainInsights().chains()))";
  const { stdout } = await runClient(`node -e "${program}"`, { folder: place, url: url(), key: 'my key' });
  expect(stdout).toContain("lastFinalDay: '2026-11-20'");
  expect(seen).toContain('my key /api/chain-insights/chains');
});

test('npx runs the packed MCP server, whose tools give the rows of the API', async () => {
  const file = join(packed, 'chain-insights-mcp-1.0.0.tgz');
  const client = new Client({ name: 'test', version: '1' });
  const command = {
    command: 'npx',
    args: ['--yes', '--offline', `file:${file}`],
    cwd: place,
    env: environment(),
  };
  await client.connect(
    new StdioClientTransport(command as ConstructorParameters<typeof StdioClientTransport>[0]),
  );
  const { content } = await client.callTool({ name: 'list_chains', arguments: {} });
  expect(JSON.stringify(content)).toContain('2026-11-20');
  await client.close();
}, 60_000);

/** Python has what builds a wheel, or pip can download it. */
const buildsWheels =
  spawnSync('python3', ['-c', 'import setuptools, wheel']).status === 0 ||
  spawnSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', place, 'wheel']).status ===
    0;

testIf(buildsWheels, 'a Python that builds wheels')(
  'the wheel is installed from its file, and reads its connection from the environment',
  async () => {
    const wheel = join(packed, 'chain_insights_client-1.0.0-py3-none-any.whl');
    run('python3', '-m', 'pip', 'install', '--quiet', '--no-index', '--target', 'site', wheel);
    const program =
      "from chain_insights import ChainInsights; print(ChainInsights().chains()[0]['last_final_day'])";
    const asked = { folder: join(place, 'site'), url: url(), key: 'my key' };
    expect(await runClient(`python3 -c "${program}"`, asked)).toMatchObject({
      stdout: '2026-11-20\n',
      stderr: '',
    });
  },
);
