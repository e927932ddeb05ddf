import { startRunStats } from '#core/days/day-run.ts';
import { type RunReport, reportOf } from '#core/ingest/report.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import { samplesOf } from '#test/support/aws/alarm-states.ts';
import { metricLines } from '#test/support/aws/metric-lines.ts';

const report: RunReport = {
  ...reportOf(startRunStats('BSC', 0, false), { kind: 'out of time' }, 0),
  headAgeSeconds: 65,
  dataAgeSeconds: 43_200,
};

/** Returns the metrics of a run by name and dimensions. */
const valuesOf = (given: RunReport) =>
  Object.fromEntries(samplesOf(0, () => publishMetrics(given)).map(({ metric, value }) => [metric, value]));

const lateness = (given: RunReport) => valuesOf(given)['Lateness chain=BSC service=ingest'];

test('publishes how late a chain is, of the chain and of all chains, in seconds', () => {
  expect(valuesOf(report)).toEqual({
    'Lateness chain=BSC service=ingest': 65,
    'Lateness service=ingest': 65,
  });
  const [line] = metricLines(() => publishMetrics(report));
  expect(line?._aws.CloudWatchMetrics[0]?.Metrics).toEqual([{ Name: 'Lateness', Unit: 'Seconds' }]);
});

test('a chain is late from the time when its newest day is due, a day after the one before', () => {
  expect(lateness({ ...report, dataAgeSeconds: 86_400 })).toBe(65);
  expect(lateness({ ...report, dataAgeSeconds: 86_400 + 7_200 })).toBe(7_200);
  const { dataAgeSeconds: _, ...unknown } = report;
  expect(lateness(unknown)).toBe(65);
});

test('a run that failed before its first block is as late as the last block that a run counted', () => {
  const { headAgeSeconds: _, ...others } = report;
  const failed: RunReport = { ...others, outcome: 'failed', reason: 'no endpoint' };
  expect(lateness({ ...failed, unreadSeconds: 7_200 })).toBe(7_200);
  expect(lateness({ ...failed, headAgeSeconds: 65, unreadSeconds: 7_200 })).toBe(7_200);
});

test('publishes nothing for a run that does not know how late the chain is, or was for one day', () => {
  const { headAgeSeconds: _, ...others } = report;
  expect(valuesOf(others)).toEqual({});
  expect(valuesOf({ ...report, final: true })).toEqual({});
});

test('a chain is a day late while a fork that is not followed is near', () => {
  const { headAgeSeconds: _, ...others } = report;
  expect(lateness({ ...report, unknownFork: 'a.example says so' })).toBe(86_400);
  expect(lateness({ ...others, unknownFork: 'a.example says so' })).toBe(86_400);
  expect(lateness({ ...report, headAgeSeconds: 99_999, unknownFork: 'a' })).toBe(99_999);
});
