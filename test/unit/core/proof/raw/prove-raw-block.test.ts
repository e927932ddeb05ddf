import { chainOf } from '#core/chains/chains.ts';
import { isRawProvable } from '#core/chains/provable.ts';
import { createListReader } from '#core/proof/encoding/rlp-reader.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import { type BlockBytes, hashedReceipts, proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { payloadsIn, transactionsOfBody } from '#core/proof/raw/raw-body.ts';
import { blockBytes, rlp } from '#test/support/generators/blocks/block-bytes.ts';
import {
  fullBlockFolders,
  readFullBlock,
  readSmallBlocks,
} from '#test/support/generators/blocks/full-blocks.ts';

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

const rawProvable = readSmallBlocks().filter(({ chain, number }) =>
  isRawProvable(chainOf(chain).rules, number),
);

test.each(rawProvable)(
  'derives the same figures of $name from its bytes as from JSON',
  ({ chain, block, receipts }) => {
    const given = [chainOf(chain), decodeBlock(block), decodeReceipts(receipts)] as const;
    // The prices that an aggregator recorded in the block are read too: that of the first log.
    const aggregator = given[2].flatMap(({ logs }) => logs)[0]?.address ?? `0x${'12'.repeat(20)}`;
    const feed = { aggregator, maxAge: 3_600 };
    const proof = proveRawBlock(given[0], blockBytes(...given), feed);
    expect(proof).toHaveProperty('proven');
    expect(proof).toEqual(proveBlock(...given, feed));
  },
);

test('a state-sync that no root covers is refused where no sprint begins', () => {
  expect(proveRawBlock(ETHEREUM, { ...london(), hasStateSync: true })).toMatchObject({
    refused: { message: 'a state-sync stands where no sprint begins' },
  });
});

describe('the nonce of a deposit', () => {
  const [bloom, logs] = [`0x${'00'.repeat(256)}`, []];
  const receipt = (type: number, ...more: readonly string[]) =>
    Uint8Array.of(type, ...rlp(['0x01', '0x5208', bloom, logs, ...more]));
  const hashed = (payload: Uint8Array, name: 'BASE' | 'ETHEREUM' = 'BASE') =>
    Buffer.from(hashedReceipts(chainOf(name), [payload])[0] as Uint8Array);

  test('is removed if the receipt has no version, since the root did not cover it until Canyon', () => {
    expect(hashed(receipt(0x7e, '0x09'))).toEqual(Buffer.from(receipt(0x7e)));
  });

  test.each([
    ['a deposit with a version', receipt(0x7e, '0x09', '0x01')],
    ['a deposit without a nonce', receipt(0x7e)],
    ['another receipt', receipt(2)],
  ])('%s stays as it is', (_, payload) => {
    expect(hashed(payload)).toEqual(Buffer.from(payload));
  });

  test('is kept on other chains, whose receipts have none', () => {
    const payload = receipt(0x7e, '0x09');
    expect(hashed(payload, 'ETHEREUM')).toEqual(Buffer.from(payload));
  });
});
