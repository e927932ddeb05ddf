import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import type { Transaction } from '#core/proof/fields/read-transactions.ts';
import { effectiveGasPrice } from '#core/proof/prices/eip1559.ts';

const BASE_FEE = 100n;

const priceOf = (
  name: ChainName,
  type: number,
  given: Partial<Transaction>,
  baseFee: bigint | undefined = BASE_FEE,
  gasUsed = 21_000n,
) => effectiveGasPrice(chainOf(name).rules, { type, ...given }, baseFee, gasUsed);

const withoutArbitrum = chainNames.filter((name) => chainOf(name).rules.family !== 'arbitrum');
const dynamic = { feeCap: 0x96n, tip: 0xan };

describe.each(withoutArbitrum)('on %s', (name) => {
  test.each([2, 3, 4])('type %i pays the base fee and its tip, up to its maximum', (type) => {
    expect(priceOf(name, type, dynamic)).toBe(110n);
    expect(priceOf(name, type, { ...dynamic, tip: 0x64n })).toBe(150n);
  });
});

describe.each(chainNames)('on %s', (name) => {
  test.each([
    ['gasPrice', 0, { feeCap: 0x63n }],
    ['maxFeePerGas', 2, { ...dynamic, feeCap: 0x63n }],
  ])(
    'a %s below the base fee is a change of rules, as in reserved blockspace of Polygon',
    (_, type, given) => {
      expect(() => priceOf(name, type, given)).toThrow(expect.objectContaining({ isRuleChange: true }));
    },
  );
});

test.each(withoutArbitrum)(
  'on %s an offer of exactly the base fee pays it, and one gas needs such an offer',
  (name) => {
    expect(priceOf(name, 0, { feeCap: BASE_FEE })).toBe(BASE_FEE);
    expect(priceOf(name, 2, { feeCap: BASE_FEE, tip: 5n })).toBe(BASE_FEE);
    expect(priceOf(name, 0, { feeCap: 99n }, BASE_FEE, 0n)).toBe(99n);
    expect(() => priceOf(name, 0, { feeCap: 99n }, BASE_FEE, 1n)).toThrow('it offers 99');
  },
);

test.each([0, 1, 2, 4, 0x65, 0x68, 0x69])(
  'on Arbitrum, type %i pays the base fee whatever it bids',
  (type) => {
    expect(priceOf('ARBITRUM', type, dynamic)).toBe(BASE_FEE);
    expect(() => priceOf('ARBITRUM', type, { feeCap: 0x63n })).toThrow('it offers 99');
  },
);

test.each([
  [0x64, {}],
  [0x6a, {}],
  [0x69, { feeCap: 0n }],
])('on Arbitrum, type %i need not offer the price of gas that it does not use', (type, given) => {
  expect(priceOf('ARBITRUM', type, given, BASE_FEE, 0n)).toBe(BASE_FEE);
});

test('on BSC, a price of 0 is allowed', () => {
  expect(priceOf('BSC', 0, { feeCap: 0n }, 0n)).toBe(0n);
  expect(priceOf('BSC', 0, { feeCap: 0n })).toBe(0n);
});

test.each([
  ['OPTIMISM', 0x7e],
  ['BASE', 0x7e],
  ['OPTIMISM', 0x7d],
  ['POLYGON', 0x7f],
] as const)('on %s, type %i pays nothing, whatever price the node shows', (name, type) => {
  expect(priceOf(name, type, { feeCap: 0x78n })).toBe(0n);
});

test.each([0, 2])('names the field when a transaction of type %i has no offer', (type) => {
  expect(() => priceOf('ETHEREUM', type, {})).toThrow(expect.objectContaining({ field: 'maxFeePerGas' }));
});
