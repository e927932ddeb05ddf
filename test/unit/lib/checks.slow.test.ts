import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { addChecks } from '#lib/checks.ts';
import type { Stage } from '#lib/config.ts';
import { deadLetterQueue, logGroup } from '#lib/encrypted-resources.ts';
import { dev } from '#lib/stages/dev.ts';
import { stages } from '#lib/stages/stages.ts';
import { newApp, stackOf } from '#test/support/aws/stack.ts';

const EXAMPLES = 'docs/examples';

/** Reads the example configurations. Each file exports one stage. */
async function readExamples(): Promise<[name: string, stage: Stage][]> {
  const files = readdirSync(EXAMPLES).filter((file) => /\.[jt]s$/.test(file));
  const modules = await Promise.all(files.map((file) => import(resolve(EXAMPLES, file))));
  return modules.map((exported, index) => {
    const [stage] = Object.values<Stage>(exported);
    if (!stage) throw new Error(`${files[index]} exports no stage`);
    return [basename(files[index] ?? '', '.ts'), stage];
  });
}

test('finds nothing in any stage or example', async () => {
  const app = newApp({ builtinCloudFormationValidation: true });
  const examples = await readExamples();
  // Each takes a second, and test/unit/bin checks dev.
  const { dev: _, ...others } = stages;
  const all = [...Object.entries(others), ...examples];
  for (const [name, stage] of all) stackOf(stage, app, name);
  addChecks(app);
  expect(examples.length).toBeGreaterThan(0);
  expect(app.synth().stacks).toHaveLength(all.length);
});

test('finds nothing in dev with the built-in rules of CDK', () => {
  const app = newApp({ builtinCloudFormationValidation: true });
  stackOf(dev, app);
  expect(app.synth().stacks).toHaveLength(1);
});

test.each([
  ['AWS Solutions', 'AwsSolutions-SQS4', (stack: Stack) => new Queue(stack, 'Unencrypted')],
  // The other rule set finds nothing in it.
  ['Control Tower', 'cloudwatch_log_group_encrypted_check', (stack: Stack) => new LogGroup(stack, 'Open')],
])('fails the synthesis on a new finding of %s, although others are acknowledged', (_, rule, add) => {
  const app = newApp();
  const stack = new Stack(app, 'Small');
  deadLetterQueue(stack, 'Acknowledged', {});
  logGroup(stack, 'Logs', { protect: false, logRetentionDays: 7 });
  add(stack);
  addChecks(app);
  expect(() => app.synth()).toThrow(rule);
});
