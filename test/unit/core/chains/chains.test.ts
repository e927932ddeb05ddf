import { arbitrum, base, bsc, mainnet, optimism, polygon } from 'viem/chains';
import type { ChainRow } from '#core/chains/chain-facts.ts';
import { chainNames, chainOf, defaultChainNames } from '#core/chains/chains.ts';
import { opStackRulesOf } from '#test/support/generators/blocks/base-goerli.ts';

test.each(['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'BASE', 'POLYGON'])(
  'a stage reads %s by default',
  (name) => {
    expect(defaultChainNames).toContain(name);
  },
);

test.each([
  ['ETHEREUM', mainnet],
  ['ARBITRUM', arbitrum],
  ['BSC', bsc],
  ['OPTIMISM', optimism],
  ['BASE', base],
  ['POLYGON', polygon],
] as const)('%s has the chain ID and the coin that viem knows', (name, { id, nativeCurrency }) => {
  expect(chainOf(name)).toMatchObject({ id, coin: nativeCurrency.symbol });
});

test('no two chains share a chain ID or an endpoint', () => {
  const chains = chainNames.map(chainOf);
  const endpoints = chains.flatMap(({ publicEndpoints }) => publicEndpoints);
  expect(new Set(chains.map(({ id }) => id)).size).toBe(chains.length);
  expect(new Set(endpoints).size).toBe(endpoints.length);
});

test.each(['ETHEREUM', 'BSC'] as const)('the blob schedule of %s is in the order of time', (name) => {
  const { rules } = chainOf(name);
  const times = 'blobSchedule' in rules ? rules.blobSchedule.map(({ from }) => from) : [];
  expect(times.length).toBeGreaterThan(0);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

const opStack = chainNames.filter((name) => chainOf(name).rules.family === 'op-stack');

test.each(opStack)('the forks of %s are in the order of time', (name) => {
  const rules = opStackRulesOf(chainOf(name));
  const times = [
    rules.regolithTime,
    rules.canyonTime,
    rules.ecotoneTime,
    rules.fjordTime,
    rules.isthmusTime,
    rules.jovianTime,
  ];
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('a row of the OP stack with another coin or data layer does not compile', () => {
  const row = chainOf('BASE');
  const rules = opStackRulesOf(row);
  const ofOpStack: ChainRow = { ...row, coin: 'ETH', rules };
  // @ts-expect-error Celo's fees are in CELO.
  const celo: ChainRow = { ...row, coin: 'CELO', rules };
  // @ts-expect-error Mantle posts its data elsewhere.
  const mantle: ChainRow = { ...row, coin: 'ETH', rules: { ...rules, dataAvailability: 'alt-da' } };
  expect([celo, mantle].map(({ id }) => id)).toEqual([ofOpStack.id, ofOpStack.id]);
});
