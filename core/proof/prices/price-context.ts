import type { Chain } from '../../chains/chains.ts';
import { unprovenOf } from '../../chains/provable.ts';
import type { Rules } from '../../chains/rule-types.ts';
import { ProofError } from '../encoding/proof-error.ts';
import { recoverSigner } from '../fields/signer.ts';
import { checkHeaderRules } from '../fields/tripwires.ts';
import type { PricedMembers, RpcHeader } from '../json/rpc-types.ts';
import { blobGasPrice, checkBlobs } from './eip4844.ts';
import { readL1Attributes } from './l1-attributes.ts';
import { l1FeeOf } from './l1-fee.ts';

/** The values of a block that its transactions' prices depend on. */
export type PriceContext = ReturnType<typeof priceContext>;

/**
 * A recovery takes a millisecond, so a forged block full of candidates would take minutes. Real blocks of BSC have fewer than ten
 * transactions that call a system contract at the price 0.
 */
const MAX_RECOVERIES = 500;

interface PricedBlock extends RpcHeader {
  readonly transactions: readonly PricedMembers[];
}

/**
 * Reads the values from the proven header and transactions of a block.
 * @throws ProofError when the block follows rules that this version does not know
 */
export function priceContext({ rules }: Chain, block: PricedBlock) {
  checkHeaderRules(rules, block);
  checkBlobs(rules, block, block.transactions);
  const timestamp = Number(block.timestamp);
  let blobPrice: bigint | undefined;
  let recoveries = 0;
  return {
    rules,
    timestamp,
    miner: block.miner.toLowerCase(),
    gasLimit: BigInt(block.gasLimit),
    /** @throws ProofError after more recoveries than an honest block needs */
    recoverSigner: (payload: Uint8Array, type: number): string => {
      recoveries += 1;
      if (recoveries <= MAX_RECOVERIES) return recoverSigner(payload, type);
      throw new ProofError('transactions', `more than ${MAX_RECOVERIES} of them could be of the protocol`);
    },
    /** Wei; undefined before London. */
    baseFee: block.baseFeePerGas == null ? undefined : BigInt(block.baseFeePerGas),
    /** Wei; computed on the first call, since few blocks have blobs. */
    blobGasPrice: () => {
      blobPrice ??= blobGasPriceOf(rules, timestamp, block);
      return blobPrice;
    },
    /** Undefined on chains without an L1 fee. */
    l1: l1PricesOf(rules, timestamp, block),
  };
}

function blobGasPriceOf(rules: Rules, timestamp: number, { excessBlobGas }: RpcHeader): bigint {
  if (!('blobSchedule' in rules)) throw new ProofError('type', 'this chain has no blob transactions');
  if (excessBlobGas == null) throw new ProofError('excessBlobGas', 'the block has blobs, but not this field');
  return blobGasPrice(rules.blobSchedule, timestamp, BigInt(excessBlobGas));
}

function l1PricesOf(rules: Rules, timestamp: number, { number, transactions }: PricedBlock) {
  if (rules.family !== 'op-stack' || unprovenOf(rules, Number(number))) return undefined;
  // The OP stack's genesis has no transactions, so it has no L1 attributes.
  if (transactions.length === 0) return undefined;
  const { l1Fee, operatorFee } = readL1Attributes(transactions[0]);
  return { rules, l1Fee: l1FeeOf(rules, timestamp, l1Fee), operatorFee };
}
