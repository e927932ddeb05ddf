import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { QueryApi } from '../api/query-api.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { Config } from '../config.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { createAlarms } from './alarms.ts';
import { createBudget } from './budget.ts';
import { createDashboard } from './dashboard.ts';
import { chainMetrics, ingestMetrics } from './metrics.ts';
import { saveQueries } from './queries.ts';

interface Props {
  readonly table: TableV2;
  readonly ingest: Ingest;
  readonly backfill: Backfill;
  readonly api: QueryApi;
  readonly config: Config;
}

/** The alarms with their mails, one dashboard, saved queries of the logs, and a budget. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { ingest, api, config } = props;
    const { stackName } = Stack.of(this);
    const chains = config.chains.map(({ name }) => chainMetrics(stackName, name));
    const all = ingestMetrics(stackName);
    const alarms = createAlarms(this, { ...props, chains, all });
    const functions = [ingest.ingest, ...api.functions];
    createDashboard(this, { ...props, chains, all, alarms, functions });
    saveQueries(this, ingest.ingest, api.functions);
    createBudget(this, config);
  }
}
