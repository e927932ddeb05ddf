import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EXPORTS } from '../../core/backup/export-folder.ts';
import { PUBLIC_DAYS_OBJECT, PUBLIC_FOLDER } from '../../lambda/pages/paths.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import { bucketArn } from '../arns.ts';
import { type Config, chainList } from '../config.ts';
import { keyStatements, privateBucket } from '../encrypted-resources.ts';
import { output } from '../output.ts';
import { createSchedules } from '../schedules.ts';
import { ServiceFunction } from '../service-function.ts';

interface Props {
  readonly table: TableV2;
  /** Receives exports that failed or could not start. */
  readonly lostRuns: IQueue;
  readonly config: Config;
}

/** A daily export of the table to a bucket, which the command `import` restores. Its function also sends the daily email. */
export class Backup extends Construct {
  readonly bucketName: string;
  readonly exporter: ServiceFunction;

  constructor(scope: Construct, id: string, { table, lostRuns, config }: Props) {
    super(scope, id);
    const bucketName = config.exportBucket ?? privateBucket(this, 'Exports', config, EXPORTS_KEPT).bucketName;
    this.bucketName = bucketName;
    const { publicDays, publicFiles } = config.pages ?? {};
    this.exporter = new ServiceFunction(this, 'Export', {
      entry: 'export',
      description: 'Exports the final days and the coverage of the table to a bucket, and emails notices',
      table,
      tableActions: ['dynamodb:GetItem', 'dynamodb:Query'],
      variables: {
        exportBucket: bucketName,
        offeredChains: chainList(config),
        ...(publicDays !== undefined && { publicDays: String(publicDays) }),
        ...(publicFiles !== undefined && { publicFiles }),
        ...(config.compareWith !== undefined && { compareWith: config.compareWith }),
      },
      memorySize: 512,
      // 100 chains with ten years each take about six, by the CPU that this memory gives.
      timeout: Duration.minutes(15),
      retryAttempts: 2,
      maxEventAge: MAX_DELAY,
      lostRuns,
      network: config.vpc,
      config,
    });
    const { function: exporter } = this.exporter;
    allowObjects(this.exporter, bucketName, config);
    createSchedules(this, exporter, lostRuns, config, {
      Daily: {
        description: 'Exports the table',
        // The day before is usually final by then (UTC).
        schedule: ScheduleExpression.cron({ minute: '30', hour: '2' }),
        maxEventAge: MAX_DELAY,
        retryAttempts: 10,
      },
    });
    output(this, 'ExportBucketName', bucketName, 'Bucket with the daily exports of the table');
    output(this, 'ExportFunctionName', exporter.functionName, 'Function to invoke for an export now');
  }
}

/** Lets the export write its objects, and read yesterday's manifest, which shows whether it shrank. */
function allowObjects(exporter: ServiceFunction, bucketName: string, config: Config): void {
  const objects = bucketArn(`${bucketName}/${EXPORTS}/*`);
  acknowledgeWildcards(exporter.role, [objects], 'The names of the objects contain the day.');
  exporter.allow(
    // Without the right to list, S3 reports a missing manifest as denied.
    new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucketArn(bucketName)] }),
    new PolicyStatement({ actions: ['s3:GetObject', 's3:PutObject'], resources: [objects] }),
    ...keyStatements(config, 's3', 'kms:Decrypt', 'kms:GenerateDataKey'),
  );
  allowOpenObjects(exporter, bucketName, config, 's3:PutObject');
}

/** Allows an action on the objects that a stage opens to everyone. */
export function allowOpenObjects(
  of: ServiceFunction,
  bucketName: string,
  { pages }: Config,
  action: 's3:GetObject' | 's3:PutObject',
): void {
  const all = bucketArn(`${bucketName}/${PUBLIC_FOLDER}*`);
  const resources = [
    ...(pages?.publicDays === undefined ? [] : [bucketArn(`${bucketName}/${PUBLIC_DAYS_OBJECT}`)]),
    ...(pages?.publicFiles === undefined ? [] : [all]),
  ];
  if (resources.includes(all)) acknowledgeWildcards(of.role, [all], 'Each chain has files of its own.');
  if (resources.length > 0) of.allow(new PolicyStatement({ actions: [action], resources }));
}

/** As long as point-in-time recovery reaches back. A version keeps an export that another of the same day replaces. */
const EXPORTS_KEPT = { keptDays: 35, isVersioned: true };
/** Time in which an export is tried again. The next one is due long after. */
const MAX_DELAY = Duration.hours(6);
