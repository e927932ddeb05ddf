import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const output = mkdtempSync(join(tmpdir(), 'chain-insights-'));
afterAll(() => rmSync(output, { recursive: true }));

/** Starts the app as `cdk synth -c` does, without bundles of the functions and without the rules of CDK: checks.test.ts has those. */
function synthesize(context: Record<string, unknown>) {
  const { status, stderr } = spawnSync(process.execPath, ['bin/chain-insights.ts'], {
    env: {
      ...process.env,
      CDK_CONTEXT_JSON: JSON.stringify({ 'aws:cdk:bundling-stacks': [], ...context }),
      CDK_OUTDIR: output,
      CDK_VALIDATION: 'false',
    },
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('a stage that nobody has described stops the app in one line that names those that there are', () => {
  expect(synthesize({ stage: 'staging' })).toEqual({
    status: 1,
    stderr: 'stage: expected one of dev, prod, and not staging\n',
  });
  expect(readdirSync(output)).toEqual([]);
});

test('with nothing chosen it makes the template of the stage dev, with nothing to complain of', () => {
  expect(synthesize({})).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(output)).toContain('ChainInsights-dev.template.json');
  // The rule sets have looked at it.
  expect(readdirSync(output)).toContain('validation-report.json');
});
