import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Manifest } from '../core/backup/export-files.ts';
import { chainStore, type TableReader } from '../core/store/table/table.ts';
import { chainFindings, plural } from './daily-findings.ts';
import { fromEnvironment, offeredChains } from './environment.ts';

const [cloudWatch, sns] = [new CloudWatchClient({}), new SNSClient({})];

/**
 * Emails what can wait for the morning, if there is anything: notices of a day, and what today's export shows beside yesterday's.
 * @param problems of the export itself
 */
export async function sendDailyMail(
  table: TableReader,
  now: Manifest,
  reading: Promise<Manifest | undefined>,
  problems: readonly string[],
): Promise<void> {
  const stackName = fromEnvironment('stackName');
  const stage = stackName.replace(/^ChainInsights-/, '');
  const before = await reading.catch((error: Error) => error);
  const exports = { now, before: before instanceof Error ? undefined : before };
  const found = await Promise.all([
    orUnknown('the alarms', openNotices(stackName)),
    ...offeredChains().map((chain) =>
      orUnknown(chain, chainFindings(chainStore(table, chain), chain, exports, stage)),
    ),
  ]);
  const findings = [...problems, ...(before instanceof Error ? [unreadable(before)] : []), ...found.flat()];
  if (findings.length === 0) return;
  await sns.send(
    new PublishCommand({
      TopicArn: fromEnvironment('noticeTopic'),
      Subject: `${stackName}: ${plural(findings.length, 'notice')}`,
      Message: `Nothing here needs anyone at night.\n\n${findings.map((one) => `- ${one}\n`).join('\n')}`,
    }),
  );
}

const unreadable = ({ name, message }: Error): string =>
  `The export of yesterday cannot be read, so that nobody sees whether today's shrank: ${name}: ${message}. ` +
  'The export function needs s3:GetObject and s3:ListBucket: docs/operate/operations.md#recovery';

/** Returns the descriptions of the alarms without an email of their own that are active. They stay so for a day. */
async function openNotices(stackName: string): Promise<string[]> {
  const AlarmNamePrefix = `${stackName}-notice-`;
  const pages = paginateDescribeAlarms({ client: cloudWatch }, { AlarmNamePrefix, StateValue: 'ALARM' });
  const alarms = (await Array.fromAsync(pages)).flatMap(({ MetricAlarms = [] }) => MetricAlarms);
  return alarms.map(
    ({ AlarmName = '', AlarmDescription }) =>
      `${AlarmName.slice(AlarmNamePrefix.length)}: ${AlarmDescription ?? ''}`,
  );
}

/** A check that fails is a finding, and must not hide the others. */
const orUnknown = (subject: string, check: Promise<string[]>): Promise<string[]> =>
  check.catch((error: unknown) => {
    console.error({ subject, problem: 'not checked', error });
    return [
      `Nobody knows whether ${subject} has notices: ${error}. First: read the log of the export function.`,
    ];
  });
