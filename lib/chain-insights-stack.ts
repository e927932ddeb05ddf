import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { IngestSchedule } from './ingest-schedule.ts';
import { MetricsTable } from './metrics-table.ts';
import { QueryApi } from './query-api.ts';

/** The service: a table, a scheduled ingest that fills it, and an API that answers from it. */
export class ChainInsightsStack extends Stack {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, { description: 'Exact daily transaction counts and fees of EVM chains' });

    const { table } = new MetricsTable(this, 'Metrics');
    new IngestSchedule(this, 'Ingest', { table, config });
    new QueryApi(this, 'Api', { table, config });
  }
}
