import { chainNames } from '../../lambda/chains/chains.ts';
import { addDays } from '../../lambda/chains/utc-day.ts';
import { drawingsOf } from '../../web/drawings.ts';

/** Nine days of two chains, of which the second lacks one day and had nothing to count on another. */
const days = Array.from({ length: 9 }, (_, index) => ({
  date: addDays('2026-11-01', index),
  values: [String(index + 1), index === 8 ? undefined : String(index)],
}));
const style = { metric: 'fees', chains: ['ETHEREUM', 'BASE'], isLog: false, hasAverage: false } as const;
const linesOf = (given: Partial<Parameters<typeof drawingsOf>[1]>) =>
  [...drawingsOf(days, { ...style, ...given }).values()].flatMap(({ lines }) => lines);

test('fees share a drawing where they are of one coin, and counts always', () => {
  const units = (given: object) =>
    Array.from(drawingsOf(days, { ...style, ...given }), ([unit, { lines }]) => [unit, lines.length]);
  expect(units({})).toEqual([['ETH', 2]]);
  expect(units({ chains: ['BSC', 'BASE'] })).toEqual([
    ['BNB', 1],
    ['ETH', 1],
  ]);
  const counts = { chains: ['BSC', 'BASE'], metric: 'transaction_count' };
  expect(units(counts)).toEqual([['transactions', 2]]);
});

test('a line goes through the figures of its chain, and is open where there is none', () => {
  expect(linesOf({})).toEqual([
    { chain: 'ETHEREUM', column: 0, points: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
    { chain: 'BASE', column: 1, points: [0, 1, 2, 3, 4, 5, 6, 7, null] },
  ]);
});

test('the average is drawn beside the figures, and is another line than they are', () => {
  const [ethereum] = linesOf({ hasAverage: true });
  expect(ethereum?.points).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(ethereum?.average).toEqual([null, null, null, null, null, null, 4, 5, 6]);
});

test('on a log scale no line goes to 0, and the average still has it in it', () => {
  const [, base] = linesOf({ isLog: true, hasAverage: true });
  expect(base?.points).toEqual([null, 1, 2, 3, 4, 5, 6, 7, null]);
  expect(base?.average).toEqual([null, null, null, null, null, null, 3, 4, null]);
});

test('each chain that there is can be drawn', () => {
  const one = [{ date: '2026-11-01', values: chainNames.map(() => '1') }];
  const drawings = drawingsOf(one, { ...style, chains: chainNames });
  expect([...drawings.values()].flatMap(({ lines }) => lines.map(({ chain }) => chain)).toSorted()).toEqual(
    chainNames.toSorted(),
  );
});
