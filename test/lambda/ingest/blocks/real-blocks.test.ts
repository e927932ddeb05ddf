import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainName, chainOf } from '../../../lambda/chains/chains.ts';
import { totalFees } from '../../../lambda/chains/fee-parts.ts';
import { readBlock } from '../../../lambda/ingest/read-block.ts';
import { startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { sourceOf } from '../../support/source.ts';

interface RealBlock {
  readonly chain: ChainName;
  readonly number: number;
  readonly block: Record<string, unknown>;
  readonly receipts: readonly unknown[];
  readonly transactions?: readonly unknown[];
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Reads the block from a node over HTTP, with all checks. */
async function sumsOf({ chain: name, number, block, receipts, transactions }: RealBlock) {
  const chain = chainOf(name);
  await using node = await startJsonRpcServer(({ method, params: [, full] }) => {
    if (method === 'eth_chainId') return { result: chain.id };
    if (method === 'eth_getBlockReceipts') return { result: receipts };
    return { result: full ? { ...block, transactions } : block };
  });
  const { totals } = await readBlock(await sourceOf(chain, [node]), number);
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
  'cut down, from this repository': join(process.cwd(), 'test/fixtures/blocks'),
  'complete, from a folder beside the project': join(process.cwd(), '../shared/real-blocks'),
};

describe.each(Object.entries(folders))('real blocks, %s, have the expected sums', (_, folder) => {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  if (files.length === 0) {
    test.skip(`${folder} is not there, so its blocks are not tried`, () => {});
    return;
  }
  test.each(files)('%s', async (file) => {
    const real: RealBlock = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    expect(real.expected).toMatchObject(await sumsOf(real));
  });
});
