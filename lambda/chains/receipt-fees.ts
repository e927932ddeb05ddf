import type { BlockHeader, Receipt } from './block.ts';
import { BlockError, type Place, required } from './block-error.ts';
import type { Chain } from './chains.ts';
import { type Fees, NO_FEES } from './fee-parts.ts';
import { feesOf, isUnpaid } from './fees.ts';
import { operatorFee } from './operator-fee.ts';
import { isStateSync } from './protocol-transactions.ts';
import type { OpStackRules, Rules } from './rules.ts';
import { ACCESS_LIST, BLOB, isKnownType, LEGACY, unknownTypeProblem } from './transaction-types.ts';

/**
 * Returns the fees of one transaction as its receipt states them, for blocks that are checked and not proven.
 * @throws BlockError naming chain, block and transaction when the type is unknown or a field that the rule needs is missing
 */
export function feesOfReceipt(chain: Chain, header: BlockHeader, receipt: Receipt): Fees {
  const { rules } = chain;
  const { type, gasUsed } = receipt;
  const place = { chain: chain.name, block: header.number, transaction: receipt.transactionHash };
  if (!isKnownType(rules, type)) throw new BlockError(place, unknownTypeProblem(type));
  if (isUnpaid(rules, type) || (rules.family === 'polygon' && isStateSync(receipt))) return NO_FEES;
  const price = needsGasPrice(rules, receipt) ? receipt.gasPrice : receipt.effectiveGasPrice;
  const isOpStack = rules.family === 'op-stack';
  return feesOf(rules, type, {
    gasUsed,
    effectiveGasPrice: required(place, 'effectiveGasPrice', price),
    l1Data: isOpStack ? l1Fee(place, rules, receipt) : 0n,
    operator: isOpStack ? statedOperatorFee(place, rules, header.timestamp, receipt) : 0n,
    blob: type === BLOB ? blobFee(place, receipt) : 0n,
  });
}

/**
 * Returns whether the price must be read from the transaction itself: some nodes leave `effectiveGasPrice` out of the
 * receipts of old blocks. The two types that name a single price pay it; but not on Arbitrum, where it is only a bid
 * and the base fee is paid (https://github.com/OffchainLabs/nitro arbos/tx_processor.go, CollectTips).
 */
export const needsGasPrice = (rules: Rules, receipt: Receipt): boolean =>
  typeof receipt.effectiveGasPrice !== 'bigint' &&
  rules.family !== 'arbitrum' &&
  (receipt.type === LEGACY || receipt.type === ACCESS_LIST) &&
  !isStateSync(receipt);

// https://eips.ethereum.org/EIPS/eip-4844#gas-accounting
const blobFee = (place: Place, receipt: Receipt): bigint =>
  required(place, 'blobGasUsed', receipt.blobGasUsed) * required(place, 'blobGasPrice', receipt.blobGasPrice);

// https://specs.optimism.io/protocol/exec-engine.html#l1-cost-fees-l1-fee-vault
function l1Fee(place: Place, rules: OpStackRules, receipt: Receipt): bigint {
  const wasNotCharged = receipt.l1Fee === null && place.block < rules.bedrockBlock;
  return wasNotCharged ? 0n : required(place, 'l1Fee', receipt.l1Fee);
}

function statedOperatorFee(place: Place, rules: OpStackRules, timestamp: number, receipt: Receipt): bigint {
  if (timestamp < rules.isthmusTime) return 0n;
  const { gasUsed, operatorFeeScalar, operatorFeeConstant } = receipt;
  // Nodes leave both out when both are zero. One without the other is a missing field.
  if (operatorFeeScalar == null && operatorFeeConstant == null) return 0n;
  return operatorFee(rules, timestamp, gasUsed, {
    operatorFeeScalar: required(place, 'operatorFeeScalar', operatorFeeScalar),
    operatorFeeConstant: required(place, 'operatorFeeConstant', operatorFeeConstant),
  });
}
