import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type Alarm, MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcards } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import { createAlarm } from '../monitoring/create-alarm.ts';
import type { ServiceFunction } from '../service-function.ts';
import { Gate } from './gate.ts';

/** The canary lasts five minutes, so its alarms must judge single minutes. */
const period = Duration.minutes(1);

/** Releases query functions gradually, and returns to the version before when errors or latency rise. */
export class Canary extends Construct {
  private readonly application = new LambdaApplication(this, 'Application');
  private readonly alarms: readonly Alarm[];
  private readonly role: Role;

  private readonly gate: Gate;

  constructor(scope: Construct, id: string, api: RestApi, config: Config) {
    super(scope, id);
    this.gate = new Gate(this, 'Gate', config);
    this.alarms = releaseAlarms(this, api);
    // Not CDK's default, a managed policy that allows changing every alias of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    this.role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    acknowledgeWildcards(this.role, ['*'], 'CodeDeploy describes alarms without naming them.');
    const { functionArn } = this.gate.gate.function;
    this.role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
  }

  /** Puts a function behind an alias. Returns the alias, which the API invokes. */
  aliasOf({ node, function: query }: ServiceFunction): Alias {
    // CDK's classes do not match its interfaces under exactOptionalPropertyTypes.
    const version = query.currentVersion as IVersion;
    const alias = new Alias(this, node.id, { aliasName: 'live', version });
    this.gate.tryVersion(node.id, version);
    // CloudFormation would not know that the update of the alias calls it.
    alias.node.addDependency(this.gate);
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
      preHook: this.gate.gate.function,
    });
    return alias;
  }
}

/** Creates alarms with the stage's thresholds. They mail no one: a canary returns on its own, and api-errors and api-slow watch the API. */
function releaseAlarms(scope: Construct, api: RestApi): Alarm[] {
  const alarm = (subject: string, value: Metric, enough: number, threshold: number) => {
    const requests = api.metricCount({ period, statistic: Stats.SAMPLE_COUNT });
    const metric = new MathExpression({
      expression: `IF(requests >= ${enough}, value)`,
      usingMetrics: { value, requests },
      period,
    });
    const created = createAlarm(scope, 'release-failing', { metric, threshold, subject });
    acknowledge(
      created,
      'CodeDeploy reads its state, and needs no action.',
      'cdk-validator-cfnguard::cloudwatch_alarm_action_check',
    );
    return created;
  };
  return [
    alarm('errors', api.metricServerError({ period, statistic: Stats.AVERAGE }), 4, 0.01),
    alarm('latency', api.metricLatency({ period, statistic: Stats.p(99) }), 20, 2_000),
  ];
}
