import type { Chain } from '../chains/chains.ts';
import { mayListStateSync } from '../chains/protocol-transactions.ts';
import { isSameHex } from './encoding/hex.ts';
import type { RpcReceipt, RpcTransaction } from './json/rpc-types.ts';
import { stateSyncHash } from './state-sync-hash.ts';

/**
 * Returns the transactions and receipts that a block's roots cover, and whether the body lists Polygon's state-sync pseudo-transaction.
 *
 * Leaves out Polygon's state-sync pseudo-transaction and its receipt, which no root covers. Nodes disagree about it: they list it in
 * the body, among the receipts, in both or in neither. It counts if the body lists it with the hash that follows from the block's; its
 * other members are ignored. If no sprint begins with the block, the block is refused.
 */
export function hashedBody<
  T extends Pick<RpcTransaction, 'hash'>,
  R extends Pick<RpcReceipt, 'transactionHash'>,
>(
  { rules }: Chain,
  number: number,
  hash: string,
  { transactions }: { readonly transactions: readonly T[] },
  receipts: readonly R[],
) {
  if (!mayListStateSync(rules, number)) return { transactions, receipts, hasStateSync: false };
  const expected = stateSyncHash(number, hash);
  const isStateSync = (given: string | undefined) => given !== undefined && isSameHex(given, expected);
  const inBody = isStateSync(transactions.at(-1)?.hash);
  const inReceipts =
    isStateSync(receipts.at(-1)?.transactionHash) || (inBody && receipts.length === transactions.length);
  return {
    transactions: inBody ? transactions.slice(0, -1) : transactions,
    receipts: inReceipts ? receipts.slice(0, -1) : receipts,
    hasStateSync: inBody,
  };
}
