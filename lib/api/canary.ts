import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, MathExpression, type Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcards } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import { alarmTextsOf } from '../monitoring/alarm-texts.ts';
import type { ServiceFunction } from '../service-function.ts';

/** The canary lasts five minutes, so its alarms must judge single minutes. */
const period = Duration.minutes(1);

/** Releases query functions gradually, and returns to the version before when errors or latency rise. */
export class Canary extends Construct {
  private readonly application = new LambdaApplication(this, 'Application');
  private readonly alarms: readonly Alarm[];
  private readonly role: Role;

  constructor(scope: Construct, id: string, api: RestApi, config: Pick<Config, 'alarms'>) {
    super(scope, id);
    this.alarms = releaseAlarms(this, api, config.alarms);
    // Not CDK's default, a managed policy that allows changing every alias of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    this.role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    acknowledgeWildcards(this.role, ['*'], 'CodeDeploy describes alarms without naming them.');
  }

  /** Puts a function behind an alias. Returns the alias, which the API invokes. */
  aliasOf({ node, function: query }: ServiceFunction): IFunction {
    // CDK's classes do not match its interfaces under exactOptionalPropertyTypes.
    const version = query.currentVersion as IVersion;
    const alias = new Alias(this, node.id, { aliasName: 'live', version });
    this.role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        resources: [query.functionArn, alias.functionArn],
      }),
    );
    new LambdaDeploymentGroup(this, `Group-${node.id}`, {
      application: this.application,
      alias,
      role: this.role.withoutPolicyUpdates(),
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...this.alarms],
    });
    return alias as IFunction;
  }
}

/** Creates alarms with the stage's thresholds. They mail no one: a canary returns on its own, and api-errors and api-slow watch the API. */
function releaseAlarms(
  scope: Construct,
  api: RestApi,
  { errorPercent, p99Milliseconds }: Config['alarms'],
): Alarm[] {
  const texts = alarmTextsOf(Stack.of(scope).stackName);
  const alarm = (subject: string, metric: Metric, requests: number, threshold: number) => {
    const { alarmNameOverride, alarmDescriptionOverride } = texts('release-failing', subject);
    const created = new Alarm(scope, `Alarm-${subject}`, {
      alarmName: alarmNameOverride,
      alarmDescription: alarmDescriptionOverride,
      metric: new MathExpression({
        expression: `IF(requests >= ${requests}, value)`,
        usingMetrics: { value: metric, requests: api.metricCount({ period, statistic: Stats.SAMPLE_COUNT }) },
        period,
      }),
      threshold,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    acknowledge(
      created,
      'CodeDeploy reads its state, and needs no action.',
      'cdk-validator-cfnguard::cloudwatch_alarm_action_check',
    );
    return created;
  };
  return [
    alarm('errors', api.metricServerError({ period, statistic: Stats.AVERAGE }), 4, errorPercent / 100),
    alarm('latency', api.metricLatency({ period, statistic: Stats.p(99) }), 20, p99Milliseconds),
  ];
}
