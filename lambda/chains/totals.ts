import type { Block } from './block.ts';
import { BlockError } from './block-error.ts';
import type { Chain } from './chains.ts';
import { exceedAllCoins, type Fees, NO_FEES, sumFees } from './fee-parts.ts';
import { isProtocolReceipt } from './protocol-transactions.ts';
import { feesOfReceipt } from './receipt-fees.ts';

/** Sums over blocks. Fees are in wei. */
export interface Totals {
  readonly blocks: number;
  /** All transactions in the block bodies, including failed and protocol transactions. */
  readonly transactions: number;
  readonly protocolTransactions: number;
  readonly fees: Fees;
}

export const NO_TOTALS: Totals = { blocks: 0, transactions: 0, protocolTransactions: 0, fees: NO_FEES };

export function addTotals(a: Totals, b: Totals): Totals {
  return {
    blocks: a.blocks + b.blocks,
    transactions: a.transactions + b.transactions,
    protocolTransactions: a.protocolTransactions + b.protocolTransactions,
    fees: sumFees([a.fees, b.fees]),
  };
}

/**
 * Computes the totals of one block that was checked, not proven.
 * @throws BlockError when a receipt lacks a field that its fee depends on, or the fees exceed all coins
 */
export function totalsOf(chain: Chain, block: Block): Totals {
  const { receipts } = block;
  const fees = sumFees(receipts.map((receipt) => feesOfReceipt(chain, block, receipt)));
  if (exceedAllCoins(fees)) {
    throw new BlockError({ chain: chain.name, block: block.number }, 'its fees are more than all coins');
  }
  // Only a Polygon state-sync transaction can be in the body without a receipt (see check-block.ts).
  const withoutReceipt = block.transactions.length - receipts.length;
  return {
    blocks: 1,
    transactions: block.transactions.length,
    protocolTransactions:
      withoutReceipt + receipts.filter((receipt) => isProtocolReceipt(chain, block, receipt)).length,
    fees,
  };
}
