import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { readBlock } from '#core/ingest/blocks/read-block.ts';
import { describeFullBlocks, fullBlockFolders, readFullBlock } from '#test/support/generators/full-blocks.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { sourceOf, valueIn } from '#test/support/nodes/source.ts';

interface Given {
  readonly chain: ChainName;
  readonly number: number;
  readonly block: Readonly<Record<string, unknown>>;
  readonly receipts: readonly unknown[];
}

/** Reads a block from a node over HTTP. */
async function readOver({ chain: name, number, block, receipts }: Given, evidence: EvidencePolicy) {
  const chain = chainOf(name);
  await using node = await startJsonRpcServer(({ method }) => {
    if (method === 'eth_chainId') return { result: chain.id };
    return { result: method === 'eth_getBlockReceipts' ? receipts : block };
  });
  return valueIn(await readBlock(await sourceOf(chain, [node], {}, { evidence }), number));
}

describeFullBlocks(fullBlockFolders.committed, (names) => {
  test.each(names)('%s is proven', async (name) => {
    const full = readFullBlock(fullBlockFolders.committed, name);
    expect(await readOver(full, 'proven')).toMatchObject({
      number: full.number,
      hash: full.block.hash,
      isProven: true,
      totals: { transactions: (full.block.transactions as unknown[]).length },
    });
  });
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
  const { totals, isProven } = await readOver(
    { ...given, block: { ...given.block, transactions: bodies } },
    'checked',
  );
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

const folders = {
  'from this repository': join(process.cwd(), 'test/fixtures/blocks'),
  'from a folder beside the project': join(process.cwd(), '../shared/real-blocks'),
};

describe.each(Object.entries(folders))('reduced blocks, %s, have the expected sums', (_, folder) => {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  if (files.length === 0) {
    test.skip('the folder is missing, so its blocks are not read', () => {});
    return;
  }
  test.each(files)('%s', async (file) => {
    const real: ReducedBlock = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    expect(real.expected).toMatchObject(await sumsOf(real));
  });
});
