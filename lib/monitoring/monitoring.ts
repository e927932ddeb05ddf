import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { IRestApi } from 'aws-cdk-lib/aws-apigateway';
import { AlarmStatusWidget, type IAlarm, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { BillingMode, type ITable, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  DefaultDashboardFactory,
  LatencyType,
  MonitoringFacade,
  SnsAlarmActionStrategy,
} from 'cdk-monitoring-constructs';
import { Construct } from 'constructs';
import { API_STAGE } from '../api/logs.ts';
import type { QueryApi } from '../api/query-api.ts';
import type { Backfill } from '../backfill.ts';
import type { Config } from '../config.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { alarmTopic } from './alarm-topic.ts';
import { alarmTextsOf } from './alarms.ts';
import { backfillGroup } from './backfill.ts';
import { chainGroups, chainMetrics } from './chains.ts';
import { costGroups } from './costs.ts';
import { deadLetters, functionGroups } from './functions.ts';

interface Props {
  readonly table: TableV2;
  readonly ingest: Ingest;
  readonly backfill: Backfill;
  readonly api: QueryApi;
  readonly config: Config;
}

/** One dashboard, from the figures' freshness down to what they cost, and the alarms. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { table, ingest, backfill, api, config }: Props) {
    super(scope, id);
    const { stackName, region } = Stack.of(this);
    // Dashboards are named for the whole account, whatever the region.
    const dashboardName = `${stackName}-${region}`;
    const onAlarmTopic = alarmTopic(this, config.alarms);
    const dashboards = new DefaultDashboardFactory(this, 'Dashboards', {
      dashboardNamePrefix: dashboardName,
      detailDashboardRange: Duration.days(2),
      createSummaryDashboard: false,
    });
    const facade = new MonitoringFacade(this, 'Facade', {
      alarmFactoryDefaults: {
        alarmNamePrefix: stackName,
        actionsEnabled: true,
        action: new SnsAlarmActionStrategy({ onAlarmTopic, onOkTopic: onAlarmTopic }),
      },
      dashboardFactory: dashboards,
    });
    const texts = alarmTextsOf(stackName);
    const throttled = (what: string) => ({
      Critical: { ...texts('table-throttled', what), maxThrottledEventsThreshold: 0, datapointsToAlarm: 2 },
    });

    // Rendered when all is there; so it can be the first thing on the dashboard, and hold what is made after it.
    const alarms: IAlarm[] = [];
    const chains = config.chains.map(({ name }) => chainMetrics(stackName, name));
    facade
      .addWidget(new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 5 }))
      .addWidget(
        new SingleValueWidget({
          title: 'Hours since the newest complete day ended: in health at most 24 and a half',
          metrics: chains.map(({ dataAge }) => dataAge),
          width: 24,
          height: 3,
        }),
      )
      .monitorCustom({
        humanReadableName: 'Chains',
        alarmFriendlyName: 'chains',
        metricGroups: [
          ...chainGroups(stackName, chains, config.alarms, texts),
          backfillGroup(backfill.stateMachine, texts),
        ],
      })
      .monitorApiGateway({
        // CDK's own classes do not fit their interfaces under exactOptionalPropertyTypes.
        api: api.api as IRestApi,
        apiStage: API_STAGE,
        humanReadableName: 'API',
        latencyTypesToRender: [LatencyType.P50, LatencyType.P99],
        add5XXFaultRateAlarm: {
          Critical: {
            ...texts('api-errors'),
            maxErrorRate: config.alarms.errorPercent / 100,
            // One failure of three requests at night wakes nobody; an outage at a request a minute does.
            minSampleCountToEvaluateDatapoint: 4,
            datapointsToAlarm: 2,
            evaluationPeriods: 3,
          },
        },
        addLatencyP99Alarm: {
          Critical: {
            ...texts('api-slow'),
            maxLatency: Duration.millis(config.alarms.p99Milliseconds),
            minSampleCountToEvaluateDatapoint: 100,
            datapointsToAlarm: 3,
          },
        },
      })
      .monitorCustom({
        humanReadableName: 'Functions',
        alarmFriendlyName: 'functions',
        metricGroups: [...functionGroups([ingest.ingest, ...api.functions]), deadLetters(ingest, texts)],
      })
      .monitorDynamoTable({
        table: table as ITable,
        humanReadableName: 'Table',
        billingMode: BillingMode.PAY_PER_REQUEST,
        addReadThrottledEventsCountAlarm: throttled('reads'),
        addWriteThrottledEventsCountAlarm: throttled('writes'),
      })
      .monitorCustom({
        humanReadableName: 'What it costs',
        alarmFriendlyName: 'costs',
        description: 'Each by day; docs/cost.md has the prices.',
        metricGroups: costGroups({ table, api: api.api, functions: [ingest.ingest, ...api.functions] }),
      });
    alarms.push(...facade.createdAlarms().map(({ alarm }) => alarm));

    new CfnOutput(this, 'DashboardName', { key: 'DashboardName', value: dashboardName });
  }
}
