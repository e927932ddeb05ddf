import fc from 'fast-check';
import type { Receipt } from '../../../lambda/chains/block.ts';
import { type ChainName, chainNames, chainOf } from '../../../lambda/chains/chains.ts';
import { NO_FEES, totalFees } from '../../../lambda/chains/fee-parts.ts';
import { feesOfReceipt, needsGasPrice } from '../../../lambda/chains/receipt-fees.ts';
import { hashOf, header, receipt } from '../../support/builders.ts';

const fees = (name: ChainName, given: Partial<Receipt>, headerGiven: Parameters<typeof header>[0] = {}) =>
  feesOfReceipt(
    chainOf(name),
    header(headerGiven),
    receipt({ blockNumber: headerGiven?.number ?? 100, ...given }),
  );

const needsPrice = (name: ChainName, given: Partial<Receipt>) =>
  needsGasPrice(chainOf(name).rules, receipt(given));

const gas = { gasUsed: 1_000n, effectiveGasPrice: 7n };
const ISTHMUS = 1_746_806_401;
const JOVIAN = 1_764_691_201;

test.each(chainNames)('on %s the gas used is paid at its effective price', (name) => {
  expect(fees(name, { ...gas, type: 2, l1Fee: 0n })).toEqual({ ...NO_FEES, execution: 7_000n });
});

test('fees are exact far beyond what a number can hold', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 100n }),
      fc.bigInt({ min: 0n, max: 2n ** 100n }),
      (gasUsed, effectiveGasPrice) => {
        expect(totalFees(fees('ETHEREUM', { gasUsed, effectiveGasPrice }))).toBe(gasUsed * effectiveGasPrice);
      },
    ),
  );
});

test.each(chainNames)('on %s a transaction of an unknown type is refused, with its place', (name) => {
  expect(() => fees(name, { type: 0x42 })).toThrow(
    `${name} block 100, transaction ${hashOf('transaction 0')}: no fee rule covers its type 0x42`,
  );
});

describe('the effective price that a node leaves out', () => {
  const without = { gasUsed: 1_000n, effectiveGasPrice: undefined };

  test.each([0, 1])('is the price that a transaction of type %i itself named', (type) => {
    expect(needsPrice('ETHEREUM', { ...without, type })).toBe(true);
    expect(fees('ETHEREUM', { ...without, type, gasPrice: 9n }).execution).toBe(9_000n);
  });

  test.each([2, 3, 4])('is missing for type %i, whose own price is only a limit', (type) => {
    expect(needsPrice('ETHEREUM', { ...without, type })).toBe(false);
    expect(() => fees('ETHEREUM', { ...without, type, gasPrice: 9n })).toThrow('omitted effectiveGasPrice');
  });

  test.each([0, 1])(
    'is missing for type %i on Arbitrum, where the price that it named is only a bid',
    (type) => {
      expect(needsPrice('ARBITRUM', { ...without, type })).toBe(false);
      expect(() => fees('ARBITRUM', { ...without, type, gasPrice: 9n })).toThrow('omitted effectiveGasPrice');
    },
  );

  test('is missing when the transaction has none either', () => {
    expect(() => fees('ETHEREUM', { ...without, gasPrice: null })).toThrow('omitted effectiveGasPrice');
  });

  test('is taken from the receipt that has it, even as 0', () => {
    expect(needsPrice('ETHEREUM', { effectiveGasPrice: 0n })).toBe(false);
  });
});

describe('blobs', () => {
  const blob = { ...gas, blobGasUsed: 131_072n, blobGasPrice: 3n };

  test.each(['ETHEREUM', 'BSC'] as const)('are paid on %s by a blob transaction', (name) => {
    expect(fees(name, { ...blob, type: 3 })).toEqual({ ...NO_FEES, execution: 7_000n, blob: 393_216n });
  });

  test('are not paid by another type, though some nodes give it a blob price', () => {
    expect(fees('ETHEREUM', { ...blob, type: 2 }).blob).toBe(0n);
  });

  test.each(['blobGasUsed', 'blobGasPrice'])('cannot be priced without %s', (field) => {
    expect(() => fees('ETHEREUM', { ...blob, type: 3, [field]: undefined })).toThrow(`omitted ${field}`);
  });

  test.each(['POLYGON', 'ARBITRUM', 'OPTIMISM', 'BASE'] as const)('do not exist on %s', (name) => {
    expect(() => fees(name, { ...blob, type: 3, l1Fee: 0n })).toThrow('no fee rule covers its type 0x3');
  });
});

describe('on the OP stack', () => {
  test('the L1 fee comes on top', () => {
    expect(fees('BASE', { ...gas, l1Fee: 55n })).toEqual({ ...NO_FEES, execution: 7_000n, l1Data: 55n });
    expect(fees('OPTIMISM', { ...gas, effectiveGasPrice: 0n, l1Fee: 55n }).l1Data).toBe(55n);
  });

  test('a receipt without its L1 fee is refused', () => {
    expect(() => fees('BASE', { ...gas })).toThrow('omitted l1Fee');
  });

  test('a null L1 fee means no charge before Bedrock, and a missing field since', () => {
    expect(fees('OPTIMISM', { ...gas, l1Fee: null }, { number: 105_235_062 }).l1Data).toBe(0n);
    expect(() => fees('OPTIMISM', { ...gas, l1Fee: null }, { number: 105_235_063 })).toThrow('omitted l1Fee');
    expect(() => fees('BASE', { ...gas, l1Fee: null }, { number: 0 })).toThrow('omitted l1Fee');
  });

  test.each([0x7e, 0x7d])('type %i pays nothing, whatever its receipt says', (type) => {
    expect(fees('OPTIMISM', { ...gas, type, l1Fee: 5n, operatorFeeConstant: 5n })).toEqual(NO_FEES);
  });

  test('the data-availability footprint that Jovian calls blobGasUsed is not priced', () => {
    expect(fees('BASE', { ...gas, type: 2, l1Fee: 0n, blobGasUsed: 99n, blobGasPrice: 9n }).blob).toBe(0n);
  });

  test.each(['OPTIMISM', 'BASE'] as const)('the operator fee of %s follows the rule of its time', (name) => {
    const operator = (timestamp: number) =>
      fees(
        name,
        { gasUsed: 21_999n, l1Fee: 0n, operatorFeeScalar: 1_234n, operatorFeeConstant: 10n },
        { timestamp },
      ).operator;
    expect(operator(ISTHMUS - 1)).toBe(0n);
    expect(operator(ISTHMUS)).toBe(27n + 10n);
    expect(operator(JOVIAN - 1)).toBe(27n + 10n);
    expect(operator(JOVIAN)).toBe(21_999n * 1_234n * 100n + 10n);
  });

  test('the operator fee is 0 when both of its parameters are left out, and one alone is refused', () => {
    const at = { timestamp: JOVIAN };
    expect(fees('BASE', { ...gas, l1Fee: 0n }, at).operator).toBe(0n);
    expect(() => fees('BASE', { ...gas, l1Fee: 0n, operatorFeeScalar: 1n }, at)).toThrow(
      'omitted operatorFeeConstant',
    );
    expect(() => fees('BASE', { ...gas, l1Fee: 0n, operatorFeeConstant: 1n }, at)).toThrow(
      'omitted operatorFeeScalar',
    );
  });
});

describe('on Arbitrum', () => {
  test('gasUsed already holds the gas for L1', () => {
    expect(fees('ARBITRUM', { ...gas, type: 2 }).execution).toBe(7_000n);
  });

  test("a retryable's submission is kept apart, because its redeem reports the same gas", () => {
    expect(fees('ARBITRUM', { ...gas, type: 0x69 })).toEqual({ ...NO_FEES, retryableDoubleCount: 7_000n });
    expect(totalFees(fees('ARBITRUM', { ...gas, type: 0x69 }))).toBe(0n);
    expect(fees('ARBITRUM', { ...gas, type: 0x68 }).execution).toBe(7_000n);
  });

  test.each([0x64, 0x65, 0x66, 0x6a, 0x78])('type %i is priced by its gas', (type) => {
    expect(fees('ARBITRUM', { ...gas, type }).execution).toBe(7_000n);
  });
});

test("Polygon's state-sync transactions cost nothing and need no price, in either form", () => {
  const zero = `0x${'0'.repeat(40)}`;
  const synthetic = { from: zero, to: zero, gasUsed: 0n, effectiveGasPrice: undefined };
  expect(fees('POLYGON', synthetic)).toEqual(NO_FEES);
  expect(needsPrice('POLYGON', synthetic)).toBe(false);
  expect(fees('POLYGON', { type: 0x7f, gasUsed: 0n, effectiveGasPrice: undefined })).toEqual(NO_FEES);
});
