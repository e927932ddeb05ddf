import { Annotations, type Stack } from 'aws-cdk-lib';
import { neededConcurrency } from './concurrency.ts';
import type { Config } from './config.ts';
import { regionsWithoutBudgets } from './stages/budget-regions.ts';

/** Lets `cdk synth` say which limits of an account and region matter to a stage: CloudFormation reports them late, or never. */
export function explainLimits(stack: Stack, config: Config): void {
  const { total, parts } = neededConcurrency(config);
  const notes = [
    `Concurrency: this stage runs up to ${total} functions at once (${parts}). A new account allows 10: requests then fail while the ` +
      'ingest catches up. Ask for more under Service Quotas: AWS Lambda, Concurrent executions (L-B99A9384).',
    ...(config.budgetUsd !== undefined && config.env === undefined
      ? [`Regions: with budgetUsd, the deployment fails in ${regionsWithoutBudgets.join(', ')}.`]
      : []),
    ...(config.budgetUsd === undefined
      ? ['Budget: none. Nothing mails you when the account costs more than planned: budgetUsd.']
      : []),
  ];
  for (const note of notes) Annotations.of(stack).addInfo(note);
}
