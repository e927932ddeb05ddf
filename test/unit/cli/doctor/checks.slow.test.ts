import { checkEndpoint } from '#cli/doctor/checks.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { targetOf } from '#test/support/doctor-target.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';

const target = targetOf('ETHEREUM');
const { chain } = target;
/** Creates ten blocks with decreasing intervals. The newest is `age` seconds old and 12 seconds after the one before. */
const blocksTo = (age: number) =>
  sampleChain(
    Array.from({ length: 10 }, (_, index) => Math.floor(Date.now() / 1_000) - age - (9 - index) ** 2 * 12),
  );

const answer = answerFrom(blocksTo(60));

async function check(
  given: NodeAnswer,
  {
    timeoutMs = 10_000,
    confirmations,
    fragment = '',
  }: { timeoutMs?: number; confirmations?: number; fragment?: string } = {},
) {
  await using node = await startJsonRpcServer(given);
  const report = await checkEndpoint(
    { ...target, confirmations },
    endpointOf(chain, node.url + fragment),
    timeoutMs,
  );
  return { ...report, calls: node.calls };
}

test('reports the completed checks of an endpoint that times out', async () => {
  const report = await check(
    (call) => (call.method === 'eth_getBlockReceipts' ? { hang: true } : answer(call)),
    { timeoutMs: 3_000 },
  );
  expect(report.finalized?.number).toBe(9);
  expect(report.failed_checks).toEqual([
    expect.objectContaining({
      check: 'receipts',
      kind: 'timed out',
      reason: expect.stringContaining('timed out after 3 s, during the receipts check'),
    }),
  ]);
});

test('skips the other checks when the finalized block is two days old', async () => {
  const { finalized, failed_checks, calls } = await check(answerFrom(blocksTo(2 * 86_400)));
  expect(finalized?.number).toBe(9);
  expect(failed_checks).toMatchObject([{ check: 'finalized block', kind: 'down' }]);
  expect(calls).toHaveLength(2);
});

test('reads no block from an endpoint for the anchor alone', async () => {
  const { finalized, failed_checks, calls } = await check(answer, { fragment: '#anchor' });
  expect([finalized?.number, failed_checks]).toEqual([9, []]);
  expect(calls).toHaveLength(2);
});

test('does not request the finalized tag when confirmations are set', async () => {
  const answer = answerFrom(blocksTo(60), { finalized: 0 });
  const { finalized, seconds_per_block, failed_checks, calls } = await check(
    ({ params: [at, ...more], ...call }) =>
      answer({ ...call, params: [at === 'latest' ? '0x9' : at, ...more] }),
    { confirmations: 3 },
  );
  expect([finalized?.number, failed_checks]).toEqual([6, []]);
  expect(seconds_per_block).toBe(((64 - 9) * 12) / 5);
  expect(calls.some(({ params }) => params[0] === 'finalized')).toBe(false);
});

test('accepts single receipts where eth_getBlockReceipts does not exist, and says so', async () => {
  const blocks = blocksTo(60);
  const answer = answerFrom(blocks);
  const receipts = blocks.flatMap((block) => block.receipts);
  const { has_receipts, is_proven, failed_checks } = await check((call) => {
    if (call.method === 'eth_getBlockReceipts') return { error: { code: -32601, message: 'no such method' } };
    if (call.method !== 'eth_getTransactionReceipt') return answer(call);
    return { result: receipts.find(({ transactionHash }) => transactionHash === call.params[0]) ?? null };
  });
  expect([has_receipts, is_proven]).toEqual([true, true]);
  expect(failed_checks).toMatchObject([{ check: 'limits', kind: 'no method' }]);
});

test('rejects receipts without a gas price, although the newest block is empty', async () => {
  const { has_receipts, failed_checks } = await check((call) => {
    const response = answer(call);
    if (!('result' in response) || !Array.isArray(response.result)) return response;
    return {
      result: response.result.map(({ effectiveGasPrice: _, ...receipt }) => ({ ...receipt, type: '0x2' })),
    };
  });
  expect(has_receipts).toBeUndefined();
  expect(failed_checks).toEqual([
    expect.objectContaining({
      check: 'receipts',
      kind: 'invalid block',
      reason: expect.stringMatching(
        /ETHEREUM block 8: receipts\[\d\]\.effectiveGasPrice: a figure depends on it, and the node left it out$/,
      ),
    }),
  ]);
});

test('names the field of a block that cannot be proven, and still measures the endpoint', async () => {
  const { has_receipts, is_proven, history, limits, failed_checks } = await check((call) => {
    const response = answer(call);
    if (!('result' in response) || !Array.isArray(response.result)) return response;
    return { result: response.result.map((receipt) => ({ ...receipt, effectiveGasPrice: '0x1' })) };
  });
  expect([has_receipts, is_proven, history?.block]).toEqual([true, false, 1]);
  expect(limits?.calls_per_second).toBeGreaterThan(0);
  expect(failed_checks).toEqual([
    expect.objectContaining({
      check: 'proof',
      kind: 'not proven',
      reason: expect.stringContaining(
        'ETHEREUM block 8: receipts[0].effectiveGasPrice: 1 is not 8, which follows from the block',
      ),
    }),
  ]);
});

test('runs the remaining checks when the history check fails', async () => {
  const { history, limits, failed_checks } = await check((call) =>
    call.params[0] === '0x1' ? { error: { code: -32003, message: 'too large' } } : answer(call),
  );
  expect(history).toBeUndefined();
  expect(limits?.calls_per_second).toBeGreaterThan(0);
  expect(failed_checks).toMatchObject([{ check: 'history', kind: 'too large' }]);
});

test('says from which block on a pruned node has the chain, though it has genesis', async () => {
  const { history, failed_checks } = await check((call) => {
    const isPruned = [1, 2, 3].includes(Number(call.params[0]));
    return isPruned ? { error: { code: 4444, message: 'pruned history unavailable' } } : answer(call);
  });
  expect(history).toMatchObject({
    block: 4,
    ends_because: expect.stringContaining('pruned history unavailable'),
  });
  expect(failed_checks).toEqual([]);
});

test('tries a rate limit again after a pause, and an RPC error not at all', async () => {
  let isLimited = false;
  const once = await check((call) => {
    if (isLimited || call.method !== 'eth_chainId') return answer(call);
    isLimited = true;
    return { status: 429, body: '' };
  });
  expect(once.failed_checks).toEqual([]);
  const never = await check(() => ({ error: { code: -32000, message: 'pruned history' } }));
  expect(never.failed_checks).toMatchObject([{ check: 'chain ID', kind: 'unavailable' }]);
  expect(never.calls).toHaveLength(1);
});
