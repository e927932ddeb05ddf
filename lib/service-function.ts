import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage, type Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type AssetCode,
  type CfnFunction,
  Code,
  type FunctionOptions,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { environment } from '../lambda/environment.ts';
import { acknowledgeWildcards } from './acknowledge.ts';
import type { Entry } from './bundle.ts';
import type { Config } from './config.ts';
import { keyStatements, logGroup, sendStatements } from './encrypted-resources.ts';

interface Props extends Pick<FunctionOptions, 'maxEventAge' | 'retryAttempts'> {
  readonly entry: Entry;
  readonly description: string;
  readonly table?: TableV2;
  /** Actions that the function may perform on the table. */
  readonly tableActions?: readonly `dynamodb:${string}`[];
  /** Environment variables, in addition to the name of the table. */
  readonly variables?: Partial<Record<keyof typeof environment, string>>;
  readonly memorySize: number;
  readonly timeout: Duration;
  /** Receives events whose last attempt failed. */
  readonly lostRuns?: IQueue;
  /** Existing network to run in. */
  readonly network?: Config['vpc'];
  readonly config: Pick<Config, 'protect' | 'logRetentionDays' | 'kmsKeyArn'>;
}

/** A Lambda function with its own role and log group, on the Node version that the tests use. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: IRole;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { entry, table, tableActions = [], variables = {}, lostRuns, network, config, ...options } = props;
    this.logGroup = logGroup(this, 'Logs', config);
    // Not CDK's default, a managed policy that allows writing to every log group of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    table?.grant(this.role, ...tableActions);
    if (table) this.allow(...keyStatements(config, 'dynamodb', ...keyActions(tableActions)));
    if (lostRuns) this.allow(...sendStatements(lostRuns, config));
    this.function = new LambdaFunction(this, 'Function', {
      ...options,
      // CDK's SqsDestination would also allow it to read the queue's attributes.
      ...(lostRuns && { onFailure: { bind: () => ({ destination: lostRuns.queueArn }) } }),
      code: codeOf(entry),
      handler: 'index.handler',
      role: this.role,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      environment: variablesOf({ ...variables, ...(table && { tableName: table.tableName }) }),
      // Writes each console call as one line of JSON.
      loggingFormat: LoggingFormat.JSON,
      logGroup: this.logGroup,
    });
    if (network) this.joinNetwork(network);
  }

  allow(...statements: readonly PolicyStatement[]): void {
    for (const statement of statements) this.role.addToPrincipalPolicy(statement);
  }

  /** Puts the function into existing subnets. CDK's own way would need the VPC's ID too, and allow more. */
  private joinNetwork({ subnets, securityGroups }: NonNullable<Props['network']>): void {
    this.allow(new PolicyStatement({ actions: [...INTERFACE_ACTIONS], resources: ['*'] }));
    acknowledgeWildcards(
      this.role,
      ['*'],
      'AWS supports no resources for describing network interfaces, and Lambda chooses those that it creates.',
    );
    const { defaultChild } = this.function.node;
    (defaultChild as CfnFunction).vpcConfig = { subnetIds: subnets, securityGroupIds: securityGroups };
  }
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions */
const INTERFACE_ACTIONS = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
] as const;

const READ = ['kms:Decrypt', 'kms:DescribeKey'] as const;
/** Lists the rights to the stage's key that DynamoDB requires of those who read the table, or also write it. */
const keyActions = (tableActions: readonly string[]) =>
  tableActions.includes('dynamodb:PutItem')
    ? ([...READ, 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'] as const)
    : READ;

const variablesOf = (values: Partial<Record<keyof typeof environment, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [environment[name as keyof typeof environment], value]),
  );

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Bundles of the package that bin/packages.ts writes. The repository has none. */
const PACKAGED = join(ROOT, 'bundles');

/** Returns a bundle of the package, or one that a process builds: the package must load neither esbuild nor the pages. Both have the same hash. */
function codeOf(entry: Entry): AssetCode {
  if (existsSync(PACKAGED)) return Code.fromAsset(join(PACKAGED, entry));
  const tryBundle = (folder: string) => {
    execFileSync(process.execPath, [join(ROOT, 'bin/bundle.ts'), entry, folder], { stdio: 'inherit' });
    return true;
  };
  // CDK requires an image, and never runs it. The command tells the functions apart in CDK's cache of assets.
  const bundling = { image: DockerImage.fromRegistry('none'), command: [entry], local: { tryBundle } };
  return Code.fromAsset(ROOT, { assetHashType: AssetHashType.OUTPUT, bundling });
}
