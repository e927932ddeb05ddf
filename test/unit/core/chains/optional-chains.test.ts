import * as viem from 'viem/chains';
import { chainNames, chainOf } from '#core/chains/chains.ts';
import { optionalChains } from '#core/chains/optional-chains.ts';
import { firstProvable } from '#core/chains/provable.ts';

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

test.each(
  Object.values(optionalChains).filter(
    ({ rules }) => rules.family === 'op-stack' || rules.family === 'arbitrum',
  ),
)('$title is younger than Bedrock and Nitro, so it has no block before them', ({ firstDay, rules }) => {
  expect(firstDay > (rules.family === 'arbitrum' ? '2022-06-01' : '2023-06-06')).toBe(true);
  expect(firstProvable(rules)).toBe(0);
});

test('Gnosis begins with its first block after the merge, whose last block of AuRa was 25,349,536', () => {
  expect(optionalChains.GNOSIS.firstBlock).toBe(25_349_536 + 1);
});

test('no chain is optional but these', () => {
  expect(chainNames.filter((name) => chainOf(name).isOptional)).toEqual(Object.keys(optionalChains));
});
