import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

/**
 * Creates a monthly budget of the account: usage plans and the table's limits are targets, which AWS may exceed. It covers everything in
 * the account, because metrics, traces and data transfer carry no tag of the stack. The stage's address learns of a forecast above it.
 */
export function createBudget(
  scope: Construct,
  { budgetUsd, alarms: { email } }: Pick<Config, 'budgetUsd' | 'alarms'>,
): void {
  const subscribers =
    email === undefined || email === 'none' ? [] : [{ subscriptionType: 'EMAIL', address: email }];
  const notify = (notificationType: string) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
    subscribers,
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: Stack.of(scope).stackName,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budgetUsd, unit: 'USD' },
    },
    ...(subscribers.length > 0 && { notificationsWithSubscribers: [notify('FORECASTED'), notify('ACTUAL')] }),
  });
}
