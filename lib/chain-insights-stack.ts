import { Annotations, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import cdk from '../cdk.json' with { type: 'json' };
import { QueryApi } from './api/query-api.ts';
import { Backfill } from './backfill/backfill.ts';
import { Backup } from './backup/backup.ts';
import { shareConcurrency } from './concurrency.ts';
import { type Config, parseStage, requireOwner, type Stage } from './config.ts';
import { Ingest } from './ingest/ingest.ts';
import { MetricsTable } from './metrics-table.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { regionsWithoutBudgets } from './stages/budget-regions.ts';

export type { Stage };

/** The service: a table with a daily export, a scheduled ingest and a backfill that write it, an API that reads it, and their monitoring. */
export class ChainInsightsStack extends Stack {
  /** @throws Error that lists each wrong field of the stage with its allowed values */
  constructor(scope: Construct, id: string, stage: Stage) {
    const config = parseStage(stage, 'stage', `of ${id}`);
    requireOwner(id, config);
    super(scope, id, {
      description: 'Exact daily transaction counts and fees of EVM chains',
      terminationProtection: config.protect,
      ...(config.env && { env: config.env }),
    });
    // The template does not depend on the feature flags of the app that holds the stack.
    for (const [flag, value] of Object.entries(cdk.context)) this.node.setContext(flag, value);
    explainLimits(this, config);

    const { table } = new MetricsTable(this, 'Metrics', config);
    const ingest = new Ingest(this, 'Ingest', { table, config });
    const backup = new Backup(this, 'Backup', { table, lostRuns: ingest.lostRuns, config });
    const backfill = new Backfill(this, 'Backfill', { ingest: ingest.ingest.function, config });
    const api = new QueryApi(this, 'Api', { table, exportBucket: backup.bucketName, config });
    new Monitoring(this, 'Monitoring', { table, ingest, exporter: backup.exporter, backfill, api, config });
  }
}

/** Concurrent executions of a new account. */
const NEW_ACCOUNT = 10;

/** Lets `cdk synth` say which limits of an account and region matter to a stage: CloudFormation reports them late, or never. */
function explainLimits(stack: Stack, config: Config): void {
  const note = (text: string) => Annotations.of(stack).addInfo(text);
  note(
    `Concurrency: a new account allows ${shareConcurrency(config, NEW_ACCOUNT).summary}. Ask for more under Service Quotas: AWS Lambda, ` +
      'Concurrent executions (L-B99A9384).',
  );
  if (config.budgetUsd === undefined)
    note('Budget: none. Nothing emails you when the account costs more than planned: budgetUsd.');
  else if (config.env === undefined)
    note(`Regions: with budgetUsd, the deployment fails in ${regionsWithoutBudgets.join(', ')}.`);
}
