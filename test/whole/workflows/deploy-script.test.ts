import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createFolder } from '#test/support/folders.ts';

interface Given {
  readonly outputs: Readonly<Record<string, string>>;
  /** Answer of the probe. */
  readonly answer?: string;
  readonly deployStatus?: number;
}

/** Runs the script with a CDK command and an AWS CLI that note their calls. */
function deploy({ outputs, answer = '', deployStatus = 0 }: Given) {
  const folder = createFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const program = (name: string, ...lines: readonly string[]) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    write(
      name,
      [
        '#!/usr/bin/env bash',
        `echo "${name.split('/').at(-1)} $*" >> calls`,
        'for last; do :; done',
        ...lines,
        '',
      ].join('\n'),
    );
    chmodSync(join(folder, name), 0o755);
  };
  write('outputs', JSON.stringify({ 'ChainInsights-dev': outputs }));
  write('answer', answer);
  program(
    'node_modules/.bin/cdk',
    `[[ $1 == diff ]] || cp outputs "$last"`,
    `[[ $1 == diff ]] || exit ${deployStatus}`,
  );
  program('bin/aws', 'cp answer "$last"');
  cpSync('.github/deploy/deploy.sh', join(folder, 'deploy.sh'));
  const path = [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync(join(folder, 'deploy.sh'), ['dev', 'assembly/dev'], {
    cwd: folder,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
  return { status, stdout, stderr, calls };
}

const outputs = { ProbeFunctionName: 'ChainInsights-dev-probe' };

test('deploys the assembly, and invokes the probe that the stack names', () => {
  const { status, stdout, calls } = deploy({ outputs, answer: '{"outcome":"ok"}' });
  expect(status).toBe(0);
  expect(stdout).toContain('{"outcome":"ok"}');
  expect(calls).toEqual([
    'cdk diff --ci --app assembly/dev',
    expect.stringMatching(/^cdk deploy --ci --require-approval never --app assembly\/dev --outputs-file /),
    expect.stringMatching(/^aws lambda invoke --function-name ChainInsights-dev-probe --payload \{\} /),
  ]);
});

test.each(['{"outcome":"stale"}', '{"errorMessage":"Task timed out"}', 'null', 'no JSON', ''])(
  'fails when the probe answers %j',
  (answer) => {
    expect(deploy({ outputs, answer }).status).not.toBe(0);
  },
);

test('says which stage failed its probe', () => {
  expect(deploy({ outputs, answer: '{"outcome":"stale"}' }).stderr).toMatch(
    /^The probe of ChainInsights-dev failed: its outcome is not ok\./,
  );
});

test('says that a stack without a probe was not probed, and succeeds', () => {
  const { status, stdout, calls } = deploy({ outputs: { Url: 'https://api.example/v1/' } });
  expect([status, stdout]).toEqual([
    0,
    'ChainInsights-dev has no output ProbeFunctionName, so it was not probed.\n',
  ]);
  expect(calls.filter((call) => call.startsWith('aws'))).toEqual([]);
});

test('fails without a probe when the deployment fails', () => {
  const { status, calls } = deploy({ outputs, deployStatus: 1 });
  expect(status).toBe(1);
  expect(calls).toHaveLength(2);
});
