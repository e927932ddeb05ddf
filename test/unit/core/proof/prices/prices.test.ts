import { toBytes, toRlp } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { readTransactions, type Transaction } from '#core/proof/fields/read-transactions.ts';
import { recoverSigner } from '#core/proof/fields/signer.ts';
import { proveTransactions } from '#core/proof/fields/transactions.ts';
import { stateSyncHash } from '#core/proof/hashed-body.ts';
import { proveHeader } from '#core/proof/header.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import type { RpcBlock, RpcHeader, RpcReceipt } from '#core/proof/json/rpc-types.ts';
import { measuresOf, type PriceContext, priceContext, priceTransaction } from '#core/proof/prices/prices.ts';
import { baseGoerli, opStackRulesOf } from '#test/support/generators/blocks/base-goerli.ts';
import {
  fullBlockFolders,
  partialBlockNames,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';

const STATED = [
  'effectiveGasPrice',
  'blobGasUsed',
  'blobGasPrice',
  'l1Fee',
  'operatorFeeScalar',
  'operatorFeeConstant',
] as const;

/** Compares what receipts state with the derived prices, where the price depends on a field. */
function contradictions(chain: Chain, block: RpcBlock, receipts: readonly RpcReceipt[]): readonly string[] {
  const pseudo = stateSyncHash(Number(block.number), block.hash);
  const transactions = block.transactions.filter(({ hash }) => hash !== pseudo);
  const hashed = proveTransactions(chain, transactions, block.transactionsRoot);
  const read = readTransactions(
    chain,
    hashed.map(({ payload }) => payload),
  );
  const context = priceContext(chain, block, read);
  return receipts.flatMap((receipt) => {
    const index = transactions.findIndex(({ hash }) => hash === receipt.transactionHash);
    if (index < 0) return [];
    const outcome = { gasUsed: BigInt(receipt.gasUsed ?? 0), isFailed: false };
    const { stated } = priceTransaction(context, read[index] as Transaction, outcome, index);
    return STATED.filter((name) => receipt[name] != null && stated[name] !== undefined)
      .filter((name) => BigInt(receipt[name] as string) !== stated[name])
      .map((name) => `${name} of ${receipt.transactionHash}: ${receipt[name]}, not ${stated[name]}`);
  });
}

// Of a complete block, the proof compares them.
test.each(partialBlockNames)(
  '%s hashes to its hash, and every price that a receipt states is derived',
  (name) => {
    const full = readFullBlock(fullBlockFolders.partial, name);
    const block = decodeBlock(full.block);
    expect(proveHeader(block)).toBe(block.hash);
    const chain = name.includes(baseGoerli.name) ? baseGoerli : chainOf(full.chain);
    expect(contradictions(chain, block, decodeReceipts(full.receipts))).toEqual([]);
  },
);

const context = (given: Partial<PriceContext>): PriceContext => ({
  rules: chainOf('ETHEREUM').rules,
  timestamp: 1_790_000_000,
  miner: '0x0000000000000000000000000000000000000aaa',
  gasLimit: 30_000_000n,
  baseFee: 100n,
  recoverSigner,
  blobGasPrice: () => 3n,
  l1: undefined,
  ...given,
});

const payload = new Uint8Array(120);
const outcome = { gasUsed: 21_000n, isFailed: false };

test.each([
  ['the part above the base fee', 100n, 5n],
  ['the whole price before London, when nothing was burned', undefined, 105n],
])('the priority fee is %s', (_, baseFee, perGas) => {
  const transaction = { type: 0, payload, feeCap: 105n };
  const { priced } = priceTransaction(context({ baseFee }), transaction, outcome, 0);
  expect(priced.measures.priorityFees).toBe(21_000n * perGas);
});

test.each([
  [true, 1n],
  [false, 0n],
  [undefined, undefined],
])(
  'a transaction that failed counts, and is not known to have if its receipt has a state root: %p',
  (isFailed, count) => {
    const { priced } = priceTransaction(
      context({}),
      { type: 0, payload, feeCap: 105n },
      { ...outcome, isFailed },
      0,
    );
    expect(priced.measures.failedTransactions).toBe(count);
  },
);

test.each([
  ['below the base fee', 90n, 0n],
  ['of the base fee', 100n, 0n],
  ['above it', 101n, 21_000n],
  ['without a known base fee', undefined, undefined],
])('a price %s has the priority fee of %s', (_, price, expected) => {
  const fees = { ...NO_FEES, execution: 1n };
  const given = { gasUsed: 21_000n, isFailed: false, blobs: 0n, price: price ?? 1n, baseFee: price && 100n };
  expect(measuresOf(fees, given).priorityFees).toBe(expected);
  expect(measuresOf(NO_FEES, given).priorityFees).toBe(0n);
});

describe('what a receipt may state', () => {
  const l1 = {
    rules: opStackRulesOf(chainOf('BASE')),
    l1Fee: () => 11n,
    operatorFee: { operatorFeeScalar: 0n, operatorFeeConstant: 13n },
  };
  const onBase = { rules: chainOf('BASE').rules, l1 };
  const transfer = { type: 0, payload, feeCap: 105n };
  const statedBy = (given: Partial<PriceContext>, transaction: Transaction, gasUsed = 21_000n) =>
    priceTransaction(context(given), transaction, { ...outcome, gasUsed }, 0);

  test('is the price of gas, if it used any', () => {
    const { stated, priced } = statedBy({}, transfer);
    expect(stated).toEqual({ effectiveGasPrice: 105n });
    expect(priced.fees).toEqual({ ...NO_FEES, execution: 105n * 21_000n });
    expect(priced.measures.blobs).toBe(0n);
    expect(statedBy({}, transfer, 1n).stated).toEqual({ effectiveGasPrice: 105n });
    expect(statedBy({}, transfer, 0n).stated).toEqual({});
  });

  test('is the price of blobs, with their gas of 131,072 each', () => {
    const { stated, priced } = statedBy({}, { ...transfer, type: 3, tip: 0n, blobs: 2, blobFeeCap: 3n });
    expect(stated).toEqual({ effectiveGasPrice: 100n, blobGasUsed: 262_144n, blobGasPrice: 3n });
    expect(priced.fees).toMatchObject({ blob: 3n * 262_144n });
    expect(priced.measures.blobs).toBe(2n);
  });

  test('is the L1 fee, and since Isthmus the operator fee', () => {
    const { stated, priced } = statedBy(onBase, transfer);
    expect(stated).toEqual({ effectiveGasPrice: 105n, l1Fee: 11n, ...l1.operatorFee });
    expect(priced.fees).toMatchObject({ l1Data: 11n, operator: 13n });
    const before = statedBy({ ...onBase, timestamp: l1.rules.isthmusTime - 1 }, transfer);
    expect(before.stated).toEqual({ effectiveGasPrice: 105n, l1Fee: 11n });
    expect(statedBy({ ...onBase, timestamp: l1.rules.isthmusTime }, transfer).stated).toHaveProperty(
      'operatorFeeScalar',
    );
  });

  test('is nothing for a deposit, which pays nothing', () => {
    const deposit = { type: 0x7e, payload, from: '0x12', input: '0x' };
    const { stated, priced } = statedBy(onBase, deposit);
    expect([stated, priced.fees, priced.measures.blobs]).toEqual([{}, NO_FEES, 0n]);
  });
});

test('a price of blobs that no one offered is a change of rules', () => {
  const offered = { type: 3, payload, feeCap: 255n, tip: 1n, blobs: 1 };
  const priced = (blobFeeCap: bigint) => () =>
    priceTransaction(context({}), { ...offered, blobFeeCap }, outcome, 0);
  expect(priced(3n)).not.toThrow();
  expect(priced(2n)).toThrow(expect.objectContaining({ isRuleChange: true }));
});

test('computes the price of blob gas once a block, and refuses blobs where the header has no excess', () => {
  const withExcess = priceContext(chainOf('ETHEREUM'), { ...emptyBlock, excessBlobGas: '0x1320000' }, []);
  expect(withExcess.blobGasPrice()).toBe(5n);
  expect(withExcess.blobGasPrice()).toBe(5n);
  expect(() => priceContext(chainOf('ETHEREUM'), emptyBlock, []).blobGasPrice()).toThrow('not this field');
  expect(() => priceContext(chainOf('POLYGON'), emptyBlock, []).blobGasPrice()).toThrow(
    'no blob transactions',
  );
});

const emptyBlock: RpcHeader = {
  number: '0x1',
  hash: '0x',
  parentHash: '0x',
  sha3Uncles: '0x',
  miner: '0x',
  stateRoot: '0x',
  transactionsRoot: '0x',
  receiptsRoot: '0x',
  logsBloom: '0x',
  difficulty: '0x0',
  gasLimit: '0x0',
  gasUsed: '0x0',
  timestamp: '0x6ab13b80',
  extraData: '0x',
  mixHash: '0x',
  nonce: '0x',
};

test('refuses a block with more candidates for protocol transactions than an honest block has', () => {
  const bsc = priceContext(chainOf('BSC'), { ...emptyBlock, baseFeePerGas: '0x0' }, []);
  const to = `0x${'1000'.padStart(40, '0')}` as const;
  // No key can have made this signature, which takes less time to find out than the signer.
  const payload = toBytes(toRlp(['0x', '0x', '0x5208', to, '0x', '0x', '0x1b', '0x', '0x01']));
  const price = () => priceTransaction(bsc, { type: 0, payload, feeCap: 0n, to }, outcome, 0);
  for (let index = 0; index < 500; index++) expect(price).not.toThrow('more than 500');
  expect(price).toThrow('more than 500 of them could be of the protocol');
});

test.each([
  ['more gas than its block', 0x5209n, true],
  ['as much gas as its block', 0x5208n, false],
])('on BSC, a free call of a system contract with %s', (_, gas, isSystem) => {
  const bsc = context({
    rules: chainOf('BSC').rules,
    gasLimit: 0x5208n,
    recoverSigner: () => '0x0000000000000000000000000000000000000bbb',
  });
  const transaction = { type: 0, payload, gas, feeCap: 0n, to: `0x${'1000'.padStart(40, '0')}` };
  expect(priceTransaction(bsc, transaction, outcome, 0).priced.isProtocol).toBe(isSystem);
});

test.each([
  ['0', 0n, true],
  ['more than 0, even if its price is 0', 1_000_000_000n, false],
])(
  'on BSC, a call of a system contract by the miner with a fee cap of %s',
  async (_, maxFeePerGas, isSystem) => {
    const miner = privateKeyToAccount(`0x${'01'.repeat(32)}`);
    const to = `0x${'1000'.padStart(40, '0')}` as const;
    const signed = await miner.signTransaction({
      chainId: 56,
      type: 'eip1559',
      to,
      maxFeePerGas,
      maxPriorityFeePerGas: 0n,
    });
    const bsc = priceContext(
      chainOf('BSC'),
      { ...emptyBlock, miner: miner.address, baseFeePerGas: '0x0' },
      [],
    );
    const transaction = { type: 2, payload: toBytes(signed), feeCap: maxFeePerGas, tip: 0n, to };
    const { isProtocol, fees } = priceTransaction(bsc, transaction, outcome, 0).priced;
    expect({ isProtocol, fees }).toEqual({ isProtocol: isSystem, fees: NO_FEES });
  },
);
