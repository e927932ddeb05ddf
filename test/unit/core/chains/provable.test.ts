import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { isOnlyChecked, isRawProvable, unprovenOf } from '#core/chains/provable.ts';

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

test.each<[ChainName, number, boolean]>([
  ['ARBITRUM', 22_207_817, true],
  ['ARBITRUM', 22_207_818, false],
  ['OPTIMISM', 105_235_062, false],
  ['ETHEREUM', 0, false],
])('%s block %i is only checked, since nothing of it can be proven: %s', (name, number, is) => {
  expect(isOnlyChecked(chainOf(name).rules, number)).toBe(is);
});

test.each<[ChainName, number, boolean]>([
  ['ETHEREUM', 0, false],
  ['ETHEREUM', 1, true],
  ['OPTIMISM', 105_235_062, false],
  ['OPTIMISM', 105_235_063, true],
  ['POLYGON', 80_084_799, false],
  ['POLYGON', 80_084_800, true],
])('RLP is enough for %s block %i: %s', (name, number, is) => {
  expect(isRawProvable(chainOf(name).rules, number)).toBe(is);
});
