import type { Block } from './block.ts';
import type { Chain } from './chains.ts';
import { addFees, type Fees, NO_FEES } from './fees.ts';
import { isProtocolReceipt } from './protocol-transactions.ts';
import { feesOfReceipt } from './receipt-fees.ts';

/** The sums over blocks; `fees` are wei. */
export interface Totals {
  readonly blocks: number;
  /** All transactions in the block bodies, failed and protocol ones too. */
  readonly transactions: number;
  /** Those of them that the protocol itself put there. */
  readonly protocolTransactions: number;
  readonly fees: Fees;
}

export const NO_TOTALS: Totals = { blocks: 0, transactions: 0, protocolTransactions: 0, fees: NO_FEES };

export function addTotals(a: Totals, b: Totals): Totals {
  return {
    blocks: a.blocks + b.blocks,
    transactions: a.transactions + b.transactions,
    protocolTransactions: a.protocolTransactions + b.protocolTransactions,
    fees: addFees(a.fees, b.fees),
  };
}

/**
 * The totals of one checked block, whose receipts are those of its body.
 * @throws BlockError naming chain, block, transaction and field when a receipt cannot be priced
 */
export function totalsOf(chain: Chain, block: Block): Totals {
  const { receipts } = block;
  // Only a Polygon state-sync transaction may stand in a body without a receipt (see check-block.ts).
  const withoutReceipt = block.transactions.length - receipts.length;
  return {
    blocks: 1,
    transactions: block.transactions.length,
    protocolTransactions:
      withoutReceipt + receipts.filter((receipt) => isProtocolReceipt(chain, block, receipt)).length,
    fees: receipts.reduce((sum, receipt) => addFees(sum, feesOfReceipt(chain, block, receipt)), NO_FEES),
  };
}
