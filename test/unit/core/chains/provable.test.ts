import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { unprovenOf } from '#core/chains/provable.ts';

test.each<[ChainName, number, string | undefined]>([
  ['ARBITRUM', 22_207_817, 'everything'],
  ['ARBITRUM', 22_207_818, undefined],
  ['OPTIMISM', 105_235_062, 'l1Fee'],
  ['OPTIMISM', 105_235_063, undefined],
  ['BASE', 0, undefined],
  ['ETHEREUM', 0, undefined],
  ['BSC', 0, undefined],
  ['POLYGON', 0, undefined],
])('%s block %i cannot be proven in: %s', (name, number, what) => {
  expect(unprovenOf(chainOf(name).rules, number)?.what).toBe(what);
});
