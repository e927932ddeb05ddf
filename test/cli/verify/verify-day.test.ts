import { documentOf } from '../../../cli/verify/document.ts';
import { recomputeFromFirst } from '../../../cli/verify/recompute.ts';
import { isEqual, verifyDay } from '../../../cli/verify/verify-day.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { NO_FEES } from '../../../lambda/chains/fee-parts.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { DayFigures } from '../../../lambda/store/day-item.ts';
import { hashOf } from '../../support/builders.ts';
import { type JsonRpcServer, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom, type RawBlock } from '../../support/sample-chain.ts';
import { DAY, sampleBlocks } from '../../support/sample-days.ts';
import { askingWith, upstreamsOf } from '../../support/source.ts';
import { unreachableTable } from '../../support/table.ts';

const chain = chainOf('ETHEREUM');
const served = {
  ...{ name: 'ETHEREUM' as const, chain, from: DAY, store: chainStore(unreachableTable, 'ETHEREUM') },
  openUpstreams: async () => [],
};
const reading = { context: askingWith(), onBlock: () => {} };

/** The sample chain, but for a price of block 2: 3 wei in place of 2, which no check can find. */
const oneWrongFee: readonly RawBlock[] = sampleBlocks.map((block, number) => ({
  ...block,
  receipts: block.receipts.map((receipt, index) =>
    number === 2 && index === 0 ? { ...receipt, effectiveGasPrice: '0x3' } : receipt,
  ),
}));

const startNode = (blocks: readonly RawBlock[] = sampleBlocks) => startJsonRpcServer(answerFrom(blocks));
/** One that no day can be had from. */
const startBehind = () => startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 3 }));
const reasonOf = ({ host }: JsonRpcServer) =>
  `${host}: its newest final block, 3, is of 2026-11-18T00:00:12.000Z, before that day ends`;

/** The day as it is stored when it was read from a node. */
async function storedFrom(node: JsonRpcServer): Promise<DayFigures> {
  const { recomputed } = await recomputeFromFirst(served, DAY, upstreamsOf(chain, [node]), reading);
  return recomputed.figures;
}

const verified = (
  stored: DayFigures,
  first: readonly JsonRpcServer[],
  others: readonly JsonRpcServer[] = [],
) => {
  const endpoints = { first: upstreamsOf(chain, first), others: async () => upstreamsOf(chain, others) };
  return verifyDay({ served, stored, endpoints }, reading);
};

test('a node that does not have the day yet is passed over, and the next shows that all is equal', async () => {
  await using node = await startNode();
  await using behind = await startBehind();
  const found = await verified(await storedFrom(node), [behind, node]);
  expect(isEqual(found)).toBe(true);
  expect(found).toMatchObject({ recomputed: { host: node.host }, reasons: [reasonOf(behind)] });
  expect(found.second).toBeUndefined();
});

test('those that are there to compare are never read in place of the first ones', async () => {
  await using node = await startNode();
  await using behind = await startBehind();
  await using own = await startNode();
  await expect(verified(await storedFrom(node), [behind], [own])).rejects.toThrow(
    `ETHEREUM 2026-11-18 could not be recomputed. ${reasonOf(behind)}. Name a node that has the blocks and receipts of that day with --rpc-url.`,
  );
  expect(own.calls).toEqual([]);
});

test('where figures differ and no other node is there, nobody knows why', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  const found = await verified(await storedFrom(liar), [node]);
  expect(documentOf(found)).toMatchObject({ equal: false, differing: ['execution_fees'] });
  expect(found.second).toEqual({ kind: 'none', reasons: [] });
});

test('where two nodes agree on every block, what is stored is wrong', async () => {
  await using node = await startNode();
  await using another = await startNode();
  await using liar = await startNode(oneWrongFee);
  const found = await verified(await storedFrom(liar), [node], [another]);
  expect(found.second).toEqual({ kind: 'nodes agree', host: another.host });
});

test('a second node is the next of the first ones, and then those that are there to compare', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await using behind = await startBehind();
  const { second } = await verified(await storedFrom(node), [liar, behind], [node]);
  expect(second).toMatchObject({ kind: 'nodes differ', host: node.host, isStored: true });
});

test('a day that ends with another block, and is of neither node, is told so as data', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  const [first, last] = [1, 3].map((number) => ({ number, hash: hashOf(`sample ${number}`) }));
  if (!last) throw new Error('there are two');
  const totals = { blocks: 3, transactions: 3, protocolTransactions: 0, fees: NO_FEES };
  const found = await verified({ day: DAY, totals, first, last, definitionVersion: 1 }, [node, liar]);
  expect(documentOf(found)).toEqual({
    ...{ chain: 'ETHEREUM', date: DAY, endpoint: node.host, equal: false },
    differing: ['block_count', 'transaction_count', 'execution_fees', 'last_block'],
    stored: expect.objectContaining({ execution_fees: 0n, last_block: last }),
    recomputed: expect.objectContaining({ execution_fees: 189_000n, first_block: first }),
    second: {
      ...{ result: 'nodes differ', endpoint: liar.host, gives_what_is_stored: false },
      first_block_that_differs: 2,
      told: {
        [node.host]: expect.objectContaining({
          execution_fees: 84_000n,
          time: new Date('2026-11-18T00:00:12.000Z'),
        }),
        [liar.host]: expect.objectContaining({ execution_fees: 105_000n }),
      },
    },
  });
});
