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
 * Computes the fees of one transaction from its receipt.
 * @throws BlockError when no rule covers the transaction type, or a field that the rule needs is missing
 */
export function feesOf(chain: Chain, header: BlockHeader, receipt: Receipt): Fees {
  const place = { chain: chain.name, block: header.number, transaction: receipt.transactionHash };
  if (!isKnownType(chain.rules, receipt.type)) {
    const type = `0x${receipt.type.toString(16)}`;
    throw new BlockError(
      place,
      `no fee rule covers its type ${type}, which a fork may have added. Check for a new release`,
    );
  }
  return { ...NO_FEES, ...paidParts(place, chain.rules, header, receipt) };
}

/** Returns the parts that are not zero for the family and the transaction type. */
function paidParts(place: Place, rules: Rules, header: BlockHeader, receipt: Receipt): Partial<Fees> {
  switch (rules.family) {
    case 'ethereum':
    case 'bsc':
      return {
        execution: gasFee(place, rules, receipt),
        ...(receipt.type === BLOB && { blob: blobFee(place, receipt) }),
      };
    case 'polygon':
      return isStateSync(receipt) ? {} : { execution: gasFee(place, rules, receipt) };
    case 'arbitrum':
      // gasUsed includes gasUsedForL1. The submission of a retryable reports its gas limit, and its redeem (0x68) reports
      // the gas used, paid from the same deposit: nitro arbos/tx_processor.go.
      return receipt.type === ARBITRUM_SUBMIT_RETRYABLE
        ? { retryableDoubleCount: gasFee(place, rules, receipt) }
        : { execution: gasFee(place, rules, receipt) };
    case 'op-stack':
      // Since Jovian, blobGasUsed is a data-availability footprint here, without a fee.
      return isUnpaidOnOpStack(receipt.type)
        ? {}
        : {
            execution: gasFee(place, rules, receipt),
            l1Data: l1DataFee(place, rules, receipt),
            operator: operatorFee(place, rules, header.timestamp, receipt),
          };
  }
}

/**
 * Returns whether the fee depends on the transaction's own `gasPrice`, because some nodes omit `effectiveGasPrice` from
 * receipts of old blocks. The two types with a single price pay exactly that price, except on Arbitrum: there it is a bid,
 * and the sender pays the base fee (nitro arbos/tx_processor.go, DropTip).
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

// https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee; jovian/exec-engine.html has the second formula
function operatorFee(
  place: Place,
  rules: OpStackRules,
  timestamp: number,
  { gasUsed, operatorFeeScalar, operatorFeeConstant }: Receipt,
): bigint {
  if (timestamp < rules.isthmusTime) return 0n;
  // Nodes omit both when both are zero; one without the other is an omission.
  if (operatorFeeScalar == null && operatorFeeConstant == null) return 0n;
  const scalar = required(place, 'operatorFeeScalar', operatorFeeScalar);
  const constant = required(place, 'operatorFeeConstant', operatorFeeConstant);
  return timestamp < rules.jovianTime
    ? (gasUsed * scalar) / 1_000_000n + constant
    : gasUsed * scalar * 100n + constant;
}
