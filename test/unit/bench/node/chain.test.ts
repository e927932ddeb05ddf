import { cannedAnswers, HEAD, TRANSACTIONS } from '#bench/node/chain.ts';
import { createIngest } from '#bench/readers/ours.ts';
import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import type { Rules } from '#core/chains/rule-types.ts';
import { addTotals, NO_TOTALS } from '#core/figures/totals.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { rawCall } from '#test/support/nodes/raw-node.ts';

const startNode = async (name: ChainName, transactions: number, isRaw = false) =>
  startJsonRpcServer(await cannedAnswers(chainOf(name), transactions, isRaw));

/** Number per block. */
const protocolTransactions: Record<Rules['family'], number> = {
  ethereum: 0,
  arbitrum: 1,
  bsc: 1,
  'op-stack': 1,
  polygon: 0,
};

/** The first chain of each family. */
const names = [
  ...new Map(chainNames.toReversed().map((name) => [chainOf(name).rules.family, name])).values(),
];

const nodes = names.flatMap((name) => [
  { name, isRaw: false },
  { name, isRaw: true },
]);

test.each(nodes)('proves the canned blocks of $name, with RLP: $isRaw', async ({ name, isRaw }) => {
  await using node = await startNode(name, 40, isRaw);
  const chain = chainOf(name);
  let totals = NO_TOTALS;
  for await (const block of createIngest(chain, [node.url])(3)) {
    expect(block.isProven).toBe(true);
    totals = addTotals(totals, block.totals);
  }
  expect(totals).toMatchObject({
    blocks: 3,
    transactions: 3 * 40,
    protocolTransactions: 3 * protocolTransactions[chain.rules.family],
  });
  expect(totals.fees.execution).toBeGreaterThan(0n);
});

test('serves the roots of the real block with its number of transactions', async () => {
  await using node = await startNode('ETHEREUM', TRANSACTIONS);
  const { block } = readFullBlock(fullBlockFolders.large, 'ETHEREUM-18500000.json.gz');
  const { transactionsRoot, receiptsRoot } = block;
  const served = await rawCall(node.url, 'eth_getBlockByNumber', `0x${HEAD.toString(16)}`, false);
  expect(served).toMatchObject({ transactionsRoot, receiptsRoot });
});
