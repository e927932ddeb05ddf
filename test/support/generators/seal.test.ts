import { chainOf } from '#core/chains/chains.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import { blockAt, sampleChain } from './sample-chain.ts';
import { blockResponse, type RawBlock, sealBlock } from './seal.ts';

const proofOf = (block: RawBlock) =>
  proveBlock(
    chainOf('ETHEREUM'),
    decodeBlock(blockResponse(block, true)),
    decodeReceipts(structuredClone(block.receipts)),
  );

test('a sealed block is proven', () => {
  const block = blockAt(sampleChain([0, 12, 24]), 2);
  expect(proofOf(block)).toMatchObject({
    proven: {
      number: 2,
      hash: block.header.hash,
      transactions: [{ measures: { gasUsed: 21_000n } }, { measures: { gasUsed: 21_000n } }],
    },
  });
});

test('an altered block that is sealed again is proven with another hash', () => {
  const block = blockAt(sampleChain([0, 12, 24]), 2);
  const altered = sealBlock(chainOf('ETHEREUM'), {
    ...block,
    receipts: block.receipts.map((r) => ({ ...r, gasUsed: '0x5209' })),
  });
  expect(proofOf(altered)).toMatchObject({
    proven: {
      hash: altered.header.hash,
      transactions: [{ measures: { gasUsed: 21_001n } }, { measures: { gasUsed: 21_001n } }],
    },
  });
  expect(altered.header.hash).not.toBe(block.header.hash);
});
