import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { addChecks } from '../../lib/checks.ts';
import type { Stage } from '../../lib/config.ts';
import { deadLetterQueue } from '../../lib/dead-letter-queue.ts';
import { logGroup } from '../../lib/log-group.ts';
import { dev } from '../../lib/stages/dev.ts';
import { stages } from '../../lib/stages.ts';
import { newApp, stackOf } from '../support/stack.ts';

const EXAMPLES = 'docs/examples';

/** The example configurations: each file exports one stage. */
async function readExamples(): Promise<[name: string, stage: Stage][]> {
  const files = readdirSync(EXAMPLES);
  const modules = await Promise.all(files.map((file) => import(resolve(EXAMPLES, file))));
  return modules.map((exported, index) => {
    const [stage] = Object.values<Stage>(exported);
    if (!stage) throw new Error(`${files[index]} exports no stage`);
    return [basename(files[index] ?? '', '.ts'), stage];
  });
}

test('every stage and every example is synthesized, and the rule sets find nothing new in any', async () => {
  const app = newApp({ builtinCloudFormationValidation: true });
  const examples = await readExamples();
  // The rule sets take a second for each, and test/bin has them look at dev.
  const { dev: _, ...others } = stages;
  const all = [...Object.entries(others), ...examples];
  for (const [name, stage] of all) stackOf(stage, app, name);
  addChecks(app);
  expect(examples.length).toBeGreaterThan(0);
  expect(app.synth().stacks).toHaveLength(all.length);
});

test('the rules that CDK comes with find nothing in dev', () => {
  const app = newApp({ builtinCloudFormationValidation: true });
  stackOf(dev, app);
  expect(app.synth().stacks).toHaveLength(1);
});

test.each([
  ['AWS Solutions', 'AwsSolutions-SQS4', (stack: Stack) => new Queue(stack, 'Careless')],
  // Nothing else in it is found by the other rule set.
  ['Control Tower', 'cloudwatch_log_group_encrypted_check', (stack: Stack) => new LogGroup(stack, 'Open')],
])('a new finding of %s ends the synthesis, though others of it are acknowledged', (_, rule, add) => {
  const app = newApp();
  const stack = new Stack(app, 'Small');
  deadLetterQueue(stack, 'Acknowledged');
  logGroup(stack, 'Logs', { protect: false, logRetentionDays: 7 });
  add(stack);
  addChecks(app);
  expect(() => app.synth()).toThrow(rule);
});
