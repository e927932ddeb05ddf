import type { Rules } from './rule-types.ts';
import { ARBITRUM_INTERNAL, OP_DEPOSIT, POLYGON_STATE_SYNC } from './transaction-types.ts';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
// https://specs.optimism.io/protocol/deposits.html#l1-attributes-depositor-account
export const L1_ATTRIBUTES_DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';

/** The facts that tell a protocol transaction from a user's; addresses are lower-case. */
export interface TransactionFacts {
  readonly type: number;
  readonly to?: string | null | undefined;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice?: bigint | null | undefined;
  /** Called only where the rule depends on it, because recovering the signer of a transaction takes about a millisecond. */
  readonly sender: () => string;
  /** Called like `sender`. */
  readonly miner: () => string;
}

/**
 * Returns whether the protocol itself put a transaction into the block, rather than a user.
 * Such transactions are counted like all others, and also apart.
 */
export function isProtocolTransaction(rules: Rules, transaction: TransactionFacts): boolean {
  const { type, to, gasUsed, effectiveGasPrice, sender, miner } = transaction;
  switch (rules.family) {
    case 'ethereum':
      return false;
    case 'arbitrum':
      return type === ARBITRUM_INTERNAL;
    case 'polygon':
      return (
        type === POLYGON_STATE_SYNC || (gasUsed === 0n && isStateSync({ type, from: sender(), to, gasUsed }))
      );
    case 'op-stack':
      // Users' own deposits have the same type; they are user transactions.
      return type === OP_DEPOSIT && sender() === L1_ATTRIBUTES_DEPOSITOR;
    case 'bsc':
      // https://github.com/bnb-chain/bsc consensus/parlia/parlia.go, IsSystemTransaction. A price of 0 is not enough:
      // validators may include such calls of users.
      return (
        typeof to === 'string' &&
        rules.systemContracts.has(to) &&
        effectiveGasPrice === 0n &&
        sender() === miner()
      );
  }
}

/** Returns whether the rule depends on a transaction's receiver. */
export const dependsOnReceiver = ({ family }: Rules): boolean => family === 'polygon' || family === 'bsc';

/**
 * Returns whether a transaction is Polygon's delivery of L1 state in either of its forms: a transaction type since block
 * 80,084,800, before that a synthetic transaction from the zero address, for which nobody can have signed.
 */
export const isStateSync = ({ type, from, to, gasUsed }: StateSyncFacts): boolean =>
  type === POLYGON_STATE_SYNC || (from === ZERO_ADDRESS && to === ZERO_ADDRESS && gasUsed === 0n);

interface StateSyncFacts extends Pick<TransactionFacts, 'type' | 'to' | 'gasUsed'> {
  readonly from: string;
}
