import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { PublishCommand, paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import type { Manifest } from '../core/backup/export-files.ts';
import { chainStore, type TableReader } from '../core/store/table/table.ts';
import { chainFindings, comparisonFindings, plural } from './daily-findings.ts';
import { environment, fromEnvironment, offeredChains } from './environment.ts';

const [cloudWatch, sns] = [new CloudWatchClient({}), new SNSClient({})];

/**
 * Emails what can wait for the morning: notices of a day, and what today's export shows beside yesterday's. If there is nothing, it says so
 * each Monday, so that silence means something.
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
  const other = process.env[environment.compareWith];
  const found = await Promise.all([
    orUnknown('the alarms', openNotices(stackName)),
    orUnknown('the subscription to pages', missingSubscriber(stage)),
    other ? orUnknown(`the comparison with ${other}`, comparisonFindings(table, other, stage)) : [],
    ...offeredChains().map((chain) =>
      orUnknown(chain, chainFindings(chainStore(table, chain), chain, exports, stage)),
    ),
  ]);
  const findings = [...problems, ...(before instanceof Error ? [unreadable(before)] : []), ...found.flat()];
  const isMonday = new Date(now.exported_at).getUTCDay() === 1;
  if (findings.length === 0 && !isMonday) return;
  await sns.send(
    new PublishCommand({
      TopicArn: fromEnvironment('noticeTopic'),
      Subject: `${stackName}: ${findings.length > 0 ? plural(findings.length, 'notice') : 'all is well'}`,
      Message: [
        findings.length > 0 ? 'Nothing here needs anyone at night.' : 'There are no notices.',
        ...findings.map((one) => `- ${one}`),
        ...(isMonday ? [newestDays(now)] : []),
      ]
        .join('\n\n')
        .concat('\n'),
    }),
  );
}

const newestDays = ({ chains }: Manifest): string =>
  [
    'The newest final day of each chain:',
    ...chains.map(({ chain, last_day: day }) => `${chain} ${day ?? 'none yet'}`),
  ].join('\n');

/** Returns a finding if nobody gets the pages. A scanner of emails that follows their links ends a subscription. */
async function missingSubscriber(stage: string): Promise<string[]> {
  const TopicArn = process.env[environment.pageTopic];
  if (!TopicArn) return [];
  const pages = await Array.fromAsync(paginateListSubscriptionsByTopic({ client: sns }, { TopicArn }));
  const all = pages.flatMap(({ Subscriptions = [] }) => Subscriptions);
  if (all.some(({ SubscriptionArn = '' }) => SubscriptionArn.startsWith('arn:'))) return [];
  return [
    `Nobody is subscribed to the pages (docs/operate/deploy.md#alarms). First: npx --no chain-insights doctor --stage ${stage}`,
  ];
}

const unreadable = ({ name, message }: Error): string =>
  `The export of yesterday cannot be read, so that nobody sees whether today's shrank: ${name}: ${message}. ` +
  'The export function needs s3:GetObject and s3:ListBucket: docs/operate/operations.md#recovery';

/** Returns the descriptions of the active notices. They stay so for a day after their cause, so none is missed by a daily email. */
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
