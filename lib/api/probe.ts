import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { EXPORTS, MANIFEST } from '../../core/backup/export-folder.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import { arnOf, bucketArn } from '../arns.ts';
import { type Config, chainList, probeKeyParameter } from '../config.ts';
import { keyStatements } from '../encrypted-resources.ts';
import { output } from '../output.ts';
import { createSchedules } from '../schedules.ts';
import { ServiceFunction } from '../service-function.ts';
import { urlOf } from './custom-domain.ts';

/** Calls the API every 20 minutes like a client, at the address of clients. So an outage shows when nobody else sends requests. */
export function addProbe(scope: Construct, api: RestApi, bucket: string, config: Config): ServiceFunction {
  const parameter = probeKeyParameter(Stack.of(scope).stackName);
  const probe = new ServiceFunction(scope, 'probe', {
    entry: 'probe',
    description: 'Asks the API for the newest days of each chain, like a client',
    variables: {
      apiUrl: urlOf(api, config),
      probeKeyParameter: parameter,
      offeredChains: chainList(config),
      exportBucket: bucket,
    },
    memorySize: 256,
    timeout: Duration.seconds(60),
    retryAttempts: 0,
    network: config.vpc,
    config,
  });
  const arn = arnOf(scope, 'ssm', 'parameter', parameter.slice(1));
  // What the exports counted, and nothing that they contain.
  const manifests = bucketArn(`${bucket}/${EXPORTS}/*/${MANIFEST}`);
  acknowledgeWildcards(probe.role, [manifests], 'The name of an export is its day.');
  probe.allow(
    new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn] }),
    // Without the right to list, S3 reports a missing manifest as denied.
    new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucketArn(bucket)] }),
    new PolicyStatement({ actions: ['s3:GetObject'], resources: [manifests] }),
    ...keyStatements(config, 's3', 'kms:Decrypt'),
  );
  const schedule = ScheduleExpression.rate(Duration.minutes(20));
  // The alarm notices calls that are missing, and the next one follows soon.
  createSchedules(new Construct(scope, 'ProbeSchedules'), probe.function, undefined, config, {
    Schedule: { description: 'Probes the API', schedule, retryAttempts: 0 },
  });
  const { functionName } = probe.function;
  output(scope, 'ProbeFunctionName', functionName, 'Function that calls the API like a client');
  return probe;
}
