import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createFolder } from '#test/support/folders.ts';

interface Given {
  /** Answers of the probe, in order; the last one repeats. */
  readonly answers?: readonly string[];
  /** False at a first deployment. */
  readonly isDeployed?: boolean;
  readonly templateError?: string;
}

const STACK = 'ChainInsights-dev';
const hashOf = (letter: string) => letter.repeat(64);
const fileOf = (hash: string) => ({
  source: { path: `${STACK}.template.json` },
  destinations: { here: { objectKey: `${hash}.json` } },
});
const codeOfNext = { source: { path: 'asset.1' }, destinations: {} };

/** An assembly as CDK synthesizes it, with its template and one bundle. */
const assembly = {
  'manifest.json': {
    version: '55.0.0',
    artifacts: {
      [`${STACK}.assets`]: { type: 'cdk:asset-manifest', properties: { file: `${STACK}.assets.json` } },
      [STACK]: {
        type: 'aws:cloudformation:stack',
        properties: {
          templateFile: `${STACK}.template.json`,
          stackTemplateAssetObjectUrl: `s3://bucket/${hashOf('a')}.json`,
        },
        additionalMetadataFile: `${STACK}.metadata.json`,
      },
      Tree: { type: 'cdk:tree' },
    },
  },
  [`${STACK}.assets.json`]: { files: { [hashOf('a')]: fileOf(hashOf('a')), [hashOf('b')]: codeOfNext } },
};

/** Runs the script with a CDK command, an AWS CLI and a sleep that note their calls. */
function deploy(given: Given) {
  const { answers = [OK], isDeployed = true, templateError } = given;
  const folder = createFolder();
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const program = (name: string, ...lines: readonly string[]) => {
    const note = `echo "${name.split('/').at(-1)} $*" >> calls`;
    write(name, ['#!/usr/bin/env bash', note, ...lines, ''].join('\n'));
    chmodSync(join(folder, name), 0o755);
  };
  for (const [name, content] of Object.entries(assembly))
    write(`assembly/dev/${name}`, JSON.stringify(content));
  for (const [index, answer] of answers.entries()) write(`answers/${index}`, answer);
  write('template', '{"Resources": {"Table": {}}}');
  write('template-error', templateError ?? `Stack with id ${STACK} does not exist`);
  program('node_modules/.bin/cdk', 'true');
  program('bin/sleep');
  program(
    'bin/aws',
    'case $2 in',
    `  get-template) ${isDeployed && templateError === undefined ? 'cat template' : 'cat template-error >&2; exit 254'} ;;`,
    '  describe-stacks) echo Probe ;;',
    '  invoke) for last; do :; done; next=$(ls answers | head -1); cp "answers/$next" "$last"',
    '    [[ $(ls answers | wc -l) == 1 ]] || rm "answers/$next" ;;',
    'esac',
  );
  for (const name of ['deploy.sh', 'assembly-before.mjs'])
    cpSync(join('.github/deploy', name), join(folder, name));
  const path = [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync(join(folder, 'deploy.sh'), ['dev', 'assembly/dev'], {
    cwd: folder,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
  return { status, stdout, stderr, calls, before: join(folder, 'assembly/dev-before') };
}

const OK = '{"outcome":"ok"}';
const STALE = '{"errorMessage":"The probe failed. BASE: none of the last 4 days has a row."}';
const NO_KEY = '{"errorMessage":"The probe has no key. Issue one."}';
const deployed = (calls: readonly string[]) =>
  calls.flatMap((call) => /^cdk deploy .*--app (.*)$/.exec(call)?.slice(1) ?? []);

test('probes the version before, deploys the assembly, and probes it', () => {
  const { status, stdout, stderr, calls } = deploy({});
  expect(status).toBe(0);
  expect(stdout).toBe('ChainInsights-dev is deployed, and its probe succeeded.\n');
  expect(stderr).toContain(OK);
  expect(calls.map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual([
    'aws cloudformation get-template',
    ...['aws cloudformation describe-stacks', 'aws lambda invoke'],
    ...['cdk diff --ci', 'cdk deploy --ci'],
    ...['aws cloudformation describe-stacks', 'aws lambda invoke'],
  ]);
});

test('deploys the version before again when the probe fails three times with the new one only', () => {
  const { status, stderr, calls } = deploy({ answers: [OK, STALE, STALE, STALE, OK] });
  expect(status).toBe(1);
  expect(deployed(calls)).toEqual(['assembly/dev', 'assembly/dev-before']);
  expect(stderr).toContain('ChainInsights-dev has the version before again. Its probe: ok.');
});

test.each([STALE, '{"errorMessage":"Task timed out"}', 'null', 'no JSON', ''])(
  'takes the answer %j for a failure',
  (answer) => {
    expect(deploy({ answers: [OK, answer] }).status).toBe(1);
  },
);

test('fails without returning when nobody knows whether the probe succeeded before', () => {
  const { status, stderr, calls } = deploy({ answers: [NO_KEY, STALE] });
  expect(status).toBe(1);
  expect(stderr).toContain('There was no probe of the version before.');
  expect(deployed(calls)).toEqual(['assembly/dev']);
});

test('a first deployment succeeds, and says how to issue the key of its probe', () => {
  const { status, stdout, calls, before } = deploy({ isDeployed: false, answers: [NO_KEY] });
  expect([status, stdout]).toEqual([
    0,
    'ChainInsights-dev is deployed, and its probe has no key yet. Issue one: npx --no chain-insights keys probe --stage dev\n',
  ]);
  expect(deployed(calls)).toEqual(['assembly/dev']);
  expect(existsSync(before)).toBe(false);
  expect(readFileSync('lambda/probe.ts', 'utf8')).toContain('The probe has no key');
});

test('deploys nothing when CloudFormation does not tell the version before', () => {
  const { status, stderr, calls } = deploy({ templateError: 'AccessDenied' });
  expect([status, stderr]).toEqual([1, 'AccessDenied']);
  expect(calls).toHaveLength(1);
});

test('the version before has the template that CloudFormation returned, under its own hash, and no other file', () => {
  const { before } = deploy({});
  const read = (name: string) => readFileSync(join(before, name), 'utf8');
  expect(read(`${STACK}.template.json`)).toBe('{"Resources":{"Table":{}}}');
  const manifest = JSON.parse(read('manifest.json'));
  expect(Object.keys(manifest.artifacts)).toEqual([`${STACK}.assets`, STACK]);
  const { stackTemplateAssetObjectUrl } = manifest.artifacts[STACK].properties;
  const [hash = ''] = /\w{64}/.exec(stackTemplateAssetObjectUrl) ?? [];
  expect(hash).not.toBe(hashOf('a'));
  expect(JSON.parse(read(`${STACK}.assets.json`)).files).toEqual({ [hash]: fileOf(hash) });
});
