import { readFileSync } from 'node:fs';
import { prod } from '#lib/stages/prod.ts';
import { stages } from '#lib/stages/stages.ts';
import { templateOf } from '#test/support/aws/stack.ts';
import { full } from '../../../docs/examples/full.ts';

/* The examples that an operator applies to an account. */

const read = (file: string) => JSON.parse(readFileSync(`docs/examples/${file}`, 'utf8'));

/** Services whose actions have another prefix than the name in their resource types. */
const prefixes: Readonly<Record<string, string>> = { stepfunctions: 'states' };

test('the execution policy allows each service of the stack, and only its own roles', () => {
  const statements: readonly { Action: string | string[]; Resource: string }[] =
    read('execution-policy.json').Statement;
  const allowed = statements.flatMap(({ Action }) => [Action].flat());
  expect(allowed).not.toContain('*');
  expect(allowed).not.toContain('iam:*');
  const templates = [...Object.values(stages), full].map((stage) => templateOf(stage).toJSON());
  const types = templates.flatMap(({ Resources }) =>
    Object.values<{ Type: string }>(Resources).map(({ Type }) => Type),
  );
  const services = new Set(types.map((type) => type.split('::')[1]?.toLowerCase() ?? ''));
  expect(services.size).toBeGreaterThan(10);
  for (const service of services)
    expect(allowed).toContainEqual(expect.stringMatching(`^${prefixes[service] ?? service}:`));
  const ofRoles = statements.filter(({ Action }) => String(Action).includes('iam:'));
  for (const { Resource } of ofRoles)
    expect(Resource).toMatch(/^arn:aws:iam::\*:role\/(ChainInsights-|aws-service-role\/)\*$/);
});

test('the web ACL lets through twice the requests of the fastest tier of prod', () => {
  const { Limit, EvaluationWindowSec } = read('web-acl-rules.json')[0].Statement.RateBasedStatement;
  const rates = Object.values(prod.tiers ?? {}).map(({ ratePerSecond }) => ratePerSecond);
  expect(Limit / EvaluationWindowSec).toBe(2 * Math.max(...rates));
});
