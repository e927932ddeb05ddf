import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ChainInsightsStack } from '#lib/chain-insights-stack.ts';
import type { Stage } from '#lib/config.ts';
import { stages } from '#lib/stages/stages.ts';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';

/* An organisation's repository with the packed stack and its peers, but without the sources and esbuild. */

const PEERS = ['aws-cdk-lib', 'constructs', 'zod'];

const project = createFolder();
const modules = join(project, 'node_modules');
const installed = join(modules, 'chain-insights');

beforeAll(() => {
  const packed = createFolder();
  expect(runNode(['bin/package.ts', packed])).toEqual({ status: 0, stdout: '', stderr: '' });
  mkdirSync(modules);
  const options = { cwd: packed, stdio: 'ignore' } as const;
  execFileSync('npm', ['pack', './package'], options);
  execFileSync('tar', ['-xzf', 'chain-insights-1.0.0.tgz', '-C', modules], options);
  // Archives of npm hold the folder `package`.
  renameSync(join(modules, 'package'), installed);
  for (const peer of PEERS) symlinkSync(resolve('node_modules', peer), join(modules, peer), 'junction');
});

const [, DOCUMENTED_APP = ''] =
  /```ts app\.mts\n(.*?)```/s.exec(readFileSync('docs/releases.md', 'utf8')) ?? [];

/** Writes the app that docs/releases.md shows, with another stage. */
function writeApp(stage: unknown, file = 'app.mts'): void {
  const text = DOCUMENTED_APP.replace(/(const prod: Stage = ).*?;\n/s, `$1${JSON.stringify(stage)};\n`);
  expect(text).toContain(JSON.stringify(stage));
  writeFileSync(join(project, file), text);
}

const synthesize = () =>
  runNode(
    [
      ...[
        resolve('node_modules/aws-cdk/bin/cdk'),
        'synth',
        '--quiet',
        '--app',
        `"${process.execPath}" app.mts`,
      ],
      ...['--no-notices', '--no-version-reporting', '--no-path-metadata', '--no-asset-metadata'],
    ],
    { cwd: project, env: { ...process.env, NO_COLOR: '1' } },
  );

const prod: Stage = { ...stages.prod, alarmEmail: 'none' };

/** Returns the template of the repository, with bundled functions. */
function ownTemplate(): unknown {
  // CDK prints its progress there.
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const app = new App({ outdir: createFolder(), context: { 'aws:cdk:disable-stack-trace': true } });
  const stack = new ChainInsightsStack(app, 'ChainInsights-prod', prod);
  const { template } = app.synth().getStackByName(stack.stackName);
  stderr.mockRestore();
  return template;
}

test('synthesizes the template of the repository from another one, down to the hashes of the functions', () => {
  writeApp(prod);
  expect(synthesize()).toMatchObject({ status: 0 });
  const template = readFileSync(join(project, 'cdk.out/ChainInsights-prod.template.json'), 'utf8');
  expect(JSON.parse(template)).toEqual(ownTemplate());
});

test('stops the synthesis of a stage with a wrong field, with its name', () => {
  writeApp({ startDate: 'yesterday' });
  const { status, stderr } = synthesize();
  expect(status).toBe(1);
  expect(stderr).toContain(
    'The stage of ChainInsights-prod is not valid:\n  stage.startDate: expected a day as YYYY-MM-DD',
  );
});

test('the documentation installs the CDK command of this repository, because the latest one is not the newest', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(readFileSync('docs/releases.md', 'utf8')).toContain(`aws-cdk@${devDependencies['aws-cdk']}\n`);
});

test('packs nothing that only the repository needs', () => {
  expect(readdirSync(installed).toSorted()).toEqual(
    ['LICENSE', 'README.md', 'bundles', 'core', 'lib', 'package.json'].toSorted(),
  );
  const code = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|js)$/.test(file) && !file.startsWith('bundles'),
  );
  expect(code.filter((file) => !file.endsWith('.d.ts'))).toEqual(['lib/chain-insights-stack.js']);
});
