import { defaultChainNames } from '#core/chains/chains.ts';
import { type Properties, templateOf, theOnly } from '#test/support/aws/stack.ts';

/* Proves what the dashboard shows, and that it costs nothing. */

const template = templateOf({ probe: true, alarmEmail: 'on-call@example.com', budgetUsd: 100 });
const body = theOnly(template, 'AWS::CloudWatch::Dashboard')
  .DashboardBody['Fn::Join'][1].map((part: unknown) => (typeof part === 'string' ? part : 'token'))
  .join('');
const widgets: Properties[] = JSON.parse(body).widgets;

test('the dashboard has at most 50 metrics, which the allowance covers', () => {
  const metrics = widgets.flatMap(({ properties: { metrics = [] } }) => metrics);
  // A member of an expression is not shown, but counts.
  expect(metrics.filter((metric: unknown[]) => typeof metric[0] === 'string').length).toBeLessThanOrEqual(50);
});

test('the dashboard begins with the alarms and the lateness of each chain', () => {
  const [alarms, late] = widgets;
  expect(alarms).toMatchObject({ type: 'alarm', y: 0, properties: { title: 'Alarms' } });
  const labels = late?.properties.metrics.flatMap(([metric]: Properties[]) => metric?.label ?? []);
  expect(labels).toEqual(defaultChainNames);
  expect(late?.properties.title).toMatch(/^Hours late: .*\(healthy: below 1\)$/);
});

test('its name has the region, because names are unique in an account', () => {
  expect(JSON.stringify(theOnly(template, 'AWS::CloudWatch::Dashboard').DashboardName)).toMatch(
    /"Test-".*AWS::Region/,
  );
});
