import { fileURLToPath } from 'node:url';
import type { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { environment } from '../lambda/environment.ts';

interface Props {
  /** Name of its file in lambda/, which exports `handler`. */
  readonly entry: string;
  readonly description: string;
  readonly table: TableV2;
  /** All that it may do with the table. */
  readonly tableActions: readonly `dynamodb:${string}`[];
  readonly memorySize: number;
  readonly timeout: Duration;
  /** How often Lambda runs it again by itself after an asynchronous run failed. */
  readonly retryAttempts?: number;
}

/** A function of this service: bundled by esbuild, on the runtime that the tests run on, with logs that end some day. */
export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;

  constructor(scope: Construct, id: string, { entry, table, tableActions, ...props }: Props) {
    super(scope, id);
    this.function = new NodejsFunction(this, 'Function', {
      ...props,
      entry: fileURLToPath(new URL(`../lambda/${entry}.ts`, import.meta.url)),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      environment: { [environment.tableName]: table.tableName },
      // What is logged with console comes out as one JSON object a line.
      loggingFormat: LoggingFormat.JSON,
      logGroup: new LogGroup(this, 'Logs', { retention: RetentionDays.ONE_MONTH }),
      tracing: Tracing.ACTIVE,
      // The pinned SDK is bundled, so that what is tested is what runs.
      bundling: { minify: true, target: 'node24', mainFields: ['module', 'main'], externalModules: [] },
    });
    table.grant(this.function, ...tableActions);
  }
}
