import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { entries } from '#lib/bundle.ts';
import { ChainInsightsStack } from '#lib/chain-insights-stack.ts';
import type { Stage } from '#lib/config.ts';
import { stages } from '#lib/stages/stages.ts';
import { createFolder } from '#test/support/folders.ts';
import { run as runClient } from '#test/support/processes/client-process.ts';
import { runNode } from '#test/support/processes/run-node.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { testIf } from '#test/support/test-if.ts';

/* The files that one command builds, installed and run as their users would. It takes half a minute, so every test shares them. */

const packed = createFolder();
const place = createFolder();

const run = (command: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: place, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
  return stdout;
};

beforeAll(() => {
  execFileSync(process.execPath, ['bin/packages.ts', packed], { stdio: ['ignore', 'ignore', 'inherit'] });
});

describe('the stack, in a repository with its peers, but without the sources and esbuild', () => {
  const project = createFolder();
  const modules = join(project, 'node_modules');
  const installed = join(modules, 'chain-insights');

  beforeAll(() => {
    mkdirSync(modules);
    execFileSync('tar', ['-xzf', join(packed, 'chain-insights-1.0.0.tgz'), '-C', modules]);
    // Archives of npm hold the folder `package`.
    renameSync(join(modules, 'package'), installed);
    for (const peer of ['aws-cdk-lib', 'constructs', 'zod'])
      symlinkSync(resolve('node_modules', peer), join(modules, peer), 'junction');
  });

  const [, documentedApp = ''] =
    /```ts app\.mts\n(.*?)```/s.exec(readFileSync('docs/operate/releases.md', 'utf8')) ?? [];

  /** Writes the app that docs/operate/releases.md shows, with another stage. */
  function writeApp(stage: unknown): void {
    const text = documentedApp.replace(/(const prod: Stage = ).*?;\n/s, `$1${JSON.stringify(stage)};\n`);
    expect(text).toContain(JSON.stringify(stage));
    writeFileSync(join(project, 'app.mts'), text);
  }

  // Without CDK's built-in rules, which checks.slow.test.ts covers.
  const env = { ...process.env, NO_COLOR: '1', CDK_VALIDATION: 'false' };
  const account = { account: '111122223333', region: 'eu-central-1' };
  const prod: Stage = { ...stages.prod, env: account, alarmEmail: 'none' };

  /** Returns the template of the repository. Bundling its functions again would take half of the time of these tests. */
  function ownTemplate(): object {
    const context = { 'aws:cdk:disable-stack-trace': true, 'aws:cdk:bundling-stacks': [] };
    const app = new App({ outdir: createFolder(), context, builtinCloudFormationValidation: false });
    return Template.fromStack(new ChainInsightsStack(app, 'ChainInsights-prod', prod)).toJSON();
  }

  test('synthesizes the template of the repository, with a bundle of each function', () => {
    writeApp(prod);
    const cdk = [resolve('node_modules/aws-cdk/bin/cdk'), 'synth', '--quiet'];
    const options = ['--no-notices', '--no-version-reporting', '--no-path-metadata', '--no-asset-metadata'];
    const words = [...cdk, '--app', `"${process.execPath}" app.mts`, ...options];
    expect(runNode(words, { cwd: project, env })).toMatchObject({ status: 0 });
    const template = readFileSync(join(project, 'cdk.out/ChainInsights-prod.template.json'), 'utf8');
    const bundles = new Set<string>();
    const withoutCode = (text: string) =>
      JSON.parse(text, (name, value) => (name === 'S3Key' ? bundles.add(value) && 'a bundle' : value));
    const packaged = withoutCode(template);
    expect(bundles.size).toBe(entries.length);
    expect(packaged).toEqual(withoutCode(JSON.stringify(ownTemplate())));
  });

  test('stops the synthesis of a stage with a wrong field, with its name', () => {
    writeApp({ startDate: 'yesterday' });
    const { status, stderr } = runNode(['app.mts'], { cwd: project, env });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'The stage of ChainInsights-prod is not valid:\n  stage.startDate: expected a day as YYYY-MM-DD',
    );
  });

  test('the documentation installs the CDK command of this repository, because the latest one is not the newest', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(readFileSync('docs/operate/releases.md', 'utf8')).toContain(
      `aws-cdk@${devDependencies['aws-cdk']}\n`,
    );
  });

  test('contains nothing that only the repository needs', () => {
    expect(readdirSync(installed).toSorted()).toEqual(
      ['LICENSE', 'README.md', 'bundles', 'core', 'lib', 'package.json'].toSorted(),
    );
    const code = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.(ts|js)$/.test(file) && !file.startsWith('bundles'),
    );
    expect(code.filter((file) => !file.endsWith('.d.ts'))).toEqual(['lib/chain-insights-stack.js']);
  });
});

describe('the clients', () => {
  const seen: string[] = [];
  const url = useServer(
    createServer(({ url: path = '', headers }, response) => {
      seen.push(`${headers['x-api-key']} ${path}`);
      response
        .setHeader('Content-Type', 'application/json')
        .end('[{"chain":"BASE","last_final_day":"2026-11-20"}]');
    }),
  );

  test('the client for TypeScript is installed from its file, and reads its connection from the environment', async () => {
    run('npm', 'init', '--yes');
    run('npm', 'install', '--offline', join(packed, 'chain-insights-client-1.0.0.tgz'));
    const program =
      "import('chain-insights-client').then(async ({ chainInsights }) => console.log(await chainInsights().chains()))";
    const { stdout } = await runClient(`node -e "${program}"`, { folder: place, url: url(), key: 'my key' });
    expect(stdout).toContain("lastFinalDay: '2026-11-20'");
    expect(seen).toContain('my key /api/chain-insights/chains');
  });

  test('npx runs the packed MCP server, whose tools give the rows of the API', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const command = {
      command: 'npx',
      args: ['--yes', '--offline', `file:${join(packed, 'chain-insights-mcp-1.0.0.tgz')}`],
      cwd: place,
      env: { ...process.env, CHAIN_INSIGHTS_URL: url(), CHAIN_INSIGHTS_KEY: 'my key' },
    };
    await client.connect(
      new StdioClientTransport(command as ConstructorParameters<typeof StdioClientTransport>[0]),
    );
    const { content } = await client.callTool({ name: 'list_chains', arguments: {} });
    expect(JSON.stringify(content)).toContain('2026-11-20');
    await client.close();
  });

  /** Python has what builds a wheel, or pip can download it. */
  const buildsWheels =
    spawnSync('python3', ['-c', 'import setuptools, wheel']).status === 0 ||
    spawnSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', place, 'wheel'])
      .status === 0;

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
});
