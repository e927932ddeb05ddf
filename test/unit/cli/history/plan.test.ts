import { stripVTControlCharacters } from 'node:util';
import { showWays } from '#cli/history/plan.ts';

/** A way with the widest cells that are likely. */
const way = (chain: string, name: string) => ({
  chain,
  days: 4_138,
  way: name,
  calls: 1_100_000_000,
  seconds: 500 * 86_400,
  max_dollars: 9_499,
  money: '$0 to $9,499',
});

test('the table of ways, and what it says of money, is at most 80 columns wide', () => {
  const ways = [way('ARBITRUM', 'proven, node files'), way('BSC', 'proven, block files')];
  const lines = stripVTControlCharacters(showWays(ways)).split('\n');
  expect(lines[1]).toMatch(/^ARBITRUM .*1,100,000,000 .* \$0 to \$9,499$/);
  expect(lines.join(' ')).toContain('docs/operate/cost.md#nodes');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
