import { chainNames } from '../../lambda/chains/chains.ts';
import { lineStyleOf } from '../../web/line-styles.ts';

test('no two chains share a style, and the first six differ in both color and dash', () => {
  const styles = chainNames.map(lineStyleOf);
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(chainNames.length);
  const first = styles.slice(0, 6);
  expect(new Set(first.map(({ color }) => color)).size).toBe(first.length);
  expect(new Set(first.map(({ dash }) => dash.join())).size).toBe(first.length);
});
