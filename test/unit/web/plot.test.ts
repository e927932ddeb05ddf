import fc from 'fast-check';
import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/day-rows.ts';
import { formatExact, parseAmount } from '#web/amounts.ts';
import { type PlottedSeries, plotOf, weekAverages } from '#web/plot.ts';
import { parseView, type View } from '#web/view.ts';

const dates = Array.from({ length: 9 }, (_, index) => addDays('2026-11-01', index));

/** Returns a chain whose fees are given day by day; undefined is a missing day. */
const seriesOf = (chain: PlottedSeries['chain'], fees: readonly (string | undefined)[]): PlottedSeries => ({
  chain,
  firstDay: '2026-11-01',
  days: {
    rows: fees.flatMap((value, index) =>
      value === undefined ? [] : [dayRow(dates[index] ?? '', { fees: value, revision: index === 2 ? 2 : 1 })],
    ),
    dataThrough: undefined,
  },
});
const ethereum = seriesOf('ETHEREUM', ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
const base = seriesOf('BASE', ['0', '1', '2', '3', undefined, '5', '6', '7', '8']);
const bsc = seriesOf('BSC', ['5', '5', '5', '5', '5', '5', '5', '5', '5']);
const { view } = parseView('', '2026-11-22');
const panelsOf = (series: readonly PlottedSeries[], options: Partial<View> = {}) =>
  plotOf(series, dates, { ...view, ...options }).panels;
const pointsOf = (series: readonly PlottedSeries[], options: Partial<View> = {}) =>
  panelsOf(series, options).flatMap(({ lines }) => lines.map(({ points }) => points));

test('different coins have their own panels, counts share one, and so do indexed fees', () => {
  const units = (options: Partial<View>) =>
    panelsOf([ethereum, base, bsc], options).map(({ unit, lines }) => [unit, lines.length]);
  expect(units({})).toEqual([
    ['ETH', 2],
    ['BNB', 1],
  ]);
  expect(units({ figure: 'transaction_count' })).toEqual([['transactions', 3]]);
  expect(units({ mode: 'indexed' })).toEqual([['first figure = 100', 3]]);
  expect(units({ mode: 'share' })).toEqual([
    ['% of ETH', 2],
    ['% of BNB', 1],
  ]);
});

test('a missing day is a gap, and 0 is not', () => {
  expect(pointsOf([base])).toEqual([[0, 1, 2, 3, null, 5, 6, 7, 8]]);
});

test('a logarithmic scale leaves out zeros', () => {
  expect(pointsOf([base], { isLog: true })).toEqual([[null, 1, 2, 3, null, 5, 6, 7, 8]]);
});

test('keeps every digit beside the points, and marks restated days', () => {
  const [panel] = panelsOf([seriesOf('BASE', ['0.1', '0.000000000000000001', '7'])]);
  const [line] = panel?.lines ?? [];
  expect(line?.amounts.slice(0, 3).map((amount) => amount !== undefined && formatExact(amount))).toEqual([
    '0.1',
    '0.000000000000000001',
    '7',
  ]);
  expect(line?.isRestated.indexOf(true)).toBe(2);
});

test('an average is drawn over the faint days, and only of days', () => {
  const [panel] = panelsOf([ethereum], { hasAverage: true });
  expect(panel?.lines[0]?.points).toEqual([null, null, null, null, null, null, 4, 5, 6]);
  expect(panel?.lines[0]?.faint).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const [months] = panelsOf([ethereum], { hasAverage: true, interval: 'month' });
  expect(months?.lines[0]?.faint).toBeUndefined();
});

test('indexed lines begin with 100 at their first figure that is not 0', () => {
  expect(pointsOf([ethereum, base], { mode: 'indexed' })).toEqual([
    [100, 200, 300, 400, 500, 600, 700, 800, 900],
    [0, 100, 200, 300, null, 500, 600, 700, 800],
  ]);
});

test('stacked areas lie on each other, with a gap for all where one is missing', () => {
  const [panel] = panelsOf([ethereum, base], { mode: 'stacked' });
  expect(panel?.lines.map(({ floor, points }) => [floor, points])).toEqual([
    [
      [0, 0, 0, 0, null, 0, 0, 0, 0],
      [1, 2, 3, 4, null, 6, 7, 8, 9],
    ],
    [
      [1, 2, 3, 4, null, 6, 7, 8, 9],
      [1, 3, 5, 7, null, 11, 13, 15, 17],
    ],
  ]);
});

test('shares add up to 100 on every day without a gap', () => {
  const [panel] = panelsOf([ethereum, base], { mode: 'share' });
  expect(panel?.lines.at(-1)?.points).toEqual([100, 100, 100, 100, null, 100, 100, 100, 100]);
});

test('a chain counts as 0 in a stack before its first day', () => {
  const before = ['2023-06-14', '2023-06-15'];
  const series = [
    {
      chain: 'ETHEREUM',
      firstDay: '2015-07-30',
      days: { rows: before.map((date) => dayRow(date, { fees: '2' })), dataThrough: undefined },
    },
    {
      chain: 'BASE',
      firstDay: '2023-06-15',
      days: { rows: [dayRow('2023-06-15', { fees: '1' })], dataThrough: undefined },
    },
  ] as const;
  const { panels } = plotOf(series, before, { ...view, mode: 'stacked' });
  expect(panels[0]?.lines[1]?.points).toEqual([2, 3]);
});

describe('the 7-day average', () => {
  const amounts = (values: readonly (number | undefined)[]) =>
    values.map((value) => (value === undefined ? undefined : parseAmount(String(value))));

  test('is undefined while one of the seven days has no figure', () => {
    const averages = weekAverages(amounts([1, 2, undefined, 4, 5, 6, 7, 8, 9, 10]));
    expect(averages.map((one) => one && formatExact(one))).toEqual([...Array.from({ length: 9 }), '7']);
  });

  test('lies between the lowest and the highest of its seven days', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.bigInt(0n, 10n ** 24n), { nil: undefined })), (given) => {
        weekAverages(given).forEach((average, index) => {
          const week = given.slice(Math.max(0, index - 6), index + 1).filter((one) => one !== undefined);
          expect(average !== undefined).toBe(week.length === 7);
          if (average !== undefined)
            expect(week.some((one) => one <= average) && week.some((one) => one >= average)).toBe(true);
        });
      }),
    );
  });
});

describe('a typical fee', () => {
  const bounds = (from: string, to: string) => ({ from, to });
  const rows = [
    dayRow('2026-11-01', {
      p10_fee: bounds('0.1', '0.3'),
      median_fee: bounds('1', '3'),
      p90_fee: bounds('10', '30'),
    }),
    // An earlier version read it.
    dayRow('2026-11-02'),
  ];
  const typical = { ...ethereum, days: { rows, dataThrough: undefined } };
  const linesOf = (options: Partial<View>) =>
    plotOf([typical], dates.slice(0, 2), { ...view, figure: 'median_fee', ...options }).panels[0]?.lines[0];

  test('is drawn at the middle of its bounds, in a band, and keeps the bounds', () => {
    expect(linesOf({})).toMatchObject({
      points: [2, null],
      band: { low: [0.2, null], high: [20, null] },
      exact: ['1 to 3', undefined],
    });
  });

  test('has no band when it is indexed, and never an average', () => {
    expect(linesOf({ mode: 'indexed', hasAverage: true })).not.toHaveProperty('band');
    expect(linesOf({ hasAverage: true })).not.toHaveProperty('averages');
  });
});

test('a figure that a day does not state is a gap', () => {
  const gas = {
    ...base,
    days: { rows: [dayRow('2026-11-01', { gas_used: '0' }), dayRow('2026-11-02')], dataThrough: undefined },
  };
  const [panel] = plotOf([gas], dates.slice(0, 2), { ...view, figure: 'gas_used' }).panels;
  expect(panel).toMatchObject({ unit: 'gas', lines: [{ points: [0, null] }] });
});
