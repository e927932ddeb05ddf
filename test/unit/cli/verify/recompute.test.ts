import { partsOf, recomputeFromFirst } from '#cli/verify/recompute.ts';
import { chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { answerFrom, refAt } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, oneWrongFee, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import {
  blocksRead,
  type JsonRpcServer,
  type NodeAnswer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* Proves that a day is recomputed from one endpoint alone, and from which. verify-days.test.ts compares days with what is stored. */

const table = useMemoryTable();
const chain = chainOf('ETHEREUM');
const well = answerFrom(sampleBlocks);
const upstream = ({ url }: JsonRpcServer, options = '') =>
  createUpstream(endpointOf(chain, `${url}${options}`));
const numbers: number[] = [];
beforeEach(() => {
  numbers.length = 0;
});
const recompute = (upstreams: readonly ReturnType<typeof upstream>[], day = DAY) =>
  recomputeFromFirst(servedChain('ETHEREUM', table()), day, upstreams, {
    context: requestContextWith(),
    onBlock: ({ number }) => numbers.push(number),
  });

test('takes all blocks of the day from the first endpoint, and leaves the others untried', async () => {
  await using node = await startJsonRpcServer(well);
  await using other = await startJsonRpcServer(well);
  const [first, second, third] = [upstream(node), upstream(other), upstream(other)];
  const { recomputed, untried, reasons } = await recompute([first, second, third]);
  expect([untried, reasons, other.calls]).toEqual([[second, third], [], []]);
  expect(numbers).toEqual([1, 2, 3, 4]);
  expect(recomputed).toMatchObject({
    host: node.host,
    next: refAt(sampleBlocks, 5),
    figures: {
      day: DAY,
      parentHash: refAt(sampleBlocks, 0).hash,
      first: refAt(sampleBlocks, 1),
      last: refAt(sampleBlocks, 4),
    },
  });
});

test('a day without blocks has the last block before it, once the first second after it is final', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 8 }));
  const { recomputed } = await recompute([upstream(node)], addDays(DAY, 2));
  expect(recomputed.figures).toMatchObject({
    first: undefined,
    last: refAt(sampleBlocks, 7),
    totals: { blocks: 0 },
  });
  expect(recomputed.next).toMatchObject(refAt(sampleBlocks, 8));
});

test('begins again with the next endpoint, and says why', async () => {
  const lacking: NodeAnswer = (call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) === 2 ? { result: null } : well(call);
  await using first = await startJsonRpcServer(lacking);
  await using second = await startJsonRpcServer(well);
  const { recomputed, reasons } = await recompute([upstream(first), upstream(second)]);
  expect(recomputed.host).toBe(second.host);
  expect(reasons).toEqual([expect.stringContaining(first.host)]);
  expect(numbers.slice(-4)).toEqual([1, 2, 3, 4]);
});

test('reads nothing from an endpoint for the anchor alone', async () => {
  await using voter = await startJsonRpcServer(well);
  await expect(recompute([upstream(voter, '#anchor')])).rejects.toThrow('Name an endpoint that provides');
  expect(voter.calls).toEqual([]);
});

test.each([
  [
    'the day is not over',
    DAY,
    answerFrom(sampleBlocks, { finalized: 4 }),
    'its newest finalized block, 4, is from 2026-11-18T23:59:59.000Z, before the day ends',
  ],
  ['the chain began later', '2026-11-01', well, 'its chain begins after 2026-11-01'],
  ['a block does not hash', DAY, answerFrom(oneWrongFee), 'receipts[0].effectiveGasPrice: 1 is not 2'],
])('fails with the reason of each endpoint when %s', async (_, day, answer, reason) => {
  await using node = await startJsonRpcServer(answer);
  const both = recompute([upstream(node), upstream(node)], day);
  await expect(both).rejects.toThrow(/cannot be recomputed: .*; .*/);
  await expect(recompute([upstream(node)], day)).rejects.toThrow(reason);
});

test('asks an endpoint twice for a block that does not hash, and not for a minute', async () => {
  await using node = await startJsonRpcServer(answerFrom(oneWrongFee));
  await expect(recompute([upstream(node)])).rejects.toThrow('cannot be recomputed');
  expect(blocksRead(node.calls).filter((number) => number === 2)).toEqual([2, 2]);
});

test('partsOf gives digests of hours and fees, and none of a day that was imported without them', async () => {
  await using node = await startJsonRpcServer(well);
  const { figures } = (await recompute([upstream(node)])).recomputed;
  expect(partsOf(figures)).toMatchObject({
    ...{ block_count: 4, hours: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    distribution: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(partsOf({ ...figures, details: undefined })).toMatchObject({
    hours: undefined,
    distribution: undefined,
  });
});
