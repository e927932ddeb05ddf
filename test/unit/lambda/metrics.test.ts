import { startRunStats } from '#core/days/day-run.ts';
import { type RunReport, reportOf } from '#core/ingest/report.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import { metricLines } from '#test/support/aws/metric-lines.ts';

const report: RunReport = {
  ...reportOf(startRunStats('BSC', 0, false), { kind: 'out of time' }, 0),
  headAgeSeconds: 65,
  dataAgeSeconds: 43_200,
};

/** Returns the metrics of the first line of a run, with their values and units. */
function valuesOf(given: RunReport) {
  const [line] = metricLines(() => publishMetrics(given));
  const metrics = line?._aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics) ?? [];
  return Object.fromEntries(metrics.map(({ Name, Unit }) => [Name, [line?.[Name], Unit]]));
}

test('publishes the figures of a run with units', () => {
  expect(valuesOf(report)).toEqual({ HeadAge: [65, 'Seconds'], DataAge: [43_200, 'Seconds'] });
});

test('publishes how long nothing was read as the age of the head, for a run that failed before its first block', () => {
  const { headAgeSeconds, ...others } = report;
  const failed: RunReport = { ...others, outcome: 'failed', reason: 'no endpoint' };
  expect(valuesOf({ ...failed, unreadSeconds: 7_200 })).toMatchObject({ HeadAge: [7_200, 'Seconds'] });
  expect(valuesOf({ ...failed, headAgeSeconds: 65, unreadSeconds: 7_200 })).toMatchObject({
    HeadAge: [7_200, 'Seconds'],
  });
  expect(valuesOf(failed)).not.toHaveProperty('HeadAge');
});

test('raises the alarm of the chain through the age of its head while a fork that is not followed is near', () => {
  expect(valuesOf({ ...report, unknownFork: 'a.example says so' })).toMatchObject({
    HeadAge: [86_400, 'Seconds'],
  });
  expect(valuesOf({ ...report, headAgeSeconds: 99_999, unknownFork: 'a' })).toMatchObject({
    HeadAge: [99_999, 'Seconds'],
  });
});
