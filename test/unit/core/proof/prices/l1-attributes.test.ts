import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { readL1Attributes } from '#core/proof/prices/l1-attributes.ts';

const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
const deposit = (input: string) => ({ type: 0x7e, from: DEPOSITOR, input });
const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0');

/** The members since Ecotone: scalars, three 8-byte numbers, two fees, two hashes. */
const ecotone = hex(1, 4) + hex(2, 4) + hex(7, 24) + hex(3, 32) + hex(4, 32) + hex(8, 64);
const l1Fee = {
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
    l1Fee,
    operatorFee: { operatorFeeScalar, operatorFeeConstant },
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
