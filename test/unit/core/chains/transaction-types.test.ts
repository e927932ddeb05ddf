import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { hasSinglePrice, isKnownType, isUnpaid, unknownTypeProblem } from '#core/chains/transaction-types.ts';

/* The types of EIP-2718 that each family of chains knows, and those that state their price or pay nothing. */

const FAMILIES = ['ETHEREUM', 'BSC', 'POLYGON', 'OPTIMISM', 'ARBITRUM'] as const;

/** Lists the types, of one byte, that pass a test on a chain. */
const typesOf = (name: ChainName, passes: typeof isKnownType) =>
  Array.from({ length: 256 }, (_, type) => type).filter((type) => passes(chainOf(name).rules, type));

test.each<[ChainName, number[]]>([
  ['ETHEREUM', [0, 1, 2, 3, 4]],
  ['BSC', [0, 1, 2, 3, 4]],
  ['POLYGON', [0, 1, 2, 4, 0x7f]],
  ['OPTIMISM', [0, 1, 2, 4, 0x7d, 0x7e]],
  ['ARBITRUM', [0, 1, 2, 4, 0x64, 0x65, 0x66, 0x68, 0x69, 0x6a, 0x78]],
])('a fee rule of %s covers the types %j', (name, types) => {
  expect(typesOf(name, isKnownType)).toEqual(types);
});

test.each<[ChainName, number[]]>([
  ['ETHEREUM', []],
  ['BSC', []],
  ['POLYGON', [0x7f]],
  ['OPTIMISM', [0x7d, 0x7e]],
  ['ARBITRUM', []],
])('on %s, only the types %j never pay', (name, types) => {
  expect(typesOf(name, isUnpaid)).toEqual(types);
});

test('only transactions before EIP-1559 name a single price', () => {
  const known = new Set(FAMILIES.flatMap((name) => typesOf(name, isKnownType)));
  expect([...known].filter(hasSinglePrice)).toEqual([0, 1]);
});

test('an unknown type is named as its specification writes it', () => {
  expect(unknownTypeProblem(0x6b)).toContain('its type 0x6b');
});
