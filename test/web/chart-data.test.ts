import { chainNames } from '../../lambda/chains/chains.ts';
import { addDays } from '../../lambda/chains/utc-day.ts';
import { chartDataByUnit, lineStyleOf } from '../../web/chart-data.ts';

/** Nine days of two chains. The second has a zero on the first day and no figure on the last. */
const days = Array.from({ length: 9 }, (_, index) => ({
  date: addDays('2026-11-01', index),
  values: [String(index + 1), index === 8 ? undefined : String(index)],
}));
const style = { metric: 'fees', chains: ['ETHEREUM', 'BASE'], isLog: false, hasAverage: false } as const;
const linesOf = (given: Partial<Parameters<typeof chartDataByUnit>[1]>) =>
  [...chartDataByUnit(days, { ...style, ...given }).values()].flatMap(({ lines }) => lines);

test('charts fees by coin, and all counts together', () => {
  const units = (given: object) =>
    Array.from(chartDataByUnit(days, { ...style, ...given }), ([unit, { lines }]) => [unit, lines.length]);
  expect(units({})).toEqual([['ETH', 2]]);
  expect(units({ chains: ['BSC', 'BASE'] })).toEqual([
    ['BNB', 1],
    ['ETH', 1],
  ]);
  const counts = { chains: ['BSC', 'BASE'], metric: 'transaction_count' };
  expect(units(counts)).toEqual([['transactions', 2]]);
});

test('draws a line through the figures of a chain, with gaps between them', () => {
  expect(linesOf({})).toEqual([
    { chain: 'ETHEREUM', column: 0, points: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
    { chain: 'BASE', column: 1, points: [0, 1, 2, 3, 4, 5, 6, 7, null] },
  ]);
});

test('adds the average as a separate line', () => {
  const [ethereum] = linesOf({ hasAverage: true });
  expect(ethereum?.points).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(ethereum?.average).toEqual([null, null, null, null, null, null, 4, 5, 6]);
});

test('a logarithmic scale omits zeros, which the average still includes', () => {
  const [, base] = linesOf({ isLog: true, hasAverage: true });
  expect(base?.points).toEqual([null, 1, 2, 3, 4, 5, 6, 7, null]);
  expect(base?.average).toEqual([null, null, null, null, null, null, 3, 4, null]);
});

test('charts every supported chain', () => {
  const one = [{ date: '2026-11-01', values: chainNames.map(() => '1') }];
  const charts = chartDataByUnit(one, { ...style, chains: chainNames });
  expect([...charts.values()].flatMap(({ lines }) => lines.map(({ chain }) => chain)).toSorted()).toEqual(
    chainNames.toSorted(),
  );
});

test('no two chains share a style, and the first six differ in both color and dash', () => {
  const styles = chainNames.map(lineStyleOf);
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(chainNames.length);
  const first = styles.slice(0, 6);
  expect(new Set(first.map(({ color }) => color)).size).toBe(first.length);
  expect(new Set(first.map(({ dash }) => dash.join())).size).toBe(first.length);
});
