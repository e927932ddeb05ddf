import { readFileSync } from 'node:fs';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type BackfillChains, backfillDefinition } from '#lib/backfill/definition.ts';
import { ChainInsightsStack, type Stage } from '#lib/chain-insights-stack.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));

const withoutTraces = { 'aws:cdk:disable-stack-trace': true, 'aws:cdk:disable-creation-stack-traces': true };

/**
 * Creates an app with the flags of cdk.json, without bundling.
 * @param builtinCloudFormationValidation runs CDK's own rules, which take 80% of the time; checks.slow.test.ts runs them for every
 *   stage
 */
export const newApp = ({ builtinCloudFormationValidation = false } = {}) =>
  new App({
    context: { ...context, 'aws:cdk:bundling-stacks': [], ...withoutTraces },
    treeMetadata: false,
    builtinCloudFormationValidation,
  });

/** The account of a protected stage that names none. */
const env = { account: '111122223333', region: 'eu-central-1' };

/** Creates the stack of a stage, which tells nobody of its alarms unless it says otherwise. */
export const stackOf = (stage: Stage, app = newApp(), id = 'Test') =>
  new ChainInsightsStack(app, id, { alarmEmail: 'none', ...(stage.protect && { env }), ...stage });

/** Shared by the tests of a file, because a synthesis takes half a second. */
const templates = new Map<string, Template>();

export function templateOf(stage: Stage = {}): Template {
  const key = JSON.stringify(stage);
  const template = templates.get(key) ?? Template.fromStack(stackOf(stage));
  templates.set(key, template);
  return template;
}

// biome-ignore lint/suspicious/noExplicitAny: tests only inspect templates
export type Properties = Record<string, any>;

export const propertiesOf = (template: Template, type: string): Properties[] =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

/** Returns the only resource of a type. */
export function theOnly(template: Template, type: string): Properties {
  const [found, ...others] = propertiesOf(template, type);
  if (!found || others.length > 0) throw new Error(`There are ${others.length + 1} or no ${type}`);
  return found;
}

/** Returns the definition of the state machine of backfills. */
export const stateMachineOf = (template: Template): Properties =>
  JSON.parse(nameOf(theOnly(template, 'AWS::StepFunctions::StateMachine').DefinitionString));

/** Returns the definition of a machine that backfills these chains with the function the-ingest, and reports to reports-bucket. */
export function backfillOf(chains: BackfillChains): unknown {
  const stack = new Stack(newApp(), 'Test');
  const ingest = LambdaFunction.fromFunctionName(stack, 'Function', 'the-ingest');
  const definition = backfillDefinition(stack, chains, { ingest, bucketName: 'reports-bucket' });
  return JSON.parse(nameOf(stack.resolve(stack.toJsonString(definition))));
}

export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly condition?: unknown;
}

/** Returns the permissions of each role by its logical ID, with references shortened to logical IDs. */
export function permissionsOf(template: Template): Record<string, Statement[]> {
  const roles = template.findResources('AWS::IAM::Role');
  const policies = propertiesOf(template, 'AWS::IAM::Policy');
  const permissions = Object.entries(roles).map(([id, { Properties }]) => {
    const own = (Properties.Policies ?? []) as Properties[];
    const attached = policies.filter(({ Roles }) => Roles.some(({ Ref }: Properties) => Ref === id));
    const statements = [...own, ...attached].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    return [id, statements.map(statementOf)];
  });
  return Object.fromEntries(permissions);
}

function statementOf({ Effect, Action, Resource, Condition }: Properties): Statement {
  if (Effect !== 'Allow') throw new Error('A role is only ever given rights');
  return {
    actions: [Action].flat().toSorted(),
    resources: [Resource].flat().map(nameOf),
    ...(Condition && { condition: Condition }),
  };
}

export function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Properties;
  if (Ref) return Ref.startsWith('AWS::') ? '' : Ref;
  if (attribute) return attribute[0];
  return join[1].map(nameOf).join('');
}
