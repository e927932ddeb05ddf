import { readFileSync } from 'node:fs';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import type { Transaction } from '#core/proof/fields/read-transactions.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import {
  l1FeeOf,
  l1PricesOf,
  operatorFee,
  readL1Attributes,
  statedL1Fee,
} from '#core/proof/prices/l1-fee.ts';
import { baseGoerli, opStackRulesOf } from '#test/support/generators/blocks/base-goerli.ts';
import { recordedHeadersOf } from '#test/support/generators/blocks/recorded-headers.ts';

interface RealFee {
  readonly formula: string;
  readonly chain: 'BASE_GOERLI' | 'OPTIMISM' | 'BASE';
  readonly timestamp: number;
  readonly attributes: string;
  readonly payload: string;
  readonly l1Fee: string;
}

const real: RealFee[] = JSON.parse(readFileSync('test/fixtures/l1-fees.json', 'utf8'));

const deposit = (input: string) => ({
  type: 0x7e,
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  input,
});

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'));

const rulesOf = (chain: RealFee['chain']) =>
  opStackRulesOf(chain === 'BASE_GOERLI' ? baseGoerli : chainOf(chain));

const feeOf = ({ chain, timestamp, attributes, payload }: RealFee): bigint =>
  l1FeeOf(rulesOf(chain), timestamp, readL1Attributes(deposit(attributes)).l1Fee)(bytesOf(payload));

test.each(real)('derives the L1 fee of a real transaction of $chain: $formula', (given) => {
  expect(String(feeOf(given))).toBe(given.l1Fee);
});

describe('the prices of L1', () => {
  const [{ attributes, timestamp }] = real.filter(
    ({ formula, chain }) => chain === 'BASE' && formula !== 'Bedrock',
  ) as [RealFee];
  const [header] = recordedHeadersOf('sepolia') as [RpcHeader];
  const pricesOf = (chain: ChainName, number: number, first?: Pick<Transaction, 'type' | 'from' | 'input'>) =>
    l1PricesOf(
      chainOf(chain).rules,
      { ...header, number: `0x${number.toString(16)}`, timestamp: `0x${timestamp.toString(16)}` },
      first && { ...first, payload: new Uint8Array() },
    );

  test('follow from the first transaction of a block of the OP stack', () => {
    const prices = pricesOf('BASE', 30_000_000, deposit(attributes));
    expect(prices?.operatorFee).toEqual(readL1Attributes(deposit(attributes)).operatorFee);
    expect(prices?.l1Fee(new Uint8Array(200))).toBeGreaterThan(0n);
    expect(() => pricesOf('BASE', 30_000_000, { type: 0 })).toThrow('must be the L1 attributes deposit');
  });

  test.each<[string, ChainName, number]>([
    ['on another chain', 'ETHEREUM', 30_000_000],
    ['before Bedrock, where receipts state the fee', 'OPTIMISM', 105_235_062],
  ])('are not known %s', (_, chain, number) => {
    expect(pricesOf(chain, number, deposit(attributes))).toBeUndefined();
    expect(pricesOf(chain, number, { type: 0 })).toBeUndefined();
  });

  test('are none in the genesis of the OP stack, which has no transactions', () => {
    expect(pricesOf('BASE', 0)).toBeUndefined();
  });
});

const formula = (name: string): RealFee => {
  const found = real.find((given) => given.formula === name);
  if (!found) throw new Error(`no real fee of ${name}`);
  return found;
};

test('charges 68 bytes for a signature until Regolith, besides the payload', () => {
  const rules = rulesOf('BASE_GOERLI');
  const parameters = { formula: 'bedrock', l1BaseFee: 1_000_000n, overhead: 5n, scalar: 1n } as const;
  const gasAt = (timestamp: number) => l1FeeOf(rules, timestamp, parameters)(Uint8Array.of(0, 1));
  const payload = 4n + 16n;
  expect(gasAt(rules.regolithTime - 1)).toBe(payload + 5n + 68n * 16n);
  expect(gasAt(rules.regolithTime)).toBe(payload + 5n);
});

test('believes a receipt from before Bedrock, unless a fee was paid and it states none', () => {
  expect([statedL1Fee('0x10', true), statedL1Fee('0x10', false)]).toEqual([16n, 16n]);
  expect(statedL1Fee(null, false)).toBe(0n);
  const incomplete = expect.objectContaining({ isIncomplete: true });
  expect(() => statedL1Fee(null, true)).toThrow(incomplete);
  for (const isPaid of [true, false]) expect(() => statedL1Fee(undefined, isPaid)).toThrow(incomplete);
});

test('takes the formula of Bedrock in the first block of Ecotone, whose attributes are still those of Bedrock', () => {
  const bedrock = formula('Bedrock');
  const { ecotoneTime } = rulesOf('OPTIMISM');
  expect(String(feeOf({ ...bedrock, timestamp: ecotoneTime }))).toBe(bedrock.l1Fee);
});

test('accepts attributes of Ecotone from its time on, and refuses them earlier', () => {
  const { ecotoneTime } = rulesOf('OPTIMISM');
  expect(String(feeOf({ ...formula('Ecotone'), timestamp: ecotoneTime }))).toBe(formula('Ecotone').l1Fee);
  expect(() => feeOf({ ...formula('Ecotone'), timestamp: ecotoneTime - 1 })).toThrow(ProofError);
});

test('charges for the size before compression until Fjord, and by FastLZ from then on', () => {
  const { fjordTime } = rulesOf('OPTIMISM');
  const ecotone = formula('Ecotone');
  const zeros = { ...ecotone, payload: `0x${'00'.repeat(4_000)}` };
  const before = feeOf({ ...zeros, timestamp: fjordTime - 1 });
  const after = feeOf({ ...zeros, timestamp: fjordTime });
  // 4,000 zeros are 16,000 of calldata gas, or 1,000 bytes of 16; compressed they are of the least size, 100 bytes.
  expect(before / after).toBe(10n);
});

describe('the operator fee', () => {
  const rules = rulesOf('OPTIMISM');
  const parameters = { operatorFeeScalar: 1_000_001n, operatorFeeConstant: 10n };
  const at = (timestamp: number) => operatorFee(rules, timestamp, 4_999_999n, parameters);

  test('is 0 before Isthmus', () => {
    expect(at(rules.isthmusTime - 1)).toBe(0n);
  });

  test('rounds the scaled gas down from Isthmus until Jovian', () => {
    expect([at(rules.isthmusTime), at(rules.jovianTime - 1)]).toEqual([5_000_013n, 5_000_013n]);
  });

  test('multiplies gas and scalar by 100 since Jovian', () => {
    expect(at(rules.jovianTime)).toBe(4_999_999n * 1_000_001n * 100n + 10n);
  });
});

const hex = (value: number | bigint, bytes: number) => value.toString(16).padStart(2 * bytes, '0');

/** The members since Ecotone: scalars, three 8-byte numbers, two fees, two hashes. */
const ecotone = hex(1, 4) + hex(2, 4) + hex(7, 24) + hex(3, 32) + hex(4, 32) + hex(8, 64);
const attributes = {
  formula: 'ecotone',
  baseFeeScalar: 1n,
  blobBaseFeeScalar: 2n,
  l1BaseFee: 3n,
  l1BlobBaseFee: 4n,
};

test.each([
  ['Ecotone', `440a5e20${ecotone}`, 0n, 0n],
  ['Isthmus', `098999be${ecotone}${hex(5, 4)}${hex(6, 8)}`, 5n, 6n],
  ['Jovian', `3db6be2b${ecotone}${hex(5, 4)}${hex(6, 8)}${hex(400, 2)}`, 5n, 6n],
])('reads the layout of %s', (_, input, operatorFeeScalar, operatorFeeConstant) => {
  expect(readL1Attributes(deposit(`0x${input}`))).toEqual({
    l1Fee: attributes,
    operatorFee: { operatorFeeScalar, operatorFeeConstant },
  });
});

test('reads whole words in the layout of Bedrock, after those of number, time, base fee, hash, sequence and sender', () => {
  const [l1BaseFee, overhead, scalar] = [2n ** 255n + 1n, 2n ** 255n + 2n, 2n ** 255n + 3n];
  const words = [7, 8, l1BaseFee, 9, 10, 11, overhead, scalar].map((value) => hex(value, 32));
  expect(readL1Attributes(deposit(`0x015d8eb9${words.join('')}`))).toEqual({
    l1Fee: { formula: 'bedrock', l1BaseFee, overhead, scalar },
    operatorFee: { operatorFeeScalar: 0n, operatorFeeConstant: 0n },
  });
});

test.each([
  ['an unknown selector', `0x12345678${ecotone}`],
  ['a byte too many', `0x440a5e20${ecotone}00`],
  ['a byte too few', `0x440a5e20${ecotone.slice(2)}`],
  ['no input', '0x'],
])('refuses %s as a fork', (_, input) => {
  expect(() => readL1Attributes(deposit(input))).toThrow('this chain has forked: update Chain Insights');
});

test.each([
  [
    "a user's deposit",
    { ...deposit(`0x440a5e20${ecotone}`), from: '0x0000000000000000000000000000000000000001' },
  ],
  ['a signed transaction', { ...deposit(`0x440a5e20${ecotone}`), type: 2 }],
])('refuses a block that begins with %s', (_, first) => {
  expect(() => readL1Attributes(first)).toThrow(ProofError);
});
