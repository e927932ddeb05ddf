import { RLP } from '@ethereumjs/rlp';
import type { Chain } from '../../../core/chains/chains.ts';
import { decodeBlock, decodeReceipts } from '../../../core/proof/json/decode-block.ts';
import { blockBytes } from './block-bytes.ts';

/** The results of `debug_getRawBlock` and `debug_getRawReceipts`. */
export interface RawAnswers {
  readonly block: string;
  readonly receipts: readonly string[];
}

const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/**
 * Encodes a block as a node does: https://github.com/ethereum/go-ethereum core/types/block.go.
 * @param block the result of `eth_getBlockByNumber` with transactions, and for Polygon the `raw` bytes of a state-sync transaction
 * @param receipts the result of `eth_getBlockReceipts`
 */
export function rawAnswersOf(chain: Chain, block: object, receipts: readonly object[]): RawAnswers {
  // The decoders write into their input.
  const decoded = decodeBlock(structuredClone(block));
  const bytes = blockBytes(chain, decoded, decodeReceipts(structuredClone(receipts)));
  const withdrawals = decoded.withdrawalsRoot === undefined ? [] : [[]];
  // Typed transactions are byte strings in a block, and legacy ones lists.
  const transactions = bytes.transactions.map((payload) =>
    (payload[0] ?? 0) < 0xc0 ? payload : RLP.decode(payload),
  );
  return {
    block: hexOf(RLP.encode([RLP.decode(bytes.header), transactions, [], ...withdrawals])),
    receipts: bytes.receipts.map(hexOf),
  };
}
