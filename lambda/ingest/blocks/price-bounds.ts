import type { Receipt } from '../../chains/block.ts';
import { isUnpaid } from '../../chains/fees.ts';
import { unprovenOf } from '../../chains/provable.ts';
import type { Rules } from '../../chains/rules.ts';
import { ACCESS_LIST, LEGACY } from '../../chains/transaction-types.ts';
import { object, optional, quantity } from '../../rpc/decode.ts';

/** Decodes what a transaction offers to pay: gas, and wei per gas. Nodes whose blocks cannot be proven may leave members out. */
export const offer = object({
  gas: optional(quantity),
  gasPrice: optional(quantity),
  maxFeePerGas: optional(quantity),
  maxFeePerBlobGas: optional(quantity),
});

interface Header {
  readonly number: number;
  /** Wei per gas; absent before London. */
  readonly baseFeePerGas?: bigint | undefined;
}

/**
 * Returns which bound of the protocol a receipt's gas or price exceeds, or undefined if none. A field that the node left out sets no bound.
 *
 * - A transaction uses no more gas than its limit, and pays at most its offer and at least the base fee for it:
 *   https://eips.ethereum.org/EIPS/eip-1559.
 * - Blob gas costs at most `maxFeePerBlobGas`: https://eips.ethereum.org/EIPS/eip-4844.
 * - Arbitrum charges the base fee, neither more nor less: `lambda/proof/effective-gas-price.ts`. Before Nitro nothing is known.
 */
export function boundProblem(
  rules: Rules,
  { number, baseFeePerGas: baseFee }: Header,
  { type, gasUsed, effectiveGasPrice: price, blobGasPrice }: Receipt,
  { gas, gasPrice, maxFeePerGas, maxFeePerBlobGas }: ReturnType<typeof offer>,
): string | undefined {
  if (unprovenOf(rules, number)?.what === 'everything' || isUnpaid(rules, type)) return undefined;
  const isSinglePrice = type === LEGACY || type === ACCESS_LIST;
  const most = rules.family === 'arbitrum' ? baseFee : isSinglePrice ? gasPrice : maxFeePerGas;
  if (isAbove(gasUsed, gas)) return `gasUsed ${gasUsed} is above the gas limit ${gas} of the transaction`;
  if (isAbove(blobGasPrice, maxFeePerBlobGas))
    return `blobGasPrice ${blobGasPrice} is above the offer ${maxFeePerBlobGas}`;
  // The price of no gas enters no figure, and nodes report it differently for Arbitrum's own types.
  if (gasUsed === 0n) return undefined;
  if (isAbove(price, most)) return `effectiveGasPrice ${price} is above the offer or base fee ${most}`;
  if (isAbove(baseFee, price)) return `effectiveGasPrice ${price} is below the base fee ${baseFee}`;
  return undefined;
}

const isAbove = (value: bigint | null | undefined, most: bigint | null | undefined): boolean =>
  value != null && most != null && value > most;
