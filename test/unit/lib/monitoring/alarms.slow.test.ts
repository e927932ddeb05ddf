import { readFileSync } from 'node:fs';
import { defaultChainNames } from '#core/chains/chains.ts';
import { nameOf, type Properties, propertiesOf, templateOf } from '#test/support/aws/stack.ts';

/*
 * Proves which alarms a stage has, which of them act, and that the operators' table says so. test/whole/drills proves when each starts
 * and ends.
 */

const template = templateOf({ probe: true, alarmEmail: 'on-call@example.com', budgetUsd: 100 });
const found = propertiesOf(template, 'AWS::CloudWatch::Alarm');
const composites = propertiesOf(template, 'AWS::CloudWatch::CompositeAlarm');
const nameIn = ({ AlarmName }: Properties): string => AlarmName.replace(/^Test-/, '');
const named = (name: string) => {
  const alarm = [...found, ...composites].find((one) => nameIn(one) === name);
  if (!alarm) throw new Error(`There is no alarm ${name}`);
  return alarm;
};
/** Returns the kind of an alarm, as alarm-texts.ts names it. */
const kindOf = (alarm: Properties) =>
  nameIn(alarm)
    .replace(/^(page|notice|part)-/, '')
    .replace(/-[A-Z]+$/, '');

/** Returns the metrics of an alarm, which AWS bills. */
const metricsIn = ({ MetricName, Statistic, Period, Metrics = [] }: Properties): string[] =>
  MetricName
    ? [`${MetricName} ${Statistic} ${Period}`]
    : Metrics.flatMap(({ MetricStat }: Properties) =>
        MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Stat} ${MetricStat.Period}`] : [],
      );

describe('the description', () => {
  const textOf = ({ AlarmDescription }: Properties): string =>
    typeof AlarmDescription === 'string'
      ? AlarmDescription
      : AlarmDescription['Fn::Join'][1]
          .map((part: unknown) => (typeof part === 'string' ? part : nameOf(part)))
          .join('');

  test('of each page has the first command to type', () => {
    expect(textOf(named('page-chain-BASE'))).toContain(
      'First: npx --no chain-insights status --stage Test --chain BASE More:',
    );
    expect(textOf(named('page-conflict'))).toContain(
      'First: npx --no chain-insights status --stage Test More:',
    );
    expect(textOf(named('page-api'))).toMatch(
      /First: aws lambda invoke --function-name ApiprobeFunction\w+ \/dev\/stdout More:/,
    );
    const [withoutProbe] = propertiesOf(templateOf(), 'AWS::CloudWatch::Alarm').filter((one) =>
      one.AlarmName.endsWith('-page-api-down'),
    );
    expect(textOf(withoutProbe ?? {})).toMatch(/First: aws logs tail Apigettransactioncount\w+ --since 1h/);
  });
});

/** Cells of the rows of a table in Markdown, by the first one without its link. */
const rowsOf = (markdown: string, heading: string) => {
  const [, section = ''] = markdown.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| ['));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [/\[(.*)\]\(runbook\.md#\1\)/.exec(name)?.[1] ?? name, cells];
    }),
  );
};

describe('the table of docs/operate/operations.md', () => {
  const page = readFileSync('docs/operate/operations.md', 'utf8');
  const rows = rowsOf(page, 'Alarms');
  const all = [...found, ...composites];

  test('has each kind of alarm with its severity, and no other', () => {
    expect(Object.keys(rows).toSorted()).toEqual([...new Set(all.map(kindOf))].toSorted());
    for (const alarm of all)
      expect(rows[kindOf(alarm)]?.[1]).toBe(nameIn(alarm).split('-')[0]?.replace('part', 'page'));
  });

  test('says after which time each starts', () => {
    const hours = (seconds: number) => (seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`);
    for (const alarm of found) {
      const { DatapointsToAlarm, EvaluationPeriods, Threshold } = alarm;
      const [metric = ''] = metricsIn(alarm);
      const period = Number(metric.split(' ').at(-1));
      const soon = hours(period * (DatapointsToAlarm ?? EvaluationPeriods));
      const above = metric.startsWith('Lateness ') ? `${soon} above ${Threshold} h` : soon;
      expect([kindOf(alarm), rows[kindOf(alarm)]?.[2]]).toEqual([
        kindOf(alarm),
        expect.stringContaining(above),
      ]);
    }
  });

  test('says what each kind costs a month for six chains, and what all cost', () => {
    const cents = (alarm: Properties) => (alarm.AlarmRule ? 50 : 10 * metricsIn(alarm).length);
    const dollars = (given: readonly Properties[]) =>
      (given.map(cents).reduce((sum, one) => sum + one, 0) / 100).toFixed(2);
    for (const [kind, cells] of Object.entries(rows))
      expect([kind, cells.at(-1)]).toEqual([kind, dollars(all.filter((alarm) => kindOf(alarm) === kind))]);
    const said = /(\d+) alarms and (\d+) composite alarms cost \$([\d.]+) a month/.exec(page) ?? [];
    expect(said.slice(1)).toEqual([`${found.length}`, `${composites.length}`, dollars(all)]);
  });
});

test('only alarms that page, and a stale export, act; none when they end, because an OK action would also send an email when an alarm is new', () => {
  const acting = [...found, ...composites].filter(({ AlarmActions = [] }) => AlarmActions.length > 0);
  const names = acting.map(nameIn);
  const paging = [...defaultChainNames.map((name) => `chain-${name}`), 'api', 'conflict', 'ingest'];
  expect(names.toSorted()).toEqual(
    [...paging.map((name) => `page-${name}`), 'notice-export-stale'].toSorted(),
  );
  for (const alarm of [...found, ...composites]) {
    expect(alarm).not.toHaveProperty('OKActions');
    expect(alarm).not.toHaveProperty('InsufficientDataActions');
  }
});
