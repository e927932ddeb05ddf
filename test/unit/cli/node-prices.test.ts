import { readFileSync } from 'node:fs';
import { formatDollars, maxDollars, nodePrices } from '#cli/node-prices.ts';
import { loads } from '../../../bin/cost-prices.ts';

const BLOCKS_A_DAY = Object.values(loads).reduce((sum, { blocks }) => sum + blocks, 0);
const callsOf = (days: number) => BLOCKS_A_DAY * days * 2;
const dollars = (value: number) => `$${Math.round(value).toLocaleString('en')}`;

test('the cost page states what these prices give for a month and a year of six chains', () => {
  const page = readFileSync('docs/operate/cost.md', 'utf8');
  const [month, year] = [nodePrices(callsOf(30)), nodePrices(callsOf(365))];
  for (const price of ['units', 'plan'] as const)
    expect(page).toContain(`**${dollars(month[price])}** a month, ${dollars(year[price])} for such a year.`);
});

test('calls cost at most the cheaper price, rounded up to dollars', () => {
  expect([0, 1, 64e6, 900e6].map(maxDollars).map(formatDollars)).toEqual([
    '$0',
    '$0 to $1',
    '$0 to $199',
    '$0 to $7,215',
  ]);
});
