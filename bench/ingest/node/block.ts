import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Chain } from '../../../core/chains/chains.ts';
import type { Rules } from '../../../core/chains/rule-types.ts';
import { hashTransactions, transactionsRoot } from '../../../core/proof/fields/transactions.ts';
import type { RpcBlock, RpcHeader, RpcReceipt, RpcTransaction } from '../../../core/proof/json/rpc-types.ts';
import { priceContext } from '../../../core/proof/prices/price-context.ts';
import { receiptsRoot } from '../../../core/proof/receipts.ts';
import familiesJson from './families.json' with { type: 'json' };

/** A block with its roots, but without a place in a chain: hash, number and parent are still those of the sample. */
export interface UnplacedBlock {
  readonly header: RpcHeader;
  readonly transactions: readonly RpcTransaction[];
  readonly receipts: readonly RpcReceipt[];
}

type PricedReceipt = RpcReceipt & { readonly gasUsed: string };

/** Differences of a family's blocks from the sample, taken from a real block, or made where no free one is known. */
interface Family {
  readonly header: Partial<RpcHeader>;
  /** A transaction of the protocol, which begins each block. */
  readonly transaction: Omit<RpcTransaction, 'hash'>;
  readonly receipt: Omit<PricedReceipt, 'transactionHash' | 'cumulativeGasUsed'>;
  /** Members of all other receipts. */
  readonly receiptFields: Readonly<Record<string, string>>;
}

const families: Partial<Record<Rules['family'], Family>> = familiesJson;

/** Both responses for Ethereum block 18,500,000: 157 transactions in 655 KB. */
export const sample: { readonly block: RpcBlock; readonly receipts: readonly PricedReceipt[] } = JSON.parse(
  gunzipSync(readFileSync(new URL('block.json.gz', import.meta.url))).toString(),
);

/** Extra data of Polygon: vanity, a list of validators, dependencies, gas target and denominator, seal. */
export const GAS_TARGETS = `0x${'00'.repeat(32)}c880c08401c9c38040${'00'.repeat(65)}`;

export const hexOf = (value: number | bigint): string => `0x${value.toString(16)}`;

/**
 * Returns a block with `count` transactions: those of the sample, repeated as needed, after the family's protocol transaction.
 * With the sample's own number of transactions, an Ethereum block has the roots of the sample. Requires `loadKeccak`.
 * @param timestamp seconds, on which the rules of some families depend
 */
export function blockOf(chain: Chain, count: number, timestamp: number): UnplacedBlock {
  const { transactions: samples, ...sampleHeader } = sample.block;
  const family = families[chain.rules.family];
  const given: RpcTransaction[] = family ? [{ ...family.transaction, hash: '' }] : [];
  const givenReceipts: Omit<PricedReceipt, 'transactionHash'>[] = family
    ? [{ ...family.receipt, cumulativeGasUsed: '' }]
    : [];
  for (let index = 0; given.length < count; index++) {
    given.push(nth(samples, index));
    givenReceipts.push({ ...nth(sample.receipts, index), ...family?.receiptFields });
  }
  const polygon = chain.rules.family === 'polygon' && { extraData: GAS_TARGETS };
  const header = { ...sampleHeader, ...family?.header, ...polygon, timestamp: hexOf(timestamp) };
  const hashed = hashTransactions(chain, given);
  const { l1 } = priceContext(chain, { ...header, transactions: given });
  let gas = 0n;
  const receipts = givenReceipts.map((receipt, index) => {
    gas += BigInt(receipt.gasUsed);
    const { hash, payload } = nth(hashed, index);
    const l1Fee = l1 && { l1Fee: receipt.l1Fee ?? hexOf(l1.l1Fee(payload)) };
    return { ...receipt, ...l1Fee, transactionHash: hash, cumulativeGasUsed: hexOf(gas) };
  });
  return {
    header: {
      ...header,
      gasUsed: hexOf(gas),
      transactionsRoot: transactionsRoot(hashed),
      receiptsRoot: receiptsRoot(chain.rules, header, hashed, receipts),
    },
    transactions: given.map((transaction, index) => ({ ...transaction, hash: nth(hashed, index).hash })),
    receipts,
  };
}

function nth<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('A block of the benchmark needs transactions.');
  return value;
}
