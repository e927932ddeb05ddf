import fc from 'fast-check';
import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/day-rows.ts';
import { formatExact, parseAmount } from '#web/model/amounts.ts';
import { type PlottedSeries, plotOf, weekAverages } from '#web/model/plot.ts';
import { parseView, type View } from '#web/model/view.ts';

const dates = Array.from({ length: 9 }, (_, index) => addDays('2026-11-01', index));

/** Returns a chain whose fees are given day by day; undefined is a missing day. */
const seriesOf = (chain: PlottedSeries['chain'], fees: readonly (string | undefined)[]): PlottedSeries => ({
  chain,
  firstDay: '2026-11-01',
  drawn: fees.flatMap((value, index) =>
    value === undefined ? [] : [dayRow(dates[index] ?? '', { fees: value, revision: index === 2 ? 2 : 1 })],
  ),
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
  expect(units({ mode: 'indexed' })).toEqual([['first common figure = 100', 3]]);
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

test('an average is drawn over the faint days', () => {
  const [panel] = panelsOf([ethereum], { hasAverage: true });
  expect(panel?.lines[0]?.points).toEqual([null, null, null, null, null, null, 4, 5, 6]);
  expect(panel?.lines[0]?.faint).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a typical fee of one chain is a line at the middle of its bounds, in a band', () => {
  const fee = (from: string, to: string) => ({ from, to });
  const drawn = [
    dayRow('2026-11-01', {
      median_fee: fee('0.0002', '0.000208'),
      p10_fee: fee('0.0001', '0.000104'),
      p90_fee: fee('0.0004', '0.000416'),
    }),
  ];
  const chain = { chain: 'BASE', firstDay: '2026-11-01', drawn } as const;
  const [panel] = panelsOf([chain], { figure: 'median_fee' });
  const [line] = panel?.lines ?? [];
  expect(line?.points.slice(0, 2)).toEqual([0.000204, null]);
  expect(line?.band?.map((edge) => edge.slice(0, 2))).toEqual([
    [0.000102, null],
    [0.000408, null],
  ]);
  const [both] = panelsOf([chain, { ...chain, chain: 'ETHEREUM' }], { figure: 'median_fee' });
  expect(both?.lines.map(({ band }) => band)).toEqual([undefined, undefined]);
});

test('indexed lines have 100 on the first day on which all have a figure that is not 0', () => {
  expect(pointsOf([ethereum, base], { mode: 'indexed' })).toEqual([
    [50, 100, 150, 200, 250, 300, 350, 400, 450],
    [0, 100, 200, 300, null, 500, 600, 700, 800],
  ]);
});

test('indexed lines without such a day are not drawn', () => {
  const late = seriesOf('BASE', Array.from({ length: 9 }));
  expect(pointsOf([ethereum, late], { mode: 'indexed' })[0]).toEqual(Array(9).fill(null));
});

test('stacked areas lie on each other, and one without a figure leaves a gap in its own alone', () => {
  const [panel] = panelsOf([ethereum, base], { mode: 'stacked' });
  expect(panel?.lines.map(({ floor, points }) => [floor, points])).toEqual([
    [
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    [
      [1, 2, 3, 4, null, 6, 7, 8, 9],
      [1, 3, 5, 7, null, 11, 13, 15, 17],
    ],
  ]);
});

test('shares add up to 100 on every day', () => {
  const [panel] = panelsOf([ethereum, base], { mode: 'share' });
  expect(panel?.lines.at(-1)?.points).toEqual([100, 100, 100, 100, null, 100, 100, 100, 100]);
});

test('a chain is not in a stack before its first day', () => {
  const before = ['2023-06-14', '2023-06-15'];
  const series = [
    { chain: 'ETHEREUM', firstDay: '2015-07-30', drawn: before.map((date) => dayRow(date, { fees: '2' })) },
    { chain: 'BASE', firstDay: '2023-06-15', drawn: [dayRow('2023-06-15', { fees: '1' })] },
  ] as const;
  const { panels } = plotOf(series, before, { ...view, mode: 'stacked' });
  expect(panels[0]?.lines[1]?.points).toEqual([null, 3]);
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
