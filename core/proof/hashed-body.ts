import type { Chain } from '../chains/chains.ts';
import { mayListStateSync } from '../chains/protocol-transactions.ts';
import { isSameHex, toHex } from './encoding/hex.ts';
import { keccak256 } from './encoding/keccak.ts';

/**
 * Returns the transactions and receipts that a block's roots cover, and whether the body lists Polygon's state-sync pseudo-transaction.
 *
 * Leaves out Polygon's state-sync pseudo-transaction and its receipt, which no root covers. Nodes disagree about it: they list it in
 * the body, among the receipts, in both or in neither. It counts if the body lists it with the hash that follows from the block's; its
 * other members are ignored. If no sprint begins with the block, the block is refused.
 */
export function hashedBody<T extends { hash: string }, R extends { transactionHash: string }>(
  { rules }: Chain,
  number: number,
  hash: string,
  { transactions }: { readonly transactions: readonly T[] },
  receipts: readonly R[],
): { transactions: readonly T[]; receipts: readonly R[]; hasStateSync: boolean } {
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

const PREFIX = Buffer.from('matic-bor-receipt-');

/**
 * Returns the hash of the state-sync pseudo-transaction of a Polygon block: keccak256("matic-bor-receipt-" ‖ number, 8 bytes ‖
 * block hash), https://github.com/0xPolygon/bor core/types/bor_receipt.go.
 */
export function stateSyncHash(number: number, blockHash: string): string {
  const key = Buffer.alloc(PREFIX.length + 8 + 32);
  PREFIX.copy(key);
  key.writeBigUInt64BE(BigInt(number), PREFIX.length);
  key.write(blockHash.slice(2), PREFIX.length + 8, 'hex');
  return toHex(keccak256(key));
}
