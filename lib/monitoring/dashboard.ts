import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  SingleValueWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { output } from '../output.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Resources } from './alarms.ts';
import { hoursLate, openConflicts } from './metrics.ts';
import { graphQueries } from './queries.ts';

/** Creates the dashboard: alarms, freshness, the ingest, the API, the functions, cost. A dashboard with more than 50 metrics costs more. */
export function createDashboard(scope: Construct, resources: Resources, alarms: readonly IAlarm[]): void {
  const { stackName, region } = Stack.of(scope);
  // Dashboard names are unique per account, across regions.
  const dashboardName = `${stackName}-${region}`;
  output(scope, 'DashboardName', dashboardName);
  const late = {
    title:
      'Hours late: since the newest final block that a run could read, or since the newest day was due (healthy: below 1)',
    metrics: resources.chains.map((chain) => hoursLate(stackName, chain)),
  };
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName, defaultInterval: Duration.days(2) });
  dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 6 }));
  dashboard.addWidgets(new SingleValueWidget({ ...late, sparkline: true, width: 24, height: 4 }));
  dashboard.addWidgets(...ingestGraphs(resources));
  dashboard.addWidgets(...apiGraphs(resources));
  dashboard.addWidgets(...functionGraphs(resources));
}

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 8 });

const logGraph = (
  title: keyof typeof graphQueries,
  functions: readonly ServiceFunction[],
  view = LogQueryVisualizationType.LINE,
) => {
  const logGroupNames = functions.map(({ logGroup }) => logGroup.logGroupName);
  return new LogQueryWidget({ title, logGroupNames, queryString: graphQueries[title], view, width: 8 });
};

const HOURLY = { period: Duration.hours(1), statistic: Stats.SUM };

const ingestGraphs = ({ ingest: { ingest, lostRuns }, backfill, described }: Resources) => [
  logGraph('Failed runs an hour', [ingest]),
  logGraph('Hours behind the newest final block', [ingest]),
  logGraph('Blocks an hour', [ingest]),
  logGraph('Faults of nodes', [ingest], LogQueryVisualizationType.TABLE),
  graph('Needs a person', [
    openConflicts(described.stackName),
    lostRuns.metricNumberOfMessagesSent({ ...HOURLY, label: 'lost runs' }),
    backfill.stateMachine.metricFailed({ ...HOURLY, label: 'failed backfills' }),
  ]),
];

const apiGraphs = ({ api: { api }, table }: Resources) => [
  graph('Requests an hour', [
    api.metricCount({ ...HOURLY, label: 'requests' }),
    api.metricClientError({ ...HOURLY, label: '4xx' }),
    api.metricServerError({ ...HOURLY, label: '5xx' }),
  ]),
  graph(
    'Latency of the API (ms)',
    [50, 99].map((p) => api.metricLatency({ statistic: Stats.p(p), label: `p${p}` })),
  ),
  graph('Table units an hour', [
    table.metricConsumedReadCapacityUnits({ ...HOURLY, label: 'read' }),
    table.metricConsumedWriteCapacityUnits({ ...HOURLY, label: 'written' }),
  ]),
];

function functionGraphs({ ingest, api }: Resources) {
  const all = [ingest.ingest, ...api.functions];
  return [
    graph(
      'Errors',
      all.map(({ node, function: one }) => one.metricErrors({ label: node.id })),
    ),
    // All functions of an account share its concurrency.
    graph('Throttles in the account', [LambdaFunction.metricAllThrottles({ label: 'all functions' })]),
    logGraph('GB-seconds an hour', all),
  ];
}
