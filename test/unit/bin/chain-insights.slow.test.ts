import { readdirSync, readFileSync } from 'node:fs';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';

const output = createFolder();

/** Runs the app as `cdk synth -c` does, without bundling and without CDK's built-in rules, which checks.slow.test.ts covers. */
function synthesize(context: Record<string, unknown>) {
  const CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:bundling-stacks': [], ...context });
  const env = { ...process.env, CDK_CONTEXT_JSON, CDK_OUTDIR: output, CDK_VALIDATION: 'false' };
  const { status, stderr } = runNode(['bin/chain-insights.ts'], { env });
  return { status, stderr };
}

test('refuses an unknown stage in one line that lists the known ones', () => {
  expect(synthesize({ stage: 'staging' })).toEqual({
    status: 1,
    stderr: 'Unknown stage staging: expected one of dev, prod.\n',
  });
  expect(readdirSync(output)).toEqual([]);
});

test('synthesizes the stage dev by default, without findings', () => {
  expect(synthesize({})).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(output)).toContain('ChainInsights-dev.template.json');
  // The rule sets wrote it.
  expect(readdirSync(output)).toContain('validation-report.json');
});

test('deploys a protected stage only to the account and region that its file or an option names', () => {
  const context = { stage: 'prod', alarmEmail: 'ci@example.com' };
  expect(synthesize(context)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^ChainInsights-prod is protected, .*: env is not set\./),
  });
  expect(synthesize({ ...context, env: '111122223333' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('stage.env.region: expected a region such as eu-central-1'),
  });
  expect(synthesize({ ...context, env: '111122223333/eu-central-1' }).status).toBe(0);
  expect(readFileSync(`${output}/manifest.json`, 'utf8')).toContain('aws://111122223333/eu-central-1');
});
