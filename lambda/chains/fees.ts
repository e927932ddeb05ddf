import type { BlockHeader, Receipt } from './block.ts';
import { BlockError, type Place, required } from './block-error.ts';
import type { Chain, OpStackRules, Rules } from './chains.ts';
import { type Fees, NO_FEES } from './fee-parts.ts';
import { isStateSync } from './protocol-transactions.ts';
import {
  ACCESS_LIST,
  ARBITRUM_SUBMIT_RETRYABLE,
  BLOB,
  isKnownType,
  isUnpaidOnOpStack,
  LEGACY,
} from './transaction-types.ts';

/**
 * What the sender of one transaction paid, from its receipt.
 * @throws BlockError naming chain, block and transaction when the type is unknown or a field that the rule needs is missing
 */
export function feesOf(chain: Chain, header: BlockHeader, receipt: Receipt): Fees {
  const { rules } = chain;
  const place = { chain: chain.name, block: header.number, transaction: receipt.transactionHash };
  if (!isKnownType(rules, receipt.type)) {
    const type = `0x${receipt.type.toString(16)}`;
    throw new BlockError(place, `no fee rule covers its type ${type}; a fork may have added it`);
  }
  switch (rules.family) {
    case 'ethereum':
    case 'bsc':
      return {
        ...NO_FEES,
        execution: gasFee(place, rules, receipt),
        blob: receipt.type === BLOB ? blobFee(place, receipt) : 0n,
      };
    case 'polygon':
      return isStateSync(receipt) ? NO_FEES : { ...NO_FEES, execution: gasFee(place, rules, receipt) };
    case 'arbitrum':
      // gasUsed already contains gasUsedForL1. A retryable's submission reports its gas limit, and its redeem (0x68)
      // the gas really used, paid from the same deposit: nitro arbos/tx_processor.go.
      return receipt.type === ARBITRUM_SUBMIT_RETRYABLE
        ? { ...NO_FEES, retryableDoubleCount: gasFee(place, rules, receipt) }
        : { ...NO_FEES, execution: gasFee(place, rules, receipt) };
    case 'op-stack':
      // blobGasUsed is a data-availability footprint here since Jovian, not something that is paid for.
      return isUnpaidOnOpStack(receipt.type)
        ? NO_FEES
        : {
            ...NO_FEES,
            execution: gasFee(place, rules, receipt),
            l1Data: l1DataFee(place, rules, receipt),
            operator: operatorFee(place, rules, header.timestamp, receipt),
          };
  }
}

/**
 * Whether the transaction itself must be asked for its `gasPrice`: some nodes leave `effectiveGasPrice` out of the
 * receipts of old blocks. For the two types that name a single price, that is the price paid; but not on Arbitrum,
 * where it is only a bid and the base fee is what is paid (nitro arbos/tx_processor.go, DropTip).
 */
export const needsGasPrice = (rules: Rules, receipt: Receipt): boolean =>
  typeof receipt.effectiveGasPrice !== 'bigint' &&
  rules.family !== 'arbitrum' &&
  (receipt.type === LEGACY || receipt.type === ACCESS_LIST) &&
  !isStateSync(receipt);

function gasFee(place: Place, rules: Rules, receipt: Receipt): bigint {
  const price = needsGasPrice(rules, receipt) ? receipt.gasPrice : receipt.effectiveGasPrice;
  return receipt.gasUsed * required(place, 'effectiveGasPrice', price);
}

// https://eips.ethereum.org/EIPS/eip-4844#gas-accounting
function blobFee(place: Place, receipt: Receipt): bigint {
  return (
    required(place, 'blobGasUsed', receipt.blobGasUsed) *
    required(place, 'blobGasPrice', receipt.blobGasPrice)
  );
}

// https://specs.optimism.io/protocol/exec-engine.html#l1-cost-fees-l1-fee-vault
function l1DataFee(place: Place, rules: OpStackRules, receipt: Receipt): bigint {
  if (!rules.chargesL1Fee) return 0n;
  const wasNotCharged = receipt.l1Fee === null && place.block < rules.bedrockBlock;
  return wasNotCharged ? 0n : required(place, 'l1Fee', receipt.l1Fee);
}

// https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee, and jovian/exec-engine.html for the second form
function operatorFee(
  place: Place,
  rules: OpStackRules,
  timestamp: number,
  { gasUsed, operatorFeeScalar, operatorFeeConstant }: Receipt,
): bigint {
  if (timestamp < rules.isthmusTime) return 0n;
  // Both are left out when both are zero, so one without the other is a hole.
  if (operatorFeeScalar == null && operatorFeeConstant == null) return 0n;
  const scalar = required(place, 'operatorFeeScalar', operatorFeeScalar);
  const constant = required(place, 'operatorFeeConstant', operatorFeeConstant);
  return timestamp < rules.jovianTime
    ? (gasUsed * scalar) / 1_000_000n + constant
    : gasUsed * scalar * 100n + constant;
}
