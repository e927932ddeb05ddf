import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ChainInsightsStack } from '#lib/chain-insights-stack.ts';
import { stageOf } from '#lib/config.ts';
import { stages } from '#lib/stages/stages.ts';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';

const folder = createFolder();

const run = (parameters: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) =>
  runNode([resolve('bin/sam-files.ts'), ...parameters], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });

test.each([
  [[], 'cdk.out/ChainInsights-dev.template.json does not exist. Run npx cdk synth --quiet -c stage=dev.\n'],
  [['--stage', 'staging'], 'Unknown stage staging: expected one of dev, prod.\n'],
])('with %p and no such template, prints the remedy and writes nothing', (parameters, stderr) => {
  expect(run(parameters)).toEqual({ status: 1, stdout: '', stderr });
  expect(readdirSync(folder)).not.toContain('.sam');
});

/** Names of variables that Lambda sets itself. */
const RESERVED =
  /^(AWS_(REGION|DEFAULT_REGION|ACCESS_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|LAMBDA_.*)|_HANDLER|LAMBDA_.*)$/;

describe('with the template of prod', () => {
  type Resource = { Type: string; Properties: object; Metadata: Record<string, string> };
  let resources: readonly [string, Resource][];
  let functions: readonly Resource[];
  let stdout: string;
  const read = (name: string) => readFileSync(join(folder, '.sam', name), 'utf8');
  const resourcesOf = (json: { Resources: Record<string, Resource> }) => Object.entries(json.Resources);

  beforeAll(() => {
    // The options of the CDK command, without bundling.
    const context = {
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
    };
    const app = new App({ builtinCloudFormationValidation: false, context });
    const stage = { ...stageOf('prod', stages), alarmEmail: 'none', protect: false };
    const stack = new ChainInsightsStack(app, 'Test', stage);
    const template = Template.fromStack(stack).toJSON() as { Resources: Record<string, Resource> };
    resources = resourcesOf(template);
    mkdirSync(join(folder, 'cdk.out'), { recursive: true });
    writeFileSync(join(folder, 'cdk.out', 'ChainInsights-prod.template.json'), JSON.stringify(template));
    const ended = run(['--stage', 'prod'], { TABLE_PORT: '8001' });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    stdout = ended.stdout;
    functions = resourcesOf(JSON.parse(read('template.json')))
      .map(([, resource]) => resource)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function');
  });

  test('prints commands that name the files that it has written', () => {
    expect(stdout).toContain('TABLE_PORT=8001 RPC_URLS_POLYGON=');
    const [, name, file] = /sam local invoke (\S+) -e (\S+)\n/.exec(stdout) ?? [];
    expect(functions.map(({ Metadata }) => Metadata.SamResourceId)).toContain(name);
    expect(readdirSync(join(folder, '.sam'))).toEqual(expect.arrayContaining([file, 'samconfig.toml']));
  });

  test('declares every variable of env.json in each function, because sam ignores others', () => {
    const { Parameters } = JSON.parse(read('env.json'));
    expect(Parameters).toEqual({
      AWS_ENDPOINT_URL_DYNAMODB: 'http://host.docker.internal:8001',
      TABLE_NAME: 'metrics',
    });
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Environment: { Variables: Parameters } });
      // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html: `sam validate --lint` refuses them.
      const reserved = Object.keys(
        (Properties as { Environment: { Variables: object } }).Environment.Variables,
      ).filter((name) => RESERVED.test(name));
      expect(reserved).toEqual([]);
    }
    expect(JSON.stringify(functions)).toContain('"POWERTOOLS_METRICS_NAMESPACE":"Test"');
    expect(read('samconfig.toml')).toContain('add_host = "host.docker.internal:host-gateway"');
  });

  test('changes nothing else in the template, except for removing CDK’s paths', () => {
    const others = (all: readonly [string, Resource][]) =>
      all.filter(([, { Type }]) => Type !== 'AWS::Lambda::Function');
    const withoutPath = others(resources).map(([id, resource]) => {
      const { 'aws:cdk:path': _, ...Metadata } = resource.Metadata ?? {};
      return [id, { ...resource, Metadata }];
    });
    expect(others(resourcesOf(JSON.parse(read('template.json'))))).toEqual(withoutPath);
  });
});
