import type { Rules } from '../../chains/rule-types.ts';
import { hasSinglePrice, isUnpaid } from '../../chains/transaction-types.ts';
import { changedRule, present } from '../encoding/proof-error.ts';
import type { PricedMembers } from '../json/rpc-types.ts';

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
  type: number,
  transaction: PricedMembers,
  baseFee: bigint | undefined,
  gasUsed: bigint,
): bigint {
  if (isUnpaid(rules, type)) return 0n;
  const isArbitrum = rules.family === 'arbitrum';
  if (isArbitrum && gasUsed === 0n) return present('baseFeePerGas', baseFee);
  const cap = isArbitrum ? arbitrumOffer(type, transaction) : feeCap(type, transaction);
  // System transactions of BSC offer and pay nothing, regardless of the base fee.
  const paysNothing = gasUsed === 0n || (rules.family === 'bsc' && cap === 0n);
  if (baseFee !== undefined && cap < baseFee && !paysNothing) throw belowBaseFee(cap, baseFee);
  if (isArbitrum) return present('baseFeePerGas', baseFee);
  if (hasSinglePrice(type)) return cap;
  const tip = BigInt(present('maxPriorityFeePerGas', transaction.maxPriorityFeePerGas));
  const bid = present('baseFeePerGas', baseFee) + tip;
  return bid < cap ? bid : cap;
}

/** Returns the only price of Arbitrum's own types, which nodes name in either of two ways. */
const arbitrumOffer = (type: number, transaction: PricedMembers): bigint =>
  hasSinglePrice(type)
    ? feeCap(type, transaction)
    : BigInt(present('maxFeePerGas', transaction.maxFeePerGas ?? transaction.gasPrice));

/** Returns the most that a transaction offers for a unit of gas, in wei. @throws ProofError naming the field that it lacks */
export function feeCap(type: number, { gasPrice, maxFeePerGas }: PricedMembers): bigint {
  if (hasSinglePrice(type)) return BigInt(present('gasPrice', gasPrice));
  return BigInt(present('maxFeePerGas', maxFeePerGas));
}

/** No rule that we know allows this (EIP-1559). In reserved blockspace, no one pays: https://github.com/0xPolygon/bor/pull/2302. */
const belowBaseFee = (cap: bigint, baseFee: bigint) =>
  changedRule('maxFeePerGas', `it offers ${cap}, less than the base fee ${baseFee}`);
