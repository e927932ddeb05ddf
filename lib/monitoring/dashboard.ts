import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  SingleValueWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { QueryApi } from '../api/query-api.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { MetricsTable } from '../metrics-table.ts';
import type { ServiceFunction } from '../service-function.ts';
import { type ChainMetrics, openConflicts } from './metrics.ts';
import { graphQueries } from './queries.ts';

interface Resources {
  readonly chains: readonly ChainMetrics[];
  readonly alarms: readonly IAlarm[];
  readonly table: MetricsTable['table'];
  readonly ingest: Ingest;
  readonly backfill: Backfill;
  readonly api: QueryApi;
  readonly functions: readonly ServiceFunction[];
}

/** Creates the dashboard: alarms, freshness, the ingest, the API, the functions, cost. A dashboard with more than 50 metrics costs more. */
export function createDashboard(scope: Construct, resources: Resources): void {
  const { stackName, region } = Stack.of(scope);
  // Dashboard names are unique per account, across regions.
  const dashboardName = `${stackName}-${region}`;
  new CfnOutput(scope, 'DashboardName', { key: 'DashboardName', value: dashboardName });
  const { chains, alarms } = resources;
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName, defaultInterval: Duration.days(2) });
  dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 6 }));
  dashboard.addWidgets(
    new SingleValueWidget({
      title: 'Hours since the newest complete day ended (healthy: at most 24.5)',
      metrics: chains.map(({ dataAge }) => dataAge),
      width: 24,
      height: 3,
    }),
  );
  dashboard.addWidgets(...ingestWidgets(resources));
  dashboard.addWidgets(...apiWidgets(resources));
  dashboard.addWidgets(...functionWidgets(resources));
}

const graph = (title: string, metrics: readonly IMetric[]): IWidget =>
  new GraphWidget({ title, left: [...metrics], width: 8 });

const logGraph = (
  title: string,
  queryString: string,
  functions: readonly ServiceFunction[],
  isTable = false,
): IWidget =>
  new LogQueryWidget({
    title,
    logGroupNames: functions.map(({ logGroup }) => logGroup.logGroupName),
    queryString,
    view: isTable ? LogQueryVisualizationType.TABLE : LogQueryVisualizationType.LINE,
    width: 8,
  });

function ingestWidgets({ chains, ingest: { ingest, lostRuns }, backfill }: Resources): IWidget[] {
  const log = (title: keyof typeof graphQueries, isTable = false) =>
    logGraph(title, graphQueries[title], [ingest], isTable);
  const hourly = { period: Duration.hours(1) };
  return [
    graph(
      'Hours since the newest final block that a run could read',
      chains.map(({ headAge }) => headAge),
    ),
    log('Failed runs an hour'),
    log('Hours behind the newest final block'),
    log('Blocks an hour'),
    log('Faults of nodes', true),
    graph('Needs a person', [
      openConflicts(Stack.of(ingest).stackName),
      lostRuns.metricNumberOfMessagesSent({ ...hourly, label: 'lost runs' }),
      backfill.stateMachine.metricFailed({ ...hourly, label: 'failed backfills' }),
    ]),
  ];
}

function apiWidgets({ api: { api }, table }: Resources): IWidget[] {
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  const latency = (percentile: number) =>
    api.metricLatency({ statistic: Stats.p(percentile), label: `p${percentile}` });
  return [
    graph('Requests an hour', [
      api.metricCount({ ...hourly, label: 'requests' }),
      api.metricClientError({ ...hourly, label: '4xx' }),
      api.metricServerError({ ...hourly, label: '5xx' }),
    ]),
    graph('Latency of the API (ms)', [latency(50), latency(99)]),
    graph('Table units an hour', [
      table.metricConsumedReadCapacityUnits({ ...hourly, label: 'read' }),
      table.metricConsumedWriteCapacityUnits({ ...hourly, label: 'written' }),
    ]),
  ];
}

function functionWidgets({ functions }: Resources): IWidget[] {
  return [
    graph(
      'Duration, p99 (ms)',
      functions.map(({ node, function: one }) =>
        one.metricDuration({ label: node.id, statistic: Stats.p(99) }),
      ),
    ),
    graph(
      'Errors',
      functions.map(({ node, function: one }) => one.metricErrors({ label: node.id })),
    ),
    // All functions of an account share its concurrency.
    graph('Throttles in the account', [LambdaFunction.metricAllThrottles({ label: 'all functions' })]),
    logGraph('GB-seconds an hour', graphQueries['GB-seconds an hour'], functions),
  ];
}
