import type { Chain } from '../chains/chains.ts';
import { isProtocolTransaction, isSyntheticStateSync } from '../chains/protocol-transactions.ts';
import { isOnlyChecked } from '../chains/provable.ts';
import type { OpStackRules, Rules } from '../chains/rule-types.ts';
import {
  BLOB,
  hasSinglePrice,
  isKnownType,
  isUnpaid,
  POLYGON_STATE_SYNC,
} from '../chains/transaction-types.ts';
import { inElement, ProofError, present } from './encoding/proof-error.ts';
import { checkType } from './fields/read-transactions.ts';
import { checkHeaderRules } from './fields/tripwires.ts';
import { hashedBody } from './hashed-body.ts';
import type { CheckedBlock, CheckedReceipt } from './json/rpc-types.ts';
import { GAS_PER_BLOB } from './prices/eip4844.ts';
import { operatorFee, statedL1Fee } from './prices/l1-fee.ts';
import { measuresOf, type ProvenTransaction } from './prices/prices.ts';
import { withoutDonatedGas } from './prices/redeems.ts';
import { type Proof, type ProvenBlock, placeOf, proofOf, STATE_SYNC } from './proven-block.ts';
import { checkReceiptCount } from './receipts.ts';

/*
 * Consistency checks for blocks that cannot be proven (core/chains/provable.ts), on chains whose operator accepts such blocks too.
 * They find responses that do not belong together. They do not find a node that lies consistently.
 */

/**
 * Sums a block as its receipts state it, if block and receipts belong together: they may come from different machines behind one
 * address. Each transaction must have a receipt, in order; Polygon's state-sync pseudo-transaction needs none.
 * @param isStated accepts unknown rules: each receipt must state its prices, and no bounds are checked
 */
export const checkBlock = (...given: Parameters<typeof check>): Proof => proofOf(() => check(...given));

function check(
  chain: Chain,
  block: CheckedBlock,
  receipts: readonly CheckedReceipt[],
  isStated = false,
): ProvenBlock {
  const { rules } = chain;
  // This check comes before the bounds, because a block with newer rules may exceed them.
  if (!isStated) checkHeaderRules(rules, block);
  const place = placeOf(block);
  if (block.transactions.length === 0) checkEmptiness(rules, place.number, block);
  const body = hashedBody(chain, place.number, place.hash, block, receipts);
  checkReceiptCount(body.transactions, body.receipts);
  const isClassic = isOnlyChecked(rules, place.number);
  let cumulativeGas = 0n;
  const transactions = body.receipts.map((receipt, index) =>
    inElement('receipts', index, () => {
      const transaction = body.transactions[index] as Transaction;
      // Nodes derive the hash of a state-sync differently, and no figure depends on it.
      if (!isFreeStateSync(rules, receipt))
        expectSame('transactionHash', receipt.transactionHash, transaction.hash);
      expectSame('blockHash', receipt.blockHash, block.hash);
      expectSame('blockNumber', BigInt(receipt.blockNumber), BigInt(block.number));
      expectSame('transactionIndex', BigInt(receipt.transactionIndex), BigInt(index));
      if (isInvented(rules, receipt)) throw new ProofError('from', INVENTED);
      // Some nodes give a state-sync transaction, which uses no gas, a cumulativeGasUsed of 0.
      if (!isFreeStateSync(rules, receipt))
        cumulativeGas = checkCumulativeGas(receipt, cumulativeGas, isClassic);
      if (!isStated) checkBounds(rules, block, receipt, transaction);
      return price(rules, block, transaction, receipt, isStated);
    }),
  );
  if (isClassic && block.gasUsed != null) expectSame('gasUsed', BigInt(block.gasUsed), cumulativeGas);
  const net = withoutDonatedGas(rules, transactions, {
    hashOf: (index) => body.transactions[index]?.hash ?? '',
    limitOf: (index) => body.transactions[index]?.gas,
    logsOf: (index) => body.receipts[index]?.logs ?? [],
    baseFee: block.baseFeePerGas == null ? undefined : BigInt(block.baseFeePerGas),
  });
  return {
    ...place,
    unproven: { what: 'everything', reason: 'it was only checked' },
    transactions: body.hasStateSync ? [...net, STATE_SYNC] : net,
  };
}

type Transaction = CheckedBlock['transactions'][number];

/**
 * Checks that the cumulative gas grows by the gas of a receipt. On Arbitrum before Nitro, the latter contains the gas for L1 and the former
 * does not. Nodes of Nitro state the gas for L1, those of Classic do not.
 * @param before the cumulative gas of the receipt before @returns that of this one @throws ProofError
 */
function checkCumulativeGas(receipt: CheckedReceipt, before: bigint, isClassic: boolean): bigint {
  const cumulative = BigInt(receipt.cumulativeGasUsed);
  const most = before + BigInt(receipt.gasUsed);
  const ofL1 = isClassic ? receipt.gasUsedForL1 : undefined;
  if (!isClassic || ofL1 != null) expectSame('cumulativeGasUsed', cumulative, most - BigInt(ofL1 ?? 0));
  if (cumulative < before || cumulative > most)
    throw new ProofError('cumulativeGasUsed', `${cumulative} is not from ${before} to ${most}`);
  return cumulative;
}

/** @throws ProofError naming the field of a receipt that contradicts the rest of the block */
function expectSame(field: string, given: string | bigint, expected: string | bigint): void {
  if (given !== expected)
    throw new ProofError(field, `${given} is not ${expected}, which follows from the block`);
}

const isFreeStateSync = ({ family }: Rules, { type }: CheckedReceipt): boolean =>
  family === 'polygon' && Number(type) === POLYGON_STATE_SYNC;

/** Returns whether a receipt is of a state-sync that its block may not list. One that it may list is left out of the body. */
const isInvented = ({ family }: Rules, { type, from, to, gasUsed }: CheckedReceipt): boolean =>
  family === 'polygon' &&
  Number(type) !== POLYGON_STATE_SYNC &&
  isSyntheticStateSync(from, to, BigInt(gasUsed));

const INVENTED =
  'a state-sync transaction has a hash that follows from its block, and is in the first of a sprint';

/** Root of an empty Merkle Patricia trie, keccak256(rlp('')). */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** @throws ProofError when a block has no transactions although it must have some */
function checkEmptiness(rules: Rules, number: number, { transactionsRoot = EMPTY_ROOT }: CheckedBlock): void {
  const alwaysFilledAfter =
    'bedrockBlock' in rules ? rules.bedrockBlock : 'nitroBlock' in rules ? rules.nitroBlock : Infinity;
  if (transactionsRoot !== EMPTY_ROOT) {
    throw new ProofError('transactions', 'there are none, but the transactionsRoot is not empty');
  }
  if (number <= alwaysFilledAfter) return;
  const problem = 'there are none, but every block of this chain begins with a protocol transaction';
  throw new ProofError('transactions', problem);
}

/**
 * Prices a transaction as its receipt states.
 * @throws ProofError when the type is unknown, or the rule needs a member that is missing. It never counts as 0
 */
function price(
  rules: Rules,
  block: CheckedBlock,
  transaction: Transaction,
  receipt: CheckedReceipt,
  isStated: boolean,
): ProvenTransaction {
  const type = Number(receipt.type);
  if (!isStated) checkType(rules, type);
  const gasUsed = BigInt(receipt.gasUsed);
  const isFree = isUnpaid(rules, type);
  // Some nodes leave the price out of the receipts of old blocks. On Arbitrum the transaction has only a bid, and the base fee is paid:
  // https://github.com/OffchainLabs/nitro arbos/tx_processor.go, CollectTips.
  const isInTransaction = hasSinglePrice(type) && rules.family !== 'arbitrum' && !isStated;
  const stated = receipt.effectiveGasPrice ?? (isInTransaction ? transaction.gasPrice : undefined);
  const effectiveGasPrice = isFree ? 0n : amount('effectiveGasPrice', stated);
  const fees = {
    execution: gasUsed * effectiveGasPrice,
    ...(rules.family === 'op-stack' && !isFree
      ? l1Charges(rules, block, receipt, gasUsed * effectiveGasPrice > 0n)
      : NO_L1_CHARGES),
    // https://eips.ethereum.org/EIPS/eip-4844#gas-accounting
    blob:
      type === BLOB || (isStated && 'blobSchedule' in rules && receipt.blobGasUsed != null)
        ? amount('blobGasUsed', receipt.blobGasUsed) * amount('blobGasPrice', receipt.blobGasPrice)
        : 0n,
    retryableDoubleCount: 0n,
  };
  const isProtocol = isProtocolTransaction(rules, {
    type,
    to: receipt.to,
    feeCap: () => feeCap(type, transaction),
    sender: () => receipt.from,
    miner: () => present('miner of the block', block.miner),
  });
  const baseFee = block.baseFeePerGas == null ? undefined : BigInt(block.baseFeePerGas);
  const isFailed = receipt.status == null ? undefined : Number(receipt.status) === 0;
  const measures = measuresOf(fees, {
    gasUsed,
    isFailed,
    blobs: blobsOf(rules, type, receipt),
    price: effectiveGasPrice,
    baseFee,
  });
  return { type, fees, measures, isProtocol };
}

function feeCap(type: number, { gasPrice, maxFeePerGas }: Transaction): bigint {
  return hasSinglePrice(type) ? amount('gasPrice', gasPrice) : amount('maxFeePerGas', maxFeePerGas);
}

/** Counts blobs by a receipt's blob gas. On other types, the OP stack states a footprint there. */
function blobsOf(rules: Rules, type: number, { blobGasUsed }: CheckedReceipt): bigint | undefined {
  if (type === BLOB) return amount('blobGasUsed', blobGasUsed) / GAS_PER_BLOB;
  return isKnownType(rules, type) ? 0n : undefined;
}

/** A value of a receipt, which the node may leave out. */
type Stated = string | null | undefined;

const amount = (name: string, value: Stated): bigint => BigInt(present(name, value));

const NO_L1_CHARGES = { l1Data: 0n, operator: 0n };

/** https://specs.optimism.io/protocol/exec-engine.html#l1-cost-fees-l1-fee-vault */
function l1Charges(
  rules: OpStackRules,
  block: CheckedBlock,
  { gasUsed, l1Fee, operatorFeeScalar, operatorFeeConstant }: CheckedReceipt,
  isPaid: boolean,
): typeof NO_L1_CHARGES {
  const isOld = Number(block.number) < rules.bedrockBlock;
  const l1Data = isOld ? statedL1Fee(l1Fee, isPaid) : amount('l1Fee', l1Fee);
  const timestamp = Number(block.timestamp);
  // Nodes leave both out if both are zero. If only one is present, the other is missing.
  const isStated = (operatorFeeScalar ?? operatorFeeConstant) != null;
  if (timestamp < rules.isthmusTime || !isStated) return { l1Data, operator: 0n };
  const parameters = {
    operatorFeeScalar: amount('operatorFeeScalar', operatorFeeScalar),
    operatorFeeConstant: amount('operatorFeeConstant', operatorFeeConstant),
  };
  return { l1Data, operator: operatorFee(rules, timestamp, BigInt(gasUsed), parameters) };
}

/**
 * Checks that a receipt's gas and price are within the bounds of the protocol. A field that the node left out sets no bound.
 *
 * - A transaction uses no more gas than its limit, and pays at most its offer and at least the base fee for it:
 *   https://eips.ethereum.org/EIPS/eip-1559.
 * - Blob gas costs at most `maxFeePerBlobGas`: https://eips.ethereum.org/EIPS/eip-4844.
 * - Arbitrum charges the base fee, neither more nor less: `core/proof/prices/eip1559.ts`. Before Nitro, no bound is known.
 * @throws ProofError with the value and its bound
 */
export function checkBounds(
  rules: Rules,
  { number, baseFeePerGas: baseFee }: Pick<CheckedBlock, 'number' | 'baseFeePerGas'>,
  receipt: Pick<CheckedReceipt, 'type' | 'gasUsed' | 'effectiveGasPrice' | 'blobGasPrice'>,
  { gas, gasPrice, maxFeePerGas, maxFeePerBlobGas }: Partial<CheckedBlock['transactions'][number]>,
): void {
  const { gasUsed, effectiveGasPrice: price, blobGasPrice } = receipt;
  const type = Number(receipt.type);
  if (isOnlyChecked(rules, Number(number)) || isUnpaid(rules, type)) return;
  const max = rules.family === 'arbitrum' ? baseFee : hasSinglePrice(type) ? gasPrice : maxFeePerGas;
  keep('gasUsed', gasUsed, 'the gas limit', gas);
  keep('blobGasPrice', blobGasPrice, 'the offer', maxFeePerBlobGas);
  // Without gas, the price affects no figure, and nodes report it differently for Arbitrum's own types.
  if (BigInt(gasUsed) === 0n) return;
  keep('effectiveGasPrice', price, 'the offer or base fee', max);
  keep('the base fee', baseFee, 'effectiveGasPrice', price);
}

function keep(name: string, value: Stated, bound: string, max: Stated): void {
  if (value == null || max == null || BigInt(value) <= BigInt(max)) return;
  throw new ProofError('', `${name} ${BigInt(value)} is above ${bound} ${BigInt(max)}`);
}
