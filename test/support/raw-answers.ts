import { RLP } from '@ethereumjs/rlp';
import type { Chain } from '../../lambda/chains/chains.ts';
import { decodeBlock, decodeReceipts } from '../../lambda/proof/decode-block.ts';
import { blockBytes } from './block-bytes.ts';
import type { Call, NodeResponse } from './json-rpc-server.ts';
import { blockResponse, type Json, type RawBlock } from './seal.ts';

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
export function rawAnswersOf(chain: Chain, block: Json, receipts: readonly Json[]): RawAnswers {
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

/** Returns what a node that offers RLP answers to the calls for it; others are answered by `answer`. */
export function answerRaw(
  chain: Chain,
  blocks: readonly RawBlock[],
  answer: (call: Call) => NodeResponse,
): (call: Call) => NodeResponse {
  return (call) => {
    if (!call.method.startsWith('debug_getRaw')) return answer(call);
    const block = blocks[Number(call.params[0])];
    // Geth answers so for a block that it does not have.
    if (!block) return { result: call.method === 'debug_getRawBlock' ? '0x' : [] };
    const response = { ...blockResponse(block, true), transactions: block.transactions };
    const raw = rawAnswersOf(chain, response, block.receipts);
    return { result: call.method === 'debug_getRawBlock' ? raw.block : raw.receipts };
  };
}
