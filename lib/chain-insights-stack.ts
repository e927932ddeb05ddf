import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { QueryApi } from './api/query-api.ts';
import { Backfill } from './backfill/backfill.ts';
import { Backup } from './backup/backup.ts';
import { type Config, requireAlarmTarget } from './config.ts';
import { Ingest } from './ingest/ingest.ts';
import { MetricsTable } from './metrics-table.ts';
import { Monitoring } from './monitoring/monitoring.ts';

/** The service: a table with a daily export, a scheduled ingest and a backfill that write it, an API that reads it, and their monitoring. */
export class ChainInsightsStack extends Stack {
  constructor(scope: Construct, id: string, config: Config) {
    requireAlarmTarget(id, config);
    super(scope, id, {
      description: 'Exact daily transaction counts and fees of EVM chains',
      terminationProtection: config.protect,
      ...(config.env && { env: config.env }),
    });

    const { table } = new MetricsTable(this, 'Metrics', config);
    const ingest = new Ingest(this, 'Ingest', { table, config });
    new Backup(this, 'Backup', { table, crashes: ingest.crashes, missed: ingest.missed, config });
    const backfill = new Backfill(this, 'Backfill', { ingest: ingest.ingest.function, config });
    const api = new QueryApi(this, 'Api', { table, config });
    // So that no row of a new version is written while a canary may still return to the old one.
    ingest.ingest.function.node.addDependency(...api.released);
    new Monitoring(this, 'Monitoring', { table, ingest, backfill, api, config });
  }
}
