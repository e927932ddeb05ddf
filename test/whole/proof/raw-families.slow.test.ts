import { type Chain, chainOf } from '#core/chains/chains.ts';
import { isRawProvable } from '#core/chains/provable.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import { type Proof, type ProvenBlock, proofOf } from '#core/proof/proven-block.ts';
import { proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { splitBlock } from '#core/proof/raw/raw-body.ts';
import { rawAnswersOf } from '#test/support/generators/blocks/block-bytes.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import { blockResponse, type Json } from '#test/support/generators/blocks/seal.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { type Family, randomChain } from '#test/support/generators/random/random-chain.ts';

/* Blocks as `debug_getRawBlock` and `debug_getRawReceipts` give them, of every family, must give the figures that JSON gives. */

interface Answers {
  readonly block: Json;
  readonly receipts: readonly Json[];
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

function proveAnswers(chain: Chain, block: Uint8Array, receipts: readonly Uint8Array[]): Proof {
  return proofOf(() => {
    const proof = proveRawBlock(chain, { ...splitBlock(block), receipts });
    if ('proven' in proof) return proof.proven;
    throw new ProofError(proof.refused.field, proof.refused.problem);
  });
}

function provenOf(proof: Proof): ProvenBlock {
  if ('refused' in proof) throw new Error(`${proof.refused.field}: ${proof.refused.problem}`);
  return proof.proven;
}

/** Proves a block from its raw answers and from JSON. */
function both(chain: Chain, { block, receipts }: Answers) {
  const raw = rawAnswersOf(chain, block, receipts);
  const json = [decodeBlock(structuredClone(block)), decodeReceipts(structuredClone(receipts))] as const;
  return {
    fromRaw: provenOf(proveAnswers(chain, bytesOf(raw.block), raw.receipts.map(bytesOf))),
    fromJson: provenOf(proveBlock(chain, ...json)),
  };
}

/** Of the other families, recorded blocks have all types and forks: real-nodes.slow.test.ts. */
const families: readonly [Family, readonly number[]][] = [
  ['bsc', [0, 1, 2, 3, 4]],
  ['polygon', [0, 1, 2, 4, 0x7f]],
];

test.each(families)(
  'proves the same figures of random %s blocks, with every type',
  async (family, expected) => {
    const types = new Set<number>();
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { chain, blocks } = await randomChain(family, randomFrom(seed), {
        firstDay: '2026-01-01',
        days: 5,
      });
      for (const one of blocks) {
        if (!isRawProvable(chain.rules, Number(one.header.number))) continue;
        const block = { ...blockResponse(one, true), transactions: one.transactions };
        const { fromRaw, fromJson } = both(chain, { block, receipts: one.receipts });
        expect(fromRaw).toEqual(fromJson);
        for (const { type } of fromRaw.transactions) types.add(type);
      }
    }
    expect([...types]).toEqual(expect.arrayContaining([...expected]));
  },
);

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
