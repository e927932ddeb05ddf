import { fileURLToPath } from 'node:url';
import type { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type FunctionOptions, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { environment } from '../lambda/environment.ts';
import { acknowledge, acknowledgeWildcards } from './acknowledge.ts';
import type { Config } from './config.ts';
import { logGroup } from './log-group.ts';

/**
 * Bundles a function into one small CommonJS file. Each option states the cost of omitting it for a query function: CPU time from
 * import to first response on Node 24, and bundle size. With all options: 78 ms, 238 KB; as an ES module: 96 ms.
 */
export const bundling: BundlingOptions = {
  logLevel: LogLevel.WARNING,
  // 77 ms, 522 KB.
  minify: true,
  // 114 ms, 471 KB: esbuild removes unused exports only from ES modules.
  mainFields: ['module', 'main'],
  // 82 ms, 257 KB: only operations with event streams load this module. The rest of the pinned SDK is bundled, so that the tested
  // version is the deployed one.
  externalModules: ['@smithy/core/event-streams'],
  esbuildArgs: {
    // 90 ms: the first import() of a process starts the ES module loader; require() does not.
    '--supported:dynamic-import': 'false',
    // 93 ms, 377 KB: credential providers of the SDK that do not apply to Lambda.
    '--alias': ['@aws-sdk/credential-provider-node=./lambda/credentials.ts'],
  },
};

interface Props extends Pick<FunctionOptions, 'maxEventAge' | 'retryAttempts' | 'onFailure'> {
  /** Name of a file in lambda/ that exports `handler`. */
  readonly entry: string;
  readonly description: string;
  readonly table?: TableV2;
  /** Actions that the function may perform on the table. */
  readonly tableActions?: readonly `dynamodb:${string}`[];
  /** Returns a shell command that adds files to the folder of the bundle. */
  readonly addFiles?: (folder: string) => string;
  /** Bundles the module of event streams, which the S3 client loads. */
  readonly needsEventStreams?: boolean;
  /** Environment variables, in addition to the name of the table. */
  readonly variables?: Partial<Record<keyof typeof environment, string>>;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly config: Pick<Config, 'protect' | 'logRetentionDays'>;
}

/** A Lambda function with its own role and log group, on the Node version that the tests use. */
export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;
  readonly role: IRole;
  readonly logGroup: LogGroup;
  readonly memorySize: number;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { entry, table, tableActions = [], variables = {}, config, ...rest } = props;
    const { addFiles, needsEventStreams, ...options } = rest;
    this.memorySize = props.memorySize;
    this.logGroup = logGroup(this, 'Logs', config);
    // Not CDK's default, a managed policy that allows writing to every log group of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    acknowledgeWildcards(this.role, ['*'], XRAY);
    this.logGroup.grantWrite(this.role);
    table?.grant(this.role, ...tableActions);
    this.function = new NodejsFunction(this, 'Function', {
      ...options,
      entry: fileURLToPath(new URL(`../lambda/${entry}.ts`, import.meta.url)),
      role: this.role,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      environment: variablesOf({ ...variables, ...(table && { tableName: table.tableName }) }),
      // Writes each console call as one line of JSON.
      loggingFormat: LoggingFormat.JSON,
      logGroup: this.logGroup,
      // Lambda itself traces invocations, without an X-Ray SDK in the bundle.
      tracing: Tracing.ACTIVE,
      bundling: {
        ...bundling,
        ...(needsEventStreams && { externalModules: [] }),
        ...(addFiles && {
          commandHooks: { ...noCommands, afterBundling: (_, folder) => [addFiles(folder)] },
        }),
      },
    });
    acknowledge(this.function, NO_VPC, 'cdk-validator-cfnguard::lambda_inside_vpc_check');
  }
}

const XRAY = 'AWS supports no resources for xray:PutTraceSegments and xray:PutTelemetryRecords.';
const NO_VPC =
  'It connects only to AWS and to nodes, over TLS. A VPC would add a NAT gateway and protect nothing.';

const noCommands = { beforeBundling: () => [], beforeInstall: () => [] };

const variablesOf = (values: Partial<Record<keyof typeof environment, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [environment[name as keyof typeof environment], value]),
  );
