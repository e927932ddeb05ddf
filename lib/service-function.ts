import { fileURLToPath } from 'node:url';
import { type Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type FunctionOptions, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { environment } from '../lambda/environment.ts';
import type { Config } from './config.ts';
import { logGroup } from './log-group.ts';

/**
 * How esbuild bundles a function: into one file of CommonJS that loads little. With each line stands what a query function
 * takes without it, from import to first answer in processor time on Node 24, and its size: with all of them 78 ms and 238 KB,
 * as an ES module 96 ms.
 */
export const bundling: BundlingOptions = {
  // Where all is well, nothing is said.
  logLevel: LogLevel.WARNING,
  // 77 ms, 522 KB.
  minify: true,
  // 114 ms, 471 KB: only of ES modules does esbuild leave out what nobody imports.
  mainFields: ['module', 'main'],
  // 82 ms, 257 KB: only operations that stream events load this one. All else of the pinned SDK is bundled, so that what is
  // tested is what runs.
  externalModules: ['@smithy/core/event-streams'],
  esbuildArgs: {
    // 90 ms: the first import() of a process starts the loader of ES modules, and require() does the same without.
    '--supported:dynamic-import': 'false',
    // 93 ms, 377 KB: the SDK's ways to find credentials that no function has.
    '--alias': ['@aws-sdk/credential-provider-node=./lambda/credentials.ts'],
  },
};

interface Props extends Pick<FunctionOptions, 'maxEventAge' | 'retryAttempts' | 'onFailure'> {
  /** Name of its file in lambda/, which exports `handler`. */
  readonly entry: string;
  readonly description: string;
  readonly table?: TableV2;
  /** All that it may do with the table. */
  readonly tableActions?: readonly `dynamodb:${string}`[];
  /** Command that adds files to the folder of the bundle, which it is given. */
  readonly addFiles?: (folder: string) => string;
  /** What it is told, beside the name of the table. */
  readonly variables?: Partial<Record<keyof typeof environment, string>>;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly config: Pick<Config, 'protect' | 'logRetentionDays'>;
}

/** A function of this service: bundled by esbuild, on the runtime that the tests run on, with a role and logs of its own. */
export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;
  readonly role: IRole;
  readonly logGroup: LogGroup;
  readonly memorySize: number;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { entry, table, tableActions = [], addFiles, variables = {}, config, ...options } = props;
    this.memorySize = props.memorySize;
    this.logGroup = logGroup(this, 'Logs', config);
    // Not the managed policy that CDK would take: with it, the function could write to any log of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'xray:PutTraceSegments and xray:PutTelemetryRecords know no resource, so AWS offers nothing narrower.',
    });
    this.logGroup.grantWrite(this.role);
    table?.grant(this.role, ...tableActions);
    this.function = new NodejsFunction(this, 'Function', {
      ...options,
      entry: fileURLToPath(new URL(`../lambda/${entry}.ts`, import.meta.url)),
      role: this.role,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      environment: variablesOf({ ...variables, ...(table && { tableName: table.tableName }) }),
      // What is logged with console comes out as one JSON object a line.
      loggingFormat: LoggingFormat.JSON,
      logGroup: this.logGroup,
      // Lambda itself traces each call; no X-Ray SDK is in the bundle.
      tracing: Tracing.ACTIVE,
      bundling: addFiles
        ? { ...bundling, commandHooks: { ...noCommands, afterBundling: (_, folder) => [addFiles(folder)] } }
        : bundling,
    });
    Validations.of(this.function).acknowledge({
      id: 'cdk-validator-cfnguard::lambda_inside_vpc_check',
      reason:
        'It talks to AWS and to public nodes only, over TLS: a VPC would add a NAT gateway and guard nothing.',
    });
  }
}

const noCommands = { beforeBundling: () => [], beforeInstall: () => [] };

const variablesOf = (values: Partial<Record<keyof typeof environment, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [environment[name as keyof typeof environment], value]),
  );
