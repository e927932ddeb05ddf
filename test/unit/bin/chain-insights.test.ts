import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const output = mkdtempSync(join(tmpdir(), 'chain-insights-'));
afterAll(() => rmSync(output, { recursive: true }));

/** Runs the app as `cdk synth -c` does, without bundling and without CDK's built-in rules, which checks.slow.test.ts covers. */
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
