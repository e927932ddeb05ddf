import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { IRestApi } from 'aws-cdk-lib/aws-apigateway';
import { AlarmStatusWidget, type IAlarm, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { BillingMode, type ITable, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  type ApiGatewayMonitoringProps,
  type CustomMetricGroup,
  type CustomMonitoringProps,
  DefaultDashboardFactory,
  LatencyType,
  MonitoringFacade,
  SnsAlarmActionStrategy,
} from 'cdk-monitoring-constructs';
import { Construct } from 'constructs';
import { API_STAGE } from '../api/logs.ts';
import type { QueryApi } from '../api/query-api.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { Config } from '../config.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { type AlarmTexts, alarmTextsOf } from './alarm-texts.ts';
import { alarmTopic } from './alarm-topic.ts';
import {
  backfillAlarm,
  type ChainMetrics,
  chainMetrics,
  deadLetterAlarms,
  failingEventsAlarm,
  failingIngestAlarm,
  staleDataAlarm,
  throttledTableAlarms,
} from './alarms.ts';
import { chainGraphs, costGraphs, functionGraphs } from './graphs.ts';

interface Props {
  readonly table: TableV2;
  readonly ingest: Ingest;
  readonly backfill: Backfill;
  readonly api: QueryApi;
  readonly config: Config;
}

/** One dashboard, from the freshness of the data to its cost, and the alarms. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { table, ingest, backfill, api, config }: Props) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const facade = createFacade(this, config);
    const texts = alarmTextsOf(stackName);
    const chains = config.chains.map(({ name }) => chainMetrics(stackName, name));
    const functions = [ingest.ingest, ...api.functions];

    // Rendered at synthesis, so that the widget comes first although its alarms are created after it.
    const alarms: IAlarm[] = [];
    facade
      .addWidget(new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 5 }))
      .addWidget(ageWidget(chains))
      .monitorCustom(
        group('Chains', 'chains', [
          staleDataAlarm(chains, config.alarms.dataOlderThanHours, texts),
          failingIngestAlarm(chains, texts),
          failingEventsAlarm(stackName, texts),
          ...chainGraphs(stackName, chains),
          backfillAlarm(backfill.stateMachine, texts),
        ]),
      )
      .monitorApiGateway(apiMonitoring(api, config.alarms, texts))
      .monitorCustom(
        group('Functions', 'functions', [...functionGraphs(functions), deadLetterAlarms(ingest, texts)]),
      )
      .monitorDynamoTable({
        table: table as ITable,
        humanReadableName: 'Table',
        billingMode: BillingMode.PAY_PER_REQUEST,
      })
      .monitorCustom(group('Table limits', 'table-limits', [throttledTableAlarms(table, texts)]))
      .monitorCustom({
        ...group('Cost', 'costs', costGraphs({ table, api: api.api, functions })),
        description: 'Hourly usage; docs/cost.md lists the prices.',
      });
    alarms.push(...facade.createdAlarms().map(({ alarm }) => alarm));
  }
}

const group = (
  humanReadableName: string,
  alarmFriendlyName: string,
  metricGroups: CustomMetricGroup[],
): CustomMonitoringProps => ({ humanReadableName, alarmFriendlyName, metricGroups });

const ageWidget = (chains: readonly ChainMetrics[]) =>
  new SingleValueWidget({
    title: 'Hours since the newest complete day ended (healthy: at most 24.5)',
    metrics: chains.map(({ dataAge }) => dataAge),
    width: 24,
    height: 3,
  });

function createFacade(scope: Construct, config: Config): MonitoringFacade {
  const { stackName, region } = Stack.of(scope);
  // Dashboard names are unique per account, across regions.
  const dashboardName = `${stackName}-${region}`;
  new CfnOutput(scope, 'DashboardName', { key: 'DashboardName', value: dashboardName });
  const onAlarmTopic = alarmTopic(scope, config);
  const dashboardFactory = new DefaultDashboardFactory(scope, 'Dashboards', {
    dashboardNamePrefix: dashboardName,
    detailDashboardRange: Duration.days(2),
    createSummaryDashboard: false,
  });
  return new MonitoringFacade(scope, 'Facade', {
    alarmFactoryDefaults: {
      alarmNamePrefix: stackName,
      actionsEnabled: true,
      action: new SnsAlarmActionStrategy({ onAlarmTopic, onOkTopic: onAlarmTopic }),
    },
    dashboardFactory,
  });
}

const apiMonitoring = (
  { api }: QueryApi,
  { errorPercent, p99Milliseconds }: Config['alarms'],
  texts: AlarmTexts,
): ApiGatewayMonitoringProps => ({
  // CDK's classes do not match its interfaces under exactOptionalPropertyTypes.
  api: api as IRestApi,
  apiStage: API_STAGE,
  humanReadableName: 'API',
  latencyTypesToRender: [LatencyType.P50, LatencyType.P99],
  add5XXFaultRateAlarm: {
    Critical: {
      ...texts('api-errors'),
      maxErrorRate: errorPercent / 100,
      // Ignores one failure of three requests at night, but not an outage at one request per minute.
      minSampleCountToEvaluateDatapoint: 4,
      datapointsToAlarm: 2,
      evaluationPeriods: 3,
    },
  },
  addLatencyP99Alarm: {
    Critical: {
      ...texts('api-slow'),
      maxLatency: Duration.millis(p99Milliseconds),
      minSampleCountToEvaluateDatapoint: 100,
      datapointsToAlarm: 3,
    },
  },
});
