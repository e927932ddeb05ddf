import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { Ingest } from '../ingest/ingest.ts';
import type { AlarmTexts } from './alarm-texts.ts';
import { notEmptyAlarm } from './not-empty-alarm.ts';

/** Alarms when a dead-letter queue of the ingest is not empty. */
export function deadLetterAlarms({ crashes, missed }: Ingest, texts: AlarmTexts): CustomMetricGroup {
  const messagesIn = (queue: Queue, label: string) =>
    queue.metricApproximateNumberOfMessagesVisible({ label, statistic: Stats.MAXIMUM });
  return {
    title: 'Dead letters',
    metrics: [
      { metric: messagesIn(crashes, 'crashed'), ...notEmptyAlarm('ingest-crashed', texts) },
      { metric: messagesIn(missed, 'not invoked'), ...notEmptyAlarm('schedule-failing', texts) },
    ],
  };
}
