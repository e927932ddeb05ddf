import { comparedOf, measuredOf, rangesOf } from '#test/support/aws/metric-math.ts';
import { stateOf } from '#test/support/aws/missing-data.ts';

/* The evaluator of the drills gives what CloudWatch's documentation states: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html */

const values: Readonly<Record<string, number>> = { 0: 0, X: 1 };
const pointsIn = (row: string) => row.split(' ').map((one) => values[one]);
const treatments = ['missing', 'ignore', 'breaching', 'notBreaching'];

test.each([
  [3, '0 - X - X', 'OK OK OK OK'],
  [3, '0 - - - -', 'OK OK OK OK'],
  [3, '- - - - -', 'INSUFFICIENT_DATA kept ALARM OK'],
  [3, '0 X X - X', 'ALARM ALARM ALARM ALARM'],
  [3, '- - X - -', 'ALARM kept ALARM OK'],
  [2, '0 - X - X', 'ALARM ALARM ALARM ALARM'],
  [2, '0 0 X 0 X', 'ALARM ALARM ALARM ALARM'],
  [2, '0 - X - -', 'OK OK ALARM OK'],
  [2, '- - - - 0', 'OK OK ALARM OK'],
  [2, '- - - X -', 'ALARM kept ALARM OK'],
])(
  '%i of 3 points to alarm, and the points %s, give the states of the documentation',
  (needed, row, states) => {
    const stateWith = (TreatMissingData: string) =>
      stateOf(
        pointsIn(row),
        { Threshold: 0, EvaluationPeriods: 3, DatapointsToAlarm: needed, TreatMissingData },
        'kept' as 'OK',
      );
    expect(treatments.map(stateWith).join(' ')).toBe(states);
  },
);

test('an expression has no value where a part has none, unless FILL gives it one', () => {
  const stat = (Id: string) => ({
    Id,
    MetricStat: { Metric: { Namespace: 'Test', MetricName: Id }, Period: 60, Stat: 'Sum' },
  });
  const samples = [1, 3].map((minute) => ({ at: minute * 60_000, metric: 'a', value: minute }));
  const pointsWith = (Expression: string, fillsEmpty = true) =>
    rangesOf(
      comparedOf({ Metrics: [{ Expression }, stat('a'), stat('b')] }),
      measuredOf(samples),
      5,
      fillsEmpty,
    )(240_000);
  expect(pointsWith('a + 1')).toEqual([undefined, 2, undefined, 4, undefined]);
  expect(pointsWith('a + b')).toEqual(Array(5).fill(undefined));
  expect(pointsWith('FILL(a, REPEAT)')).toEqual([undefined, 1, 1, 3, 3]);
  expect(pointsWith('FILL(a, 9)')).toEqual([9, 1, 9, 3, 9]);
  expect(pointsWith('IF(a > 1, FILL(b, 5))')).toEqual([undefined, undefined, undefined, 5, undefined]);
  expect(pointsWith('IF(a > 1, FILL(b, 5))', false)).toEqual(Array(5).fill(undefined));
});
