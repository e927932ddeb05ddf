import type { BlockHeader, Receipt } from './block.ts';
import { required } from './block-error.ts';
import type { Chain } from './chains.ts';
import { ARBITRUM_INTERNAL, OP_DEPOSIT, POLYGON_STATE_SYNC } from './transaction-types.ts';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
// https://specs.optimism.io/protocol/deposits.html#l1-attributes-depositor-account
const L1_ATTRIBUTES_DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';

/**
 * Returns whether the protocol, not a user, put a transaction into the block. Such transactions count like all others, and
 * also separately.
 * @throws BlockError when a BSC header has no `miner`
 */
export function isProtocolTransaction(chain: Chain, header: BlockHeader, receipt: Receipt): boolean {
  const { rules } = chain;
  switch (rules.family) {
    case 'ethereum':
      return false;
    case 'arbitrum':
      return receipt.type === ARBITRUM_INTERNAL;
    case 'polygon':
      return isStateSync(receipt);
    case 'op-stack':
      // Deposits of users have the same type and are user transactions.
      return receipt.type === OP_DEPOSIT && receipt.from === L1_ATTRIBUTES_DEPOSITOR;
    case 'bsc':
      // parlia.go, IsSystemTransaction. A price of 0 is not enough: validators may include such calls of users.
      return (
        typeof receipt.to === 'string' &&
        rules.systemContracts.has(receipt.to) &&
        (receipt.effectiveGasPrice ?? receipt.gasPrice) === 0n &&
        receipt.from === required({ chain: chain.name, block: header.number }, 'miner', header.miner)
      );
  }
}

/**
 * Returns whether a receipt is Polygon's delivery of L1 state: a transaction type since block 80,084,800, and before that a
 * synthetic transaction from the zero address, which has no private key.
 */
export const isStateSync = (receipt: Receipt): boolean =>
  receipt.type === POLYGON_STATE_SYNC ||
  (receipt.from === ZERO_ADDRESS && receipt.to === ZERO_ADDRESS && receipt.gasUsed === 0n);
