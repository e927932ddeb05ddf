import { toHex } from './encoding/hex.ts';
import { keccak256 } from './encoding/keccak.ts';

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
