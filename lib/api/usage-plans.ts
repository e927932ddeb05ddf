import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Period, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

/**
 * Throttles each API key by the usage plan of its tier, with a monthly quota. Keys are added to plans by the command line, so that
 * no key is part of the template.
 */
export function addUsagePlans(scope: Construct, api: RestApi, tiers: Config['tiers']): void {
  for (const [name, { ratePerSecond, burst, requestsPerMonth }] of Object.entries(tiers)) {
    const plan = api.addUsagePlan(`Tier-${name}`, {
      name: `${Stack.of(scope).stackName}-${name}`,
      description: `Limits of each key of the tier ${name}`,
      apiStages: [{ stage: api.deploymentStage }],
      throttle: { rateLimit: ratePerSecond, burstLimit: burst },
      quota: { limit: requestsPerMonth, period: Period.MONTH },
    });
    new CfnOutput(scope, `UsagePlanId-${name}`, {
      key: `UsagePlanId${name.replace(/^./, (first) => first.toUpperCase())}`,
      value: plan.usagePlanId,
      description: `Usage plan of the keys of the tier ${name}`,
    });
  }
}
