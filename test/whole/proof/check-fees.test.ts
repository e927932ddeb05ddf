import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import { type Fees, NO_FEES } from '#core/figures/fee-parts.ts';
import { addressOf } from '#test/support/generators/blocks/builders.ts';
import { answersOf, check } from '#test/support/generators/blocks/checked-block.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';

/* The figures of a checked block, as the receipt of its only transaction states them. */

type Amounts = Readonly<Record<string, string | number | bigint | null | undefined>>;

const inHex = (given: Amounts): Json =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'bigint' ? hex(value) : value,
    ]),
  );

interface Given {
  readonly transaction?: Amounts;
  readonly header?: Amounts;
}

/** Returns the totals of a block with one transfer. */
function totals(name: ChainName, receipt: Amounts, { transaction = {}, header = {} }: Given = {}) {
  const { gasUsed = 21_000 } = receipt;
  const { number = 100 } = header;
  const answers = answersOf(1, (transfer) => ({
    ...transfer,
    ...inHex({ blockNumber: number, ...receipt, gasUsed, cumulativeGasUsed: gasUsed }),
  }));
  const transactions = answers.block.transactions.map((one) => ({ ...one, ...inHex(transaction) }));
  return check(chainOf(name), { ...answers, block: { ...answers.block, ...inHex(header), transactions } });
}

const fees = (...given: Parameters<typeof totals>): Fees => totals(...given).fees;
const feesOf = (name: ChainName, receipt: Amounts) => () => fees(name, receipt);

const gas = { gasUsed: 1_000, effectiveGasPrice: 7 };

test.each(chainNames)('on %s a transaction of an unknown type is refused as an unknown rule', (name) => {
  expect(feesOf(name, { type: 0x42 })).toThrow(
    expect.objectContaining({
      field: 'receipts[0].type',
      message: expect.stringContaining('no fee rule covers its type 0x42'),
      isRuleChange: true,
    }),
  );
});

describe('the effective price that a node leaves out', () => {
  const without = { gasUsed: 1_000, effectiveGasPrice: undefined };
  const named = { transaction: { gasPrice: 9 } };
  const omitted = 'receipts[0].effectiveGasPrice: a figure depends on it';

  test.each([0, 1])('is the price that a transaction of type %i itself named', (type) => {
    expect(fees('ETHEREUM', { ...without, type }, named).execution).toBe(9_000n);
  });

  test.each([
    ['type 2, whose own price is only a limit', 'ETHEREUM', 2, named],
    ['type 3, whose own price is only a limit', 'ETHEREUM', 3, named],
    ['type 4, whose own price is only a limit', 'ETHEREUM', 4, named],
    ['type 0 on Arbitrum, where the price that it named is only a bid', 'ARBITRUM', 0, named],
    ['type 1 on Arbitrum, where the price that it named is only a bid', 'ARBITRUM', 1, named],
    ['a transaction that has none either', 'ETHEREUM', 0, { transaction: { gasPrice: null } }],
  ] as const)('is missing for %s', (_, name, type, given) => {
    expect(() => fees(name, { ...without, type }, given)).toThrow(omitted);
  });

  test('is taken from the receipt that has it, even as 0', () => {
    expect(fees('ETHEREUM', { ...gas, effectiveGasPrice: 0 }, named)).toEqual(NO_FEES);
  });
});

describe('blobs', () => {
  const blob = { ...gas, blobGasUsed: 131_072, blobGasPrice: 3 };

  test.each(['ETHEREUM', 'BSC'] as const)('are paid on %s by a blob transaction', (name) => {
    expect(fees(name, { ...blob, type: 3 })).toEqual({ ...NO_FEES, execution: 7_000n, blob: 393_216n });
  });

  test.each(['blobGasUsed', 'blobGasPrice'])('cannot be priced without %s', (field) => {
    expect(feesOf('ETHEREUM', { ...blob, type: 3, [field]: undefined })).toThrow(`receipts[0].${field}: `);
  });

  test.each(['POLYGON', 'ARBITRUM', 'OPTIMISM', 'BASE'] as const)('do not exist on %s', (name) => {
    expect(feesOf(name, { ...blob, type: 3, l1Fee: 0 })).toThrow('no fee rule covers its type 0x3');
  });
});

describe('on the OP stack', () => {
  test('the L1 fee comes on top', () => {
    expect(fees('BASE', { ...gas, l1Fee: 55 })).toEqual({ ...NO_FEES, execution: 7_000n, l1Data: 55n });
    expect(fees('OPTIMISM', { ...gas, effectiveGasPrice: 0, l1Fee: 55 }).l1Data).toBe(55n);
  });

  test('a receipt without its L1 fee is refused', () => {
    expect(feesOf('BASE', gas)).toThrow('receipts[0].l1Fee: ');
  });

  test('a null L1 fee means no charge before Bedrock where nothing is paid, and a missing field elsewhere', () => {
    const at = (number: number) => ({ header: { number } });
    const free = { ...gas, effectiveGasPrice: 0, l1Fee: null };
    expect(fees('OPTIMISM', free, at(105_235_062)).l1Data).toBe(0n);
    expect(() => fees('OPTIMISM', { ...gas, l1Fee: null }, at(105_235_062))).toThrow(
      'synced from a snapshot',
    );
    expect(() => fees('OPTIMISM', { ...gas, l1Fee: null }, at(105_235_063))).toThrow('l1Fee: ');
    expect(() => fees('OPTIMISM', gas, at(105_235_062))).toThrow('l1Fee: ');
    expect(() => fees('BASE', { ...gas, l1Fee: null }, at(0))).toThrow('l1Fee: ');
  });

  test.each([0x7e, 0x7d])('type %i pays nothing, whatever its receipt says', (type) => {
    expect(fees('OPTIMISM', { ...gas, type, l1Fee: 5, operatorFeeConstant: 5 })).toEqual(NO_FEES);
    expect(fees('OPTIMISM', { gasUsed: 1_000, type, effectiveGasPrice: undefined })).toEqual(NO_FEES);
  });

  test('the data-availability footprint that Jovian calls blobGasUsed is not priced', () => {
    expect(fees('BASE', { ...gas, type: 2, l1Fee: 0, blobGasUsed: 99, blobGasPrice: 9 }).blob).toBe(0n);
  });

  test('the operator fee is 0 when both of its parameters are left out, and one alone is refused', () => {
    expect(fees('BASE', { ...gas, l1Fee: 0 }).operator).toBe(0n);
    expect(feesOf('BASE', { ...gas, l1Fee: 0, operatorFeeScalar: 1 })).toThrow('operatorFeeConstant: ');
    expect(feesOf('BASE', { ...gas, l1Fee: 0, operatorFeeConstant: 1 })).toThrow('operatorFeeScalar: ');
  });
});

test.each([0x64, 0x65, 0x66, 0x69, 0x6a, 0x78])('on Arbitrum, type %i is priced by its gas', (type) => {
  expect(fees('ARBITRUM', { ...gas, type }).execution).toBe(7_000n);
});

describe('on BSC, a call of the miner to a system contract at price 0', () => {
  const system = {
    from: addressOf('miner').toUpperCase().replace('X', 'x'),
    to: '0x0000000000000000000000000000000000001000',
    effectiveGasPrice: 0,
  };

  const free = { transaction: { gasPrice: 0 } };

  test('is of the protocol, whether the receipt states the price or not', () => {
    const protocolIn = (receipt: Amounts, given: Given = free) =>
      totals('BSC', receipt, given).protocolTransactions;
    expect(protocolIn(system)).toBe(1);
    expect(protocolIn({ ...system, effectiveGasPrice: undefined })).toBe(1);
    expect(protocolIn({ ...system, from: addressOf('sender') })).toBe(0);
    expect(protocolIn({ ...system, to: null })).toBe(0);
    expect(protocolIn({ ...system, type: 2 }, { transaction: { maxFeePerGas: 1 } })).toBe(0);
    expect(protocolIn({ ...system, type: 2 }, { transaction: { maxFeePerGas: 0 } })).toBe(1);
  });

  test('is refused when the node omitted the miner', () => {
    expect(() => totals('BSC', system, { ...free, header: { miner: undefined } })).toThrow(
      'receipts[0].miner of the block: a figure depends on it, and the node left it out',
    );
  });
});
