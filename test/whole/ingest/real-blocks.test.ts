import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBlock } from '#core/blocks/nodes/read-block.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { isRawProvable, unprovenOf } from '#core/chains/provable.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { completeBlocks, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';
import { withRaw } from '#test/support/generators/chains/real-nodes.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { figuresOf, readRecordedBlocks } from '#test/support/nodes/recorded-node.ts';
import { sourceOf, valueIn } from '#test/support/nodes/source.ts';

interface Given {
  readonly chain: ChainName;
  readonly number: number;
  readonly block: Readonly<Record<string, unknown>>;
  readonly receipts: readonly unknown[];
}

/** Reads a block from a node over HTTP. */
async function readChecked({ chain: name, number, block, receipts }: Given) {
  const chain = chainOf(name);
  await using node = await startJsonRpcServer(({ method }) => {
    if (method === 'eth_chainId') return { result: chain.id };
    return { result: method === 'eth_getBlockReceipts' ? receipts : block };
  });
  return valueIn(await readBlock(await sourceOf(chain, [node], {}, { evidence: 'checked' }), number));
}

test.each(completeBlocks)('%s is proven from JSON, and from RLP where that has all', async (name, folder) => {
  const { chain: chainName, number, block, receipts } = readFullBlock(folder, name);
  const chain = chainOf(chainName);
  const recorded = { number, json: { block, receipts: receipts as readonly Json[] } };
  const read = await readRecordedBlocks(chain, [recorded], 'JSON');
  const { length: transactions } = block.transactions as readonly unknown[];
  const isProven = unprovenOf(chain.rules, number) === undefined;
  expect(read).toMatchObject([{ number, hash: block.hash, isProven, totals: { transactions } }]);
  const isPriceStated = /"(blobGasPrice|l1Fee)":"0x/.test(JSON.stringify(receipts));
  expect(read.map((one) => one.isPriceStated ?? false)).toEqual([isPriceStated]);
  if (isRawProvable(chain.rules, number))
    expect(await readRecordedBlocks(chain, [withRaw(chain, recorded)], 'RLP')).toEqual(read.map(figuresOf));
});

/** A block without the fields that no fee rule reads, so that it cannot be proven. */
interface ReducedBlock extends Given {
  readonly block: Given['block'] & { readonly transactions: readonly string[] };
  /** Present where receipts lack the price. */
  readonly transactions?: readonly unknown[];
  readonly expected: Readonly<Record<string, unknown>>;
}

async function sumsOf({ transactions, ...given }: ReducedBlock) {
  const bodies = transactions ?? given.block.transactions.map((hash) => ({ hash }));
  const block = { ...given.block, transactions: bodies };
  const { totals, isProven } = await readChecked({ ...given, block });
  expect(isProven).toBe(false);
  return {
    transaction_count: totals.transactions,
    protocol_transaction_count: totals.protocolTransactions,
    execution_fees_wei: String(totals.fees.execution),
    l1_fees_wei: String(totals.fees.l1Data),
    blob_fees_wei: String(totals.fees.blob),
    fees_wei: String(totalFees(totals.fees)),
  };
}

const REDUCED = join(process.cwd(), 'test/fixtures/blocks');

test.each(readdirSync(REDUCED))('the reduced block %s has the expected sums', async (file) => {
  const real: ReducedBlock = JSON.parse(readFileSync(join(REDUCED, file), 'utf8'));
  expect(real.expected).toMatchObject(await sumsOf(real));
});
