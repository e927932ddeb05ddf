import { encodeAbiParameters, toFunctionSelector, toRlp } from 'viem';
import { chainOf } from '#core/chains/chains.ts';
import {
  type ArbosHeader,
  checkHeaderRules,
  hasMultiGasConstraints,
  MULTI_GAS_ARBOS_VERSION,
  MULTI_GAS_CONSTRAINTS_CALL,
  readArbosInfo,
} from '#core/proof/fields/tripwires.ts';

const { rules } = chainOf('ARBITRUM');

/** Sends of 8 bytes, L1 block of 8, ArbOS version of 8, then the flag of tips in the second byte of the rest. */
const mixHashOf = (version: number, tips = '00') =>
  `0x000000000001d5010000000001310326${version.toString(16).padStart(16, '0')}00${tips}000000000000`;

const ofArbos = { difficulty: '0x1', baseFeePerGas: '0x989680', extraData: `0x${'ab'.repeat(32)}` };

function check(mixHash: string, given: ArbosHeader = {}): void {
  checkHeaderRules(rules, { number: '0x1', ...ofArbos, mixHash, ...given });
}

test('reads the ArbOS version of a real block', () => {
  // ARBITRUM 400553223
  const mixHash = '0x0000000000025b5500000000016b3df200000000000000280000000000000000';
  expect(readArbosInfo({ ...ofArbos, mixHash }).version).toBe(40);
});

test.each<[string, ArbosHeader]>([
  ['a difficulty that throws when it is made a number', { difficulty: { toString: 1 } }],
  ['another difficulty, as a development chain has', { difficulty: '0x0' }],
  ['extra data of another length', { extraData: '0x' }],
  ['a base fee of 0', { baseFeePerGas: '0x0' }],
  ['no base fee, as an imported block has', { baseFeePerGas: undefined }],
  ['no mixHash', { mixHash: undefined }],
  ['members that are not strings, as a faulty node may give', { mixHash: 5, extraData: {} }],
])('finds no ArbOS version in a header with %s', (_, given) => {
  const mixHash = mixHashOf(62, '01');
  expect(readArbosInfo({ ...ofArbos, mixHash, ...given }).version).toBe(0);
  expect(() => check(mixHash, given)).not.toThrow();
});

test.each(['0x', `0x${'zz'.repeat(32)}`, `${mixHashOf(62)}00`])(
  'refuses a header of ArbOS with the mixHash %s, as only one that is not proven may have',
  (mixHash) => {
    expect(() => readArbosInfo({ ...ofArbos, mixHash })).toThrow('it is not 32 bytes');
  },
);

test.each([
  ['the flag of ArbOS 60 and later', mixHashOf(61, '01')],
  ['ArbOS 9, which always did', mixHashOf(9)],
])('refuses a block that collects tips, by %s', (_, mixHash) => {
  expect(() => check(mixHash)).toThrow('this block collects tips');
});

test('a newer ArbOS than 61 is a change of rules, and 61 is not', () => {
  expect(() => check(mixHashOf(61))).not.toThrow();
  expect(() => check(mixHashOf(62))).toThrow(
    expect.objectContaining({ field: 'mixHash', isRuleChange: true }),
  );
});

test.each([
  ['the least base fee', { baseFeePerGas: '0x1' }],
  ['numbers instead of hex', { difficulty: 1, baseFeePerGas: 7 }],
])('reads the ArbOS version of a header with %s', (_, given) => {
  expect(readArbosInfo({ ...ofArbos, mixHash: mixHashOf(61), ...given }).version).toBe(61);
});

test.each(['BSC', 'POLYGON', 'BASE', 'ARBITRUM'] as const)(
  'a field of Amsterdam on %s is a change of rules',
  (name) => {
    const header = { number: '0x1', blockAccessListHash: `0x${'12'.repeat(32)}` };
    expect(() => checkHeaderRules(chainOf(name).rules, header)).toThrow(
      expect.objectContaining({ field: 'blockAccessListHash', isRuleChange: true }),
    );
    expect(() => checkHeaderRules(chainOf('ETHEREUM').rules, header)).not.toThrow();
  },
);

test('the method of multi-gas constraints exists since ArbOS 60', () => {
  // https://github.com/OffchainLabs/nitro precompiles/precompile.go: params.ArbosVersion_60.
  expect(MULTI_GAS_ARBOS_VERSION).toBe(60);
});

test('asks for the multi-gas constraints by the selector of their method', () => {
  expect(MULTI_GAS_CONSTRAINTS_CALL.data).toBe(toFunctionSelector('getMultiGasPricingConstraints()'));
});

/** An array as the ABI encodes it. Its elements do not matter. */
const constraints = (count: number) =>
  encodeAbiParameters([{ type: 'uint256[]' }], [Array<bigint>(count).fill(7n)]);

test.each([
  [0, false],
  [1, true],
  [3, true],
])('with %i constraints, multi-gas pricing is set: %s', (count, isSet) => {
  expect(hasMultiGasConstraints(constraints(count))).toBe(isSet);
});

test.each(['0x', '0x1', `0x${'00'.repeat(64)}`])('refuses %s, which is not an array', (result) => {
  expect(() => hasMultiGasConstraints(result)).toThrow('which is not an ABI-encoded array');
});

describe("the extra data of Polygon's headers", () => {
  const polygon = chainOf('POLYGON').rules;
  const vanity = '00'.repeat(32);
  const seal = '00'.repeat(65);
  const listOf = (...items: string[]) => `0x${vanity}${toRlp(items as `0x${string}`[]).slice(2)}${seal}`;
  const known = ['0x', '0x', '0x01c9c380', '0x40'];
  const checkAt = (number: number, extraData: unknown) =>
    checkHeaderRules(polygon, { number: `0x${number.toString(16)}`, extraData });

  test.each([
    ['four members, as since Giugliano', listOf(...known)],
    ['three, as since Austin', listOf(...known.slice(1))],
  ])('may list %s', (_, extraData) => {
    expect(() => checkAt(91_949_700, extraData)).not.toThrow();
  });

  test('is not limited before Giugliano, block 85,245,000', () => {
    const extraData = listOf(...known, '0x', '0x');
    expect(() => checkAt(85_244_999, extraData)).not.toThrow();
    expect(() => checkAt(85_245_000, extraData)).toThrow('it does not list up to 4 members');
    const other = { number: '0x7fffffff', extraData };
    expect(() => checkHeaderRules(chainOf('BSC').rules, other)).not.toThrow();
  });

  test.each([
    ['lists the gas and the capacity of reserved blockspace', listOf(...known, '0x', '0x')],
    ['lists them after three members', listOf(...known.slice(1), '0x', '0x')],
    ['is not a list', `0x${vanity}01${seal}`],
    ['has a list that ends early', `0x${vanity}c2${seal}`],
    ['is empty', '0x'],
    ['is missing', undefined],
  ])('that %s is a change of rules', (_, extraData) => {
    expect(() => checkAt(91_949_700, extraData)).toThrow(
      expect.objectContaining({ field: 'extraData', isRuleChange: true }),
    );
  });
});
