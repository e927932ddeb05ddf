import { readFileSync } from 'node:fs';
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

test.each([
  // https://data.chain.link and Chainlink's reference data, on 2026-09-26
  ['ETHEREUM', 3_600],
  ['ARBITRUM', 1_755],
  ['BSC', 27],
  ['OPTIMISM', 1_200],
  ['BASE', 1_200],
  ['POLYGON', 27],
] as const)(
  'a price of the feed on %s, with a heartbeat of %i s, is stale after two, rounded up',
  (name, heartbeat) => {
    expect(chainOf(name).priceFeed?.maxAge).toBe(Math.max(300, Math.ceil((2 * heartbeat) / 100) * 100));
  },
);

test.each([
  // The classic node of Arbitrum ends with 22,207,817. https://github.com/maticnetwork/Polygon-Improvement-Proposals: PIP-80 and PIP-83
  ['ARBITRUM', { nitroBlock: 22_207_817 + 1, lastArbosVersion: 61 }],
  ['POLYGON', { stateSyncTypeFrom: 80_084_800, giuglianoBlock: 85_245_000 }],
] as const)('the rules of %s change at the announced blocks', (name, rules) => {
  expect(chainOf(name).rules).toMatchObject(rules);
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

test('OP Mainnet has a block every two seconds since Bedrock, so its first one follows from a recorded block', () => {
  const { block } = JSON.parse(readFileSync('test/fixtures/blocks/OPTIMISM-107353722.json', 'utf8'));
  const since = Number(block.timestamp) - Date.parse('2023-06-06T16:28:23Z') / 1_000;
  expect(opStackRulesOf(chainOf('OPTIMISM')).bedrockBlock).toBe(Number(block.number) - since / 2);
});

test.each(opStack.filter((name) => name !== 'OPTIMISM'))(
  '%s is younger than Bedrock, so it has no block before it',
  (name) => {
    expect(chainOf(name).firstDay > '2023-06-06').toBe(true);
    expect(opStackRulesOf(chainOf(name)).bedrockBlock).toBe(0);
  },
);

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
