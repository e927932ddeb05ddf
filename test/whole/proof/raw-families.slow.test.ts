import { type Chain, chainOf } from '#core/chains/chains.ts';
import { type Proof, type ProvenBlock, proofOf } from '#core/proof/proven-block.ts';
import { proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { splitBlock } from '#core/proof/raw/raw-body.ts';
import { rawAnswersOf } from '#test/support/generators/blocks/block-bytes.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';

/* Blocks as `debug_getRawBlock` and `debug_getRawReceipts` give them. Their figures are compared in real-blocks.test.ts and range.test.ts. */

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

function proveAnswers(chain: Chain, block: Uint8Array, receipts: readonly Uint8Array[]): Proof {
  return proofOf(() => {
    const proof = proveRawBlock(chain, { ...splitBlock(block), receipts });
    if ('proven' in proof) return proof.proven;
    throw proof.refused;
  });
}

function provenOf(proof: Proof): ProvenBlock {
  if ('refused' in proof) throw new Error(`${proof.refused.field}: ${proof.refused.message}`);
  return proof.proven;
}

/** The last bytes of a deposit's receipt from before Canyon: no root covered its nonce. */
const isNonce = (receipt: Buffer, at: number): boolean => receipt[0] === 0x7e && at >= receipt.length - 4;

test.each([
  'ETHEREUM-13998626.json',
  'BASE-81636.json',
  'OPTIMISM-105237730.json',
  'ARBITRUM-150000000.json',
])('refuses %s when any byte is changed, unless it becomes another block', (name) => {
  const full = readFullBlock(fullBlockFolders.small, name);
  const chain = chainOf(full.chain);
  const raw = rawAnswersOf(chain, full.block, full.receipts as Json[]);
  const block = bytesOf(raw.block);
  const receipts = raw.receipts.map(bytesOf);
  const original = provenOf(proveAnswers(chain, block, receipts));
  for (const part of [block, ...receipts]) {
    for (let at = 0; at < part.length; at += 1) {
      const before = part[at] as number;
      part[at] = before ^ (1 << (at % 8));
      const proof = proveAnswers(chain, block, receipts);
      part[at] = before;
      if ('refused' in proof) continue;
      if (part === block) expect(proof.proven.hash).not.toBe(original.hash);
      else expect([isNonce(part, at), proof.proven]).toEqual([true, original]);
    }
  }
});
