import fc from 'fast-check';
import { addDays } from '../../lambda/chains/utc-day.ts';
import {
  definedIndexes,
  fillGaps,
  isolatedIndexes,
  joinDays,
  type Points,
  toCsv,
  toPoints,
  weekAverage,
  withoutZeros,
} from '../../web/days.ts';

const rowsOf = (values: Readonly<Record<string, string>>) => ({
  rows: Object.entries(values).map(([date, value]) => ({ date, value })),
});

const points: fc.Arbitrary<Points> = fc.array(fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })));

test('joins series by day, with undefined where a chain has no figure', () => {
  const days = joinDays([
    rowsOf({ '2026-11-18': '0.1', '2026-11-20': '0' }),
    rowsOf({ '2026-11-17': '7', '2026-11-18': '8' }),
  ]);
  expect(days).toEqual([
    { date: '2026-11-17', values: [undefined, '7'] },
    { date: '2026-11-18', values: ['0.1', '8'] },
    { date: '2026-11-20', values: ['0', undefined] },
  ]);
});

test('joining loses and changes no figure', () => {
  const rows = fc
    .uniqueArray(fc.nat(40))
    .map((days) =>
      days.map((day) => ({ date: addDays('2026-01-01', day), value: `${day}.000000000000000001` })),
    );
  fc.assert(
    fc.property(
      fc.array(
        rows.map((of) => ({ rows: of })),
        { maxLength: 4 },
      ),
      (series) => {
        const days = joinDays(series);
        for (const [column, each] of series.entries()) {
          const found = days.flatMap(({ date, values }) => {
            const value = values[column];
            return value === undefined ? [] : [{ date, value }];
          });
          expect(found).toEqual(each.rows.toSorted((a, b) => (a.date < b.date ? -1 : 1)));
        }
      },
    ),
  );
});

test('a day that no chain has a figure for is a gap, and 0 is not', () => {
  const days = fillGaps(joinDays([rowsOf({ '2026-10-31': '0', '2026-11-02': '12.5' })]));
  expect(days.map(({ date }) => date)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
  expect(toPoints(days, 0)).toEqual([0, null, 12.5]);
  expect(fillGaps([])).toEqual([]);
});

describe('the 7-day average', () => {
  const none = (length: number) => Array.from({ length }, () => null);

  test('is the mean of a day and the six before it, from the seventh day on', () => {
    expect(weekAverage([1, 2, 3, 4, 5, 6, 7, 8])).toEqual([...none(6), 4, 5]);
  });

  test('is a gap while one of the seven days has no figure', () => {
    expect(weekAverage([1, 2, null, 4, 5, 6, 7, 8, 9, 10])).toEqual([...none(9), 7]);
  });

  test('exists where seven days have a figure, and lies between their minimum and maximum', () => {
    fc.assert(
      fc.property(points, (given) => {
        weekAverage(given).forEach((average, index) => {
          const week = given.slice(Math.max(0, index - 6), index + 1).filter((one) => one !== null);
          expect(average !== null).toBe(week.length === 7);
          if (average === null) return;
          expect(average).toBeGreaterThanOrEqual(Math.min(...week) * (1 - 1e-9));
          expect(average).toBeLessThanOrEqual(Math.max(...week) * (1 + 1e-9));
        });
      }),
    );
  });
});

test('replaces zeros by gaps', () => {
  expect(withoutZeros([0, 0.5, null, 2])).toEqual([null, 0.5, null, 2]);
});

test('a point between two gaps is isolated, also at either end', () => {
  const given = [1, null, 2, 3, null, 0, null, undefined, 4];
  expect(definedIndexes(given)).toEqual([0, 2, 3, 5, 8]);
  expect(isolatedIndexes(given)).toEqual([0, 5, 8]);
});

const table = [
  { date: '2026-11-18', values: ['358.558440870590355682', undefined] },
  { date: '2026-11-19', values: ['0', '1.5'] },
];

test('formats one chain with the columns of the API', () => {
  expect(
    toCsv(
      'fees',
      ['ETHEREUM'],
      table.map(({ date, values }) => ({ date, values: values.slice(0, 1) })),
    ),
  ).toBe('date,fees\r\n2026-11-18,358.558440870590355682\r\n2026-11-19,0\r\n');
});

test('formats several chains with one column each, empty where no figure is final', () => {
  expect(toCsv('fees', ['ETHEREUM', 'BSC'], table)).toBe(
    'date,ETHEREUM_fees_ETH,BSC_fees_BNB\r\n2026-11-18,358.558440870590355682,\r\n2026-11-19,0,1.5\r\n',
  );
  expect(toCsv('transaction_count', ['BASE', 'BSC'], [])).toBe(
    'date,BASE_transaction_count,BSC_transaction_count\r\n',
  );
});
