import { Template } from 'aws-cdk-lib/assertions';
import { routes } from '#lambda/api/routes.ts';
import { stages } from '#lib/stages/stages.ts';
import {
  nameOf,
  type Properties,
  permissionsOf,
  propertiesOf,
  stackOf,
  templateOf,
} from '#test/support/stack.ts';

const template = templateOf({
  canary: true,
  pages: false,
  alarms: { errorPercent: 3, p99Milliseconds: 900 },
});

const aliases = Object.entries(template.findResources('AWS::Lambda::Alias'));
const groups = template.findResources('AWS::CodeDeploy::DeploymentGroup');
const named = (name: string) =>
  propertiesOf(template, 'AWS::CloudWatch::Alarm').find(
    ({ AlarmName }) => AlarmName === `Test-notice-release-failing-${name}`,
  );

test('the stage prod releases through a canary, and dev does not', () => {
  const count = (name: string) =>
    Object.keys(Template.fromStack(stackOf(stages[name] ?? {})).findResources('AWS::Lambda::Alias')).length;
  expect([count('prod'), count('dev')]).toEqual([routes.length, 0]);
});

test('moves each alias with ten percent for five minutes, and back when an alarm starts', () => {
  expect(aliases).toHaveLength(routes.length);
  const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm'))
    .filter(([, { Properties }]) => Properties.AlarmName.startsWith('Test-notice-release-failing-'))
    .map(([id]) => id);
  for (const [, { UpdatePolicy }] of aliases) {
    const group = groups[nameOf(UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName)];
    expect(group?.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
      },
      AlarmConfiguration: { Enabled: true },
    });
    const watched = group?.Properties.AlarmConfiguration.Alarms.map(({ Name }: Properties) => nameOf(Name));
    expect(watched.toSorted()).toEqual(alarms.toSorted());
    expect(watched).toHaveLength(2);
  }
});

test('lets the API invoke the aliases, and no function without one', () => {
  const ids = aliases.map(([id]) => id);
  const permissions = propertiesOf(template, 'AWS::Lambda::Permission');
  expect(permissions).toHaveLength(routes.flatMap(({ methods }) => methods).length);
  for (const { FunctionName } of permissions) expect(ids).toContain(nameOf(FunctionName));
  const integrations = propertiesOf(template, 'AWS::ApiGateway::Method').map(
    ({ Integration }) => Integration,
  );
  for (const { Uri } of integrations) {
    expect(ids.some((id) => JSON.stringify(Uri).includes(`"${id}"`))).toBe(true);
  }
});

test('judges single minutes by the stage’s thresholds, and needs a few requests', () => {
  const minute = (Stat: string) =>
    expect.objectContaining({ MetricStat: expect.objectContaining({ Period: 60, Stat }) });
  const common = { EvaluationPeriods: 1, TreatMissingData: 'notBreaching' };
  expect(named('errors')).toMatchObject({ ...common, Threshold: 0.03 });
  expect(named('errors')?.Metrics).toEqual([
    expect.objectContaining({ Expression: 'IF(requests >= 4, value)' }),
    minute('Average'),
    minute('SampleCount'),
  ]);
  expect(named('latency')).toMatchObject({ ...common, Threshold: 900 });
  expect(named('latency')?.Metrics).toEqual([
    expect.objectContaining({ Expression: 'IF(requests >= 20, value)' }),
    minute('p99'),
    minute('SampleCount'),
  ]);
});

test('gives CodeDeploy the aliases of the query functions and the state of alarms, and nothing else', () => {
  const [, rights = []] =
    Object.entries(permissionsOf(template)).find(([role]) => role.startsWith('ApiCanaryRole')) ?? [];
  const functions = routes.map(({ handler }) => `Api${handler.replaceAll('-', '')}Function`);
  const withoutHash = (resource: string) => resource.replace(/[0-9A-F]{8}$/, '');
  expect(rights).toEqual([
    { actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] },
    { actions: ['lambda:InvokeFunction'], resources: [expect.stringMatching(/^ApiCanaryGategateFunction/)] },
    {
      actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
      resources: expect.anything(),
    },
  ]);
  const resources = rights.at(-1)?.resources.map(withoutHash) ?? [];
  expect(resources.toSorted()).toEqual([...functions, ...aliases.map(([id]) => withoutHash(id))].toSorted());
  for (const { ManagedPolicyArns } of propertiesOf(template, 'AWS::IAM::Role')) {
    expect(ManagedPolicyArns).toBeUndefined();
  }
});
