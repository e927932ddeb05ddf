import { chainOf } from '#core/chains/chains.ts';
import { createListReader } from '#core/proof/encoding/rlp-reader.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { type BlockBytes, proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { payloadsIn, transactionsOfBody } from '#core/proof/raw/raw-body.ts';
import { blockBytes, rlp } from '#test/support/generators/blocks/block-bytes.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';

const ETHEREUM = chainOf('ETHEREUM');

const bytesOf = (folder: string, name: string): BlockBytes => {
  const { block, receipts } = readFullBlock(folder, name);
  return blockBytes(ETHEREUM, decodeBlock(block), decodeReceipts(receipts));
};
const london = () => bytesOf(fullBlockFolders.small, 'ETHEREUM-13998626.json');

describe('refuses', () => {
  test('a body with more transactions than a block can hold, before it reads them all', () => {
    const body = (transactions: number) => rlp([Array<string>(transactions).fill('0x05'), []]);
    expect(() => transactionsOfBody(body(100_001))).toThrow('more than a block can hold');
    expect(() => transactionsOfBody(body(100_000))).not.toThrow('more than a block can hold');
  });

  test('raw blocks of Optimism before Bedrock, whose receipts do not state the L1 fee', () => {
    const proof = proveRawBlock(chainOf('OPTIMISM'), london());
    expect(proof).toMatchObject({ refused: { message: expect.stringContaining('before Bedrock') } });
  });
});

test('reads the transactions of a body as the root covers them', () => {
  const { transactions } = london();
  const items = transactions.map((payload) => ((payload[0] ?? 0) >= 0xc0 ? nested(payload) : payload));
  expect(transactionsOfBody(rlp([items, [], []]))).toEqual(
    transactions.map((payload) => Buffer.from(payload)),
  );
});

/** A list as its items, which are byte strings. */
const nested = (payload: Uint8Array) => payloadsIn(createListReader(payload, 'transaction'), 'transaction');
