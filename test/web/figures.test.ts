import fc from 'fast-check';
import { addDays } from '../../lambda/chains/utc-day.ts';
import {
  aloneOf,
  everyDay,
  joinDays,
  type Points,
  pointsOf,
  positive,
  presentOf,
  weekAverage,
} from '../../web/figures.ts';

const rowsOf = (values: Readonly<Record<string, string>>) => ({
  rows: Object.entries(values).map(([date, value]) => ({ date, value })),
});

const points: fc.Arbitrary<Points> = fc.array(fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })));

test('chains are joined by day, and one that has no figure has none there', () => {
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

test('no figure is lost or changed, whatever days the chains have', () => {
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
      (answers) => {
        const days = joinDays(answers);
        for (const [column, answer] of answers.entries()) {
          const found = days.flatMap(({ date, values }) => {
            const value = values[column];
            return value === undefined ? [] : [{ date, value }];
          });
          expect(found).toEqual(answer.rows.toSorted((a, b) => (a.date < b.date ? -1 : 1)));
        }
      },
    ),
  );
});

test('a day that nobody has a figure for is a gap in what is drawn, and 0 is no gap', () => {
  const days = everyDay(joinDays([rowsOf({ '2026-10-31': '0', '2026-11-02': '12.5' })]));
  expect(days.map(({ date }) => date)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
  expect(pointsOf(days, 0)).toEqual([0, null, 12.5]);
  expect(everyDay([])).toEqual([]);
});

describe('the 7-day average', () => {
  const none = (length: number) => Array.from({ length }, () => null);

  test('is the mean of a day and the six before it, from the seventh day on', () => {
    expect(weekAverage([1, 2, 3, 4, 5, 6, 7, 8])).toEqual([...none(6), 4, 5]);
  });

  test('is a gap as long as one of the seven days has no figure', () => {
    expect(weekAverage([1, 2, null, 4, 5, 6, 7, 8, 9, 10])).toEqual([...none(9), 7]);
  });

  test('is there just where seven days have a figure, and lies between the least and the most of them', () => {
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

test('on a log scale 0 is left out', () => {
  expect(positive([0, 0.5, null, 2])).toEqual([null, 0.5, null, 2]);
});

test('a point between two gaps is alone, at either end too', () => {
  const given = [1, null, 2, 3, null, 0, null, undefined, 4];
  expect(presentOf(given)).toEqual([0, 2, 3, 5, 8]);
  expect(aloneOf(given)).toEqual([0, 5, 8]);
});
