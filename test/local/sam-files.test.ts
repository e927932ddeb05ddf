import { posix } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { ChainInsightsStack } from '../../lib/chain-insights-stack.ts';
import { readConfig } from '../../lib/config.ts';
import { stages } from '../../lib/stages.ts';
import { samFiles } from '../../local/sam-files.ts';

const config = readConfig('dev', stages);

/** An app with the options of the CDK command, without bundling. */
const app = new App({
  builtinCloudFormationValidation: false,
  context: {
    'aws:cdk:bundling-stacks': [],
    'aws:cdk:enable-asset-metadata': true,
    'aws:cdk:enable-path-metadata': true,
  },
});
const template = Template.fromStack(new ChainInsightsStack(app, 'Test', config)).toJSON();

const files = samFiles({
  config,
  template,
  from: '../cdk.out',
  tablePort: 8_000,
  architecture: 'x86_64',
  today: '2026-11-21',
});
const read = (name: string) => JSON.parse(files.get(name) ?? '');

const schema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).optional(),
      Metadata: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
const resourcesOf = (given: unknown) => Object.entries(schema.parse(given).Resources);
const functionsOf = (given: unknown) =>
  resourcesOf(given)
    .map(([, resource]) => resource)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function');

test('names each function by its file, with the path of its code', () => {
  const functions = functionsOf(read('template.json'));
  expect(functions.map(({ Metadata }) => Metadata?.SamResourceId).toSorted()).toEqual([
    'get-fees',
    'get-transaction-count',
    'ingest',
    'pages',
  ]);
  for (const [index, { Metadata }] of functionsOf(template).entries()) {
    expect(functions[index]?.Metadata).toMatchObject({
      'aws:asset:property': 'Code',
      'aws:asset:path': posix.join('../cdk.out', String(Metadata?.['aws:asset:path'])),
    });
  }
});

test('declares every variable of env.json in each function, because sam ignores others', () => {
  const { Parameters } = read('env.json');
  for (const { Properties } of functionsOf(read('template.json'))) {
    expect(Properties).toMatchObject({ Architectures: ['x86_64'], Environment: { Variables: Parameters } });
  }
});

test('keeps other variables of a function', () => {
  const namespaces = functionsOf(read('template.json')).map(({ Properties }) => Properties?.Environment);
  expect(JSON.stringify(namespaces)).toContain('"POWERTOOLS_METRICS_NAMESPACE":"Test"');
});

test('changes nothing else in the template, except for removing CDK’s paths', () => {
  const others = (given: unknown) =>
    resourcesOf(given).filter(([, { Type }]) => Type !== 'AWS::Lambda::Function');
  const withoutPath = others(template).map(([id, resource]) => {
    const { 'aws:cdk:path': _, ...Metadata } = resource.Metadata ?? {};
    return [id, { ...resource, Metadata }];
  });
  expect(others(read('template.json'))).toEqual(withoutPath);
  expect(files.get('template.json')).not.toContain('aws:cdk:path');
});

test('gives containers this machine’s table, and none of its credentials', () => {
  expect(read('env.json')).toEqual({
    Parameters: {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://host.docker.internal:8000',
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: '',
      TABLE_NAME: 'metrics',
    },
  });
  expect(files.get('samconfig.toml')).toContain('env_vars = "env.json"');
  expect(files.get('samconfig.toml')).toContain('add_host = "host.docker.internal:host-gateway"');
});
