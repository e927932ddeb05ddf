import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { dayEvent } from '#core/events/day-events.ts';
import { bucketOf } from '#core/figures/fee-buckets.ts';
import { DayEventTargets } from '#docs/events/day-event-targets.ts';
import { newApp, propertiesOf } from '#test/support/aws/stack.ts';
import { weiOf } from '#test/support/generators/rows/served-days.ts';

const page = readFileSync('docs/events.md', 'utf8');
const jsonBlocks = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
const sample = JSON.parse(readFileSync('docs/events/day-restated.json', 'utf8'));

test('the sample event is one that the service sends', () => {
  const { chain, fees, user_transaction_count, restatements, finality, ...row } = sample.detail;
  const parts = ['execution_fees', 'l1_data_fees', 'operator_fees', 'blob_fees'];
  const bigints = (value: object) =>
    JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === 'number' ? BigInt(inner) : inner));
  const paid = Object.fromEntries(parts.map((part) => [part, weiOf(row[part])]));
  const restated = restatements.map(({ fees: old, ...rest }: { fees: string }) => ({
    ...bigints({ ...row, ...rest }),
    ...paid,
    execution_fees: weiOf(old),
    blob_fees: 0n,
  }));
  const { kind, ...linksTo } = finality;
  const bucket = (name: string) => BigInt(bucketOf(weiOf(row[name].from)));
  const measured = {
    retryable_double_count: weiOf(row.retryable_double_count),
    gas_used: BigInt(row.gas_used),
    priority_fees: weiOf(row.priority_fees),
    fee_quantiles: { median: bucket('median_fee'), p10: bucket('p10_fee'), p90: bucket('p90_fee') },
  };
  const item = {
    ...bigints(row),
    ...paid,
    ...measured,
    confirmed_by: [],
    links_to: bigints(linksTo),
    restated,
  };
  expect(kind).toBe('sync committee');
  const event = dayEvent(chain, item, row.revision);
  const { source, 'detail-type': type, detail } = sample;
  expect(JSON.stringify(event)).toBe(JSON.stringify({ 'detail-type': type, source, detail }));
  expect([fees, user_transaction_count]).toEqual([event?.detail.fees, event?.detail.user_transaction_count]);
});

describe('the sample construct', () => {
  const stack = new Stack(newApp(), 'Sample');
  new DayEventTargets(stack, 'DayEvents', {
    webhookUrl: 'https://example.com/days',
    webhookSecret: 'chain-insights/webhook',
    slackChannel: 'C0123456789',
    slackSecret: 'chain-insights/slack',
  });
  const template = Template.fromStack(stack);
  const rules = propertiesOf(template, 'AWS::Events::Rule');

  test('matches the events of the service, and keeps what a target does not take', () => {
    expect(rules.map(({ EventPattern }) => EventPattern)).toEqual([
      { source: [sample.source] },
      {
        source: [sample.source],
        'detail-type': ['Day Final', 'Day Restated', 'Day Priced'],
        detail: { chain: ['ETHEREUM'] },
      },
    ]);
    const targets = rules.flatMap(({ Targets }) => Targets);
    expect(targets).toHaveLength(3);
    for (const { DeadLetterConfig } of targets) expect(DeadLetterConfig).toBeDefined();
  });

  test('tells Slack in words', () => {
    const { InputPathsMap, InputTemplate } = rules[1]?.Targets[0].InputTransformer ?? {};
    const at = (path: string) =>
      path
        .split('.')
        .slice(1)
        .reduce((value, name) => value?.[name], sample);
    const filled = Object.entries<string>(InputPathsMap).reduce(
      (text, [name, path]) => text.replaceAll(`<${name}>`, at(path.replace(/^\$\["?(.*?)"?\]$/, '$.$1'))),
      InputTemplate as string,
    );
    expect(JSON.parse(filled)).toEqual({
      channel: 'C0123456789',
      text: 'Day Restated: ETHEREUM 2026-11-18, 1402345 transactions, 312.500000000000000001 ETH of fees (proven)',
    });
  });

  test('holds no secret', () => {
    for (const { AuthParameters } of propertiesOf(template, 'AWS::Events::Connection')) {
      expect(JSON.stringify(AuthParameters.ApiKeyAuthParameters.ApiKeyValue)).toContain(
        '{{resolve:secretsmanager:',
      );
    }
  });
});

test('the pattern for one stage begins like the ARN in the sample event', () => {
  const patterns = jsonBlocks.filter(({ resources }) => resources);
  expect(patterns).toHaveLength(1);
  expect(sample.resources[0].startsWith(patterns[0]?.resources[0].prefix)).toBe(true);
});
