import type { Rules } from '../../chains/rule-types.ts';
import { isUnpaid } from '../../chains/transaction-types.ts';
import { changedRule, present } from '../encoding/proof-error.ts';
import type { Transaction } from '../fields/read-transactions.ts';

/**
 * Returns the price that a transaction pays for each unit of gas, in wei.
 *
 * - Types that the protocol or L1 created pay nothing.
 * - Legacy and EIP-2930 pay their `gasPrice`. On BSC it may be 0.
 * - EIP-1559, 4844 and 7702 pay min(maxFeePerGas, baseFee + maxPriorityFeePerGas): https://eips.ethereum.org/EIPS/eip-1559.
 * - Arbitrum Nitro charges all types the header's base fee and drops the tip: https://github.com/OffchainLabs/nitro
 *   arbos/tx_processor.go, CollectTips, and https://github.com/OffchainLabs/go-ethereum core/types/receipt.go, DeriveFields.
 *   A block that collects tips is refused earlier (`tripwires.ts`).
 *
 * @param baseFee the header's, absent before London
 * @param gasUsed if it is 0, the offer is not compared with the base fee, because unpaid submissions of Arbitrum offer 0
 * @throws ProofError naming the field that the transaction lacks, or when it offers less than the base fee
 */
export function effectiveGasPrice(
  rules: Rules,
  { type, feeCap, tip }: Pick<Transaction, 'type' | 'feeCap' | 'tip'>,
  baseFee: bigint | undefined,
  gasUsed: bigint,
): bigint {
  if (isUnpaid(rules, type)) return 0n;
  const isArbitrum = rules.family === 'arbitrum';
  if (isArbitrum && gasUsed === 0n) return present('baseFeePerGas', baseFee);
  const cap = present('maxFeePerGas', feeCap);
  // System transactions of BSC offer and pay nothing, regardless of the base fee.
  const paysNothing = gasUsed === 0n || (rules.family === 'bsc' && cap === 0n);
  // No rule that we know allows this (EIP-1559). In reserved blockspace, no one pays: https://github.com/0xPolygon/bor/pull/2302.
  if (baseFee !== undefined && cap < baseFee && !paysNothing)
    throw changedRule('maxFeePerGas', `it offers ${cap}, less than the base fee ${baseFee}`);
  if (isArbitrum) return present('baseFeePerGas', baseFee);
  if (tip === undefined) return cap;
  const bid: bigint = present('baseFeePerGas', baseFee) + tip;
  return bid < cap ? bid : cap;
}
