import type { Chain } from '#core/chains/chains.ts';
import { rawAnswersOf } from '#test/support/generators/blocks/block-bytes.ts';
import { blockResponse, type RawBlock } from '#test/support/generators/blocks/seal.ts';
import type { NodeAnswer } from './json-rpc-server.ts';

/** Returns what a node that offers RLP answers to the calls for it; others are answered by `answer`. */
export function answerRaw(chain: Chain, blocks: readonly RawBlock[], answer: NodeAnswer): NodeAnswer {
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
