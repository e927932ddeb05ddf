import { unprovenOf } from '../../chains/provable.ts';
import type { Rules } from '../../chains/rule-types.ts';
import { hasSinglePrice, isUnpaid } from '../../chains/transaction-types.ts';
import { ProofError } from '../encoding/proof-error.ts';
import type { CheckedBlock, CheckedReceipt } from '../json/rpc-types.ts';

type Quantity = string | null | undefined;

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
  if (unprovenOf(rules, Number(number))?.what === 'everything' || isUnpaid(rules, type)) return;
  const max = rules.family === 'arbitrum' ? baseFee : hasSinglePrice(type) ? gasPrice : maxFeePerGas;
  keep('gasUsed', gasUsed, 'the gas limit', gas);
  keep('blobGasPrice', blobGasPrice, 'the offer', maxFeePerBlobGas);
  // Without gas, the price affects no figure, and nodes report it differently for Arbitrum's own types.
  if (BigInt(gasUsed) === 0n) return;
  keep('effectiveGasPrice', price, 'the offer or base fee', max);
  keep('the base fee', baseFee, 'effectiveGasPrice', price);
}

function keep(name: string, value: Quantity, bound: string, max: Quantity): void {
  if (value == null || max == null || BigInt(value) <= BigInt(max)) return;
  throw new ProofError('', `${name} ${BigInt(value)} is above ${bound} ${BigInt(max)}`);
}
