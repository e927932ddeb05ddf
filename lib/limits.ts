import { Annotations, type Stack } from 'aws-cdk-lib';
import { shareConcurrency } from './concurrency.ts';
import type { Config } from './config.ts';
import { regionsWithoutBudgets } from './stages/budget-regions.ts';

/** Concurrent executions of a new account. */
const NEW_ACCOUNT = 10;

/** Lets `cdk synth` say which limits of an account and region matter to a stage: CloudFormation reports them late, or never. */
export function explainLimits(stack: Stack, config: Config): void {
  const notes = [
    `Concurrency: a new account allows ${shareConcurrency(config, NEW_ACCOUNT).summary}. Ask for more under Service Quotas: AWS Lambda, ` +
      'Concurrent executions (L-B99A9384).',
    ...(config.budgetUsd !== undefined && config.env === undefined
      ? [`Regions: with budgetUsd, the deployment fails in ${regionsWithoutBudgets.join(', ')}.`]
      : []),
    ...(config.budgetUsd === undefined
      ? ['Budget: none. Nothing mails you when the account costs more than planned: budgetUsd.']
      : []),
  ];
  for (const note of notes) Annotations.of(stack).addInfo(note);
}
