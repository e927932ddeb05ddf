import * as viem from 'viem/chains';
import { chainNames, chainOf } from '#core/chains/chains.ts';
import { optionalChains } from '#core/chains/optional-chains.ts';

test.each([
  ['UNICHAIN', viem.unichain],
  ['WORLD_CHAIN', viem.worldchain],
  ['ARBITRUM_NOVA', viem.arbitrumNova],
  ['INK', viem.ink],
  ['SONEIUM', viem.soneium],
  ['ZORA', viem.zora],
  ['MODE', viem.mode],
  ['BOB', viem.bob],
  ['GNOSIS', viem.gnosis],
] as const)('%s has the chain ID and the coin that viem knows', (name, { id, nativeCurrency }) => {
  expect(optionalChains[name].id).toBe(id);
  expect(optionalChains[name].coin.toUpperCase()).toBe(nativeCurrency.symbol.toUpperCase());
});

test('no chain is optional but these', () => {
  expect(chainNames.filter((name) => chainOf(name).isOptional)).toEqual(Object.keys(optionalChains));
});
