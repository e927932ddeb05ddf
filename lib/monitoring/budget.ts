import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { type Config, mailedAddress } from '../config.ts';

/**
 * Creates a monthly budget of the account, if the stage has one: usage plans and the table's limits are targets, which AWS may exceed. It
 * covers everything in the account, because metrics and data transfer carry no tag of the stack. It has no name: names are unique in an
 * account, and another address replaces it.
 */
export function createBudget(scope: Construct, config: Pick<Config, 'budgetUsd' | 'alarmEmail'>): void {
  const address = mailedAddress(config);
  if (config.budgetUsd === undefined || address === undefined) return;
  const notify = (notificationType: string) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
    subscribers: [{ subscriptionType: 'EMAIL', address }],
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: config.budgetUsd, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('FORECASTED'), notify('ACTUAL')],
  });
}
