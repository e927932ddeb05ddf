import type { ServedChain } from '#cli/service.ts';
import type { DetailedDay } from '#cli/verify/recompute.ts';
import { recomputeFromFirst } from '#cli/verify/recompute.ts';
import { documentOf } from '#cli/verify/report.ts';
import { isEqual, verifyDay, verifyDays } from '#cli/verify/verify-days.ts';
import { chainOf } from '#core/chains/chains.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { chainStore } from '#core/store/table/table.ts';
import { dayFigures, finalSums, hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { type RawBlock, withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, refAt, reseal } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, oneWrongFee, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

const table = useMemoryTable();
const chain = chainOf('ETHEREUM');
const servedWith = (given: Partial<ServedChain> = {}) =>
  servedChain('ETHEREUM', table(), { from: DAY, ...given });
/** Accepts also blocks that cannot be proven. */
const accepting = { evidence: 'checked' } as const;
const options = { context: requestContextWith(), onBlock: () => {} };

const startNode = (blocks: readonly RawBlock[] = sampleBlocks) => startJsonRpcServer(answerFrom(blocks));
/** Starts a node without a complete day. */
const startBehind = () => startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 3 }));
const reasonOf = ({ host }: JsonRpcServer) =>
  `${host}: its newest finalized block, 3, is from 2026-11-18T00:00:12.000Z, before the day ends`;

/** Returns the day as the ingest stores it from a node. */
async function storedFrom(node: JsonRpcServer): Promise<DetailedDay> {
  const { recomputed } = await recomputeFromFirst(
    servedWith(accepting),
    DAY,
    upstreamsOf(chain, [node]),
    options,
  );
  return recomputed.figures;
}

const verify = (
  stored: DetailedDay,
  primary: readonly JsonRpcServer[],
  secondary: readonly JsonRpcServer[] = [],
  given: Partial<ServedChain> = {},
) => {
  const endpoints = { primary: upstreamsOf(chain, primary), secondary: upstreamsOf(chain, secondary) };
  return verifyDay(servedWith(given), stored, endpoints, options);
};

test('does not recompute a day from secondary endpoints', async () => {
  await using node = await startNode();
  await using behind = await startBehind();
  await using own = await startNode();
  await expect(verify(await storedFrom(node), [behind], [own])).rejects.toThrow(
    `ETHEREUM 2026-11-18 cannot be recomputed: ${reasonOf(behind)}. Name an endpoint that provides the blocks and receipts of this day with --rpc-url.`,
  );
  expect(own.calls).toEqual([]);
});

test('proves a day, and names the hosts that confirm the block after it', async () => {
  await using node = await startNode();
  await using another = await startNode();
  const day = await verify(await storedFrom(node), [node], [another]);
  expect(day.proof).toEqual({
    block_count: 4,
    proven_blocks: 4,
    last_hash: refAt(sampleBlocks, 4).hash,
    confirmed_by: [node.host, another.host].toSorted(),
  });
});

const NEXT = '2026-11-19';
const after = (parentHash: string) =>
  putDay(
    chainStore(table(), 'ETHEREUM'),
    dayFigures(NEXT, { parentHash, first: refAt(sampleBlocks, 5), last: refAt(sampleBlocks, 7) }),
    provenance(),
  );

test('names the stored day that continues the recomputed one', async () => {
  await using node = await startNode();
  await after(refAt(sampleBlocks, 4).hash);
  const { proof } = await verify(await storedFrom(node), [node]);
  expect(proof).toMatchObject({ confirmed_by: [], continued_by: NEXT });
});

test('names the running day when its blocks continue the recomputed day', async () => {
  await using node = await startNode();
  const progress = { ...startDayProgress(NEXT, refAt(sampleBlocks, 4)), first: refAt(sampleBlocks, 5) };
  const { store } = servedWith();
  await saveCheckpoint(store, await getCheckpoint(store, NEXT), { progress, final: finalSums(progress) });
  const { proof } = await verify(await storedFrom(node), [node]);
  expect(proof).toMatchObject({ confirmed_by: [], continued_by: NEXT });
});

test.each([
  ['no day after it is stored', undefined],
  ['the day after it begins elsewhere', hashOf('elsewhere')],
])('anchors nothing on the word of one host when %s', async (_, parentHash) => {
  await using node = await startNode();
  if (parentHash) await after(parentHash);
  const { proof } = await verify(await storedFrom(node), [node]);
  expect(proof).toMatchObject({
    proven_blocks: 4,
    confirmed_by: [],
    problem: expect.stringContaining('a quorum of 1 cannot confirm it'),
  });
});

test('names the hash that the hosts report in place of the next block', async () => {
  const fork = reseal(sampleBlocks, 5, (block) => withHeader(block, { extraData: '0x01' }));
  await using liar = await startNode(fork);
  await using node = await startNode();
  await using another = await startNode();
  const { proof } = await verify(await storedFrom(node), [liar], [node, another]);
  expect(proof).toMatchObject({
    confirmed_by: [],
    problem: `the hosts report ${refAt(sampleBlocks, 5).hash} as block 5`,
  });
});

test('reads no block from an endpoint for the anchor alone, and counts its vote', async () => {
  await using node = await startNode();
  await using voter = await startNode();
  const stored = await storedFrom(node);
  const primary = [`${voter.url}#anchor`, node.url].map((url) => createUpstream(endpointOf(chain, url)));
  const day = await verifyDay(servedWith(), stored, { primary, secondary: [] }, options);
  expect(day).toMatchObject({ recomputed: { host: node.host }, reasons: [] });
  expect(day.proof.confirmed_by).toEqual([node.host, voter.host].toSorted());
  expect(voter.calls.map(({ method }) => method)).not.toContain('eth_getBlockReceipts');
});

test('finds a day that states another parent', async () => {
  await using node = await startNode();
  const stored = await storedFrom(node);
  expect(isEqual(await verify(stored, [node]))).toBe(true);
  const other = await verify({ ...stored, parentHash: hashOf('elsewhere') }, [node]);
  expect(documentOf(other)).toMatchObject({ equal: false, differing: ['parent_hash'] });
});

test('skips an endpoint with a block that does not hash to its hash, and names the field', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  const day = await verify(await storedFrom(liar), [liar, node]);
  expect(day.reasons).toEqual([
    expect.stringContaining(
      `${liar.host}: ETHEREUM block 2: receipts[0].effectiveGasPrice: 1 is not 2, which`,
    ),
  ]);
  expect(documentOf(day)).toMatchObject({
    equal: false,
    differing: ['execution_fees', 'hours', 'distribution'],
  });
});

test('finds hours and distributions that are not those of the blocks, and asks none of days without them', async () => {
  await using node = await startNode();
  const stored = await storedFrom(node);
  const [first, second, ...others] = stored.details?.hours ?? [];
  if (!first || !second) throw new Error('A day has 24 hours');
  const moved = { hours: [second, first, ...others], feeCounts: new Map([[5, 1]]) };
  const wrong = await verify({ ...stored, details: moved }, [node]);
  expect(documentOf(wrong)).toMatchObject({ equal: false, differing: ['hours', 'distribution'] });
  const older = await verify({ ...stored, details: undefined }, [node]);
  expect(documentOf(older)).toMatchObject({ equal: true, differing: [] });
});

test('cannot cross-check a difference in blocks that are not proven with one endpoint', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  const day = await verify(await storedFrom(node), [liar], [], accepting);
  expect(day).toMatchObject({
    proof: { block_count: 4, proven_blocks: 3 },
    crossCheck: { result: 'unavailable', reasons: [] },
  });
});

test('reports that two endpoints agree against the stored figures', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await using another = await startNode(oneWrongFee);
  const day = await verify(await storedFrom(node), [liar], [another], accepting);
  expect(day.crossCheck).toEqual({ result: 'endpoints agree', endpoint: another.host });
});

test('cross-checks with the remaining primary endpoints, then with secondary ones', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await using behind = await startBehind();
  const { crossCheck } = await verify(await storedFrom(node), [liar, behind], [node], accepting);
  expect(crossCheck).toMatchObject({
    result: 'endpoints disagree',
    endpoint: node.host,
    equals_stored: true,
  });
});

test('documents a day that matches neither endpoint', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  const [first, last] = [refAt(sampleBlocks, 1), refAt(sampleBlocks, 3)];
  const totals = { ...NO_TOTALS, blocks: 3, transactions: 3 };
  const stored = dayFigures(DAY, { totals, parentHash: refAt(sampleBlocks, 0).hash, first, last });
  const day = await verify(stored, [liar, node], [], accepting);
  expect(documentOf(day)).toEqual({
    chain: 'ETHEREUM',
    date: DAY,
    endpoint: liar.host,
    equal: false,
    differing: ['block_count', 'transaction_count', 'execution_fees', 'gas_used', 'last_block'],
    stored: expect.objectContaining({ execution_fees: 0n, last_block: last }),
    recomputed: expect.objectContaining({ execution_fees: 168_000n, first_block: first }),
    proof: {
      block_count: 4,
      proven_blocks: 3,
      last_hash: refAt(sampleBlocks, 4).hash,
      confirmed_by: [liar.host, node.host].toSorted(),
    },
    cross_check: { result: 'endpoints disagree', endpoint: node.host, equals_stored: false },
  });
});

test('says how to see the final days of a chain when a day is not final', async () => {
  const run = {
    flags: ' --stage prod',
    signal: new AbortController().signal,
    endpointsOf: async () => ({ primary: [], secondary: [] }),
  };
  const status = 'To see its final days:\n  npx --no chain-insights status --chain ETHEREUM --stage prod';
  expect(await verifyDays(run, [{ served: servedWith(), day: '2026-11-19' }])).toEqual([
    {
      chain: 'ETHEREUM',
      day: '2026-11-19',
      reason: `ETHEREUM 2026-11-19 is not final, so it cannot be verified. ${status}`,
    },
  ]);
});
