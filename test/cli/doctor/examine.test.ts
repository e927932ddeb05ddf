import { examine } from '../../../cli/doctor/examine.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { type Answer, type Call, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';

const chain = chainOf('ETHEREUM');
const target = {
  ...{ name: 'ETHEREUM' as const, chain, from: '2026-11-01' },
  openEndpoints: async () => [],
  settings: { from: 'the start date', confirmations: 'the confirmations' },
};
/** Ten blocks that came faster and faster, the newest one so many seconds old and twelve after the one before. */
const blocksTo = (age: number) =>
  sampleChain(
    Array.from({ length: 10 }, (_, index) => Math.floor(Date.now() / 1_000) - age - (9 - index) ** 2 * 12),
  );

async function examined(
  answer: (call: Call) => Answer,
  { within = 10_000, confirmations }: { within?: number; confirmations?: number } = {},
) {
  await using node = await startJsonRpcServer(answer);
  let checks = 0;
  const found = await examine(
    { ...target, confirmations },
    endpointOf(chain, node.url),
    new AbortController().signal,
    () => {
      checks += 1;
    },
    within,
  );
  expect(checks).toBe(6);
  return { ...found, calls: node.calls };
}

test('one that takes too long is told of as far as it came', async () => {
  const answer = answerFrom(blocksTo(60));
  const found = await examined(
    (call) => (call.method === 'eth_getBlockReceipts' ? { hang: true } : answer(call)),
    { within: 3_000 },
  );
  expect(found.finalized?.number).toBe(9);
  expect(found.problems).toEqual([
    expect.objectContaining({
      ...{ check: 'receipts', kind: 'out of time' },
      reason: expect.stringContaining('the checks were given up after 3 s, at its receipts'),
    }),
  ]);
});

test('a node that stands still is found out by the age of its final block, and asked nothing more', async () => {
  const { finalized, problems, calls } = await examined(answerFrom(blocksTo(2 * 86_400)));
  expect(finalized?.number).toBe(9);
  expect(problems).toMatchObject([{ check: 'finalized block', kind: 'old' }]);
  expect(calls).toHaveLength(2);
});

test('with confirmations, a node is not asked for the finalized tag', async () => {
  const answer = answerFrom(blocksTo(60), { finalized: 0 });
  const { finalized, seconds_per_block, problems, calls } = await examined(
    ({ params: [at, ...more], ...call }) =>
      answer({ ...call, params: [at === 'latest' ? '0x9' : at, ...more] }),
    { confirmations: 3 },
  );
  expect([finalized?.number, problems]).toEqual([6, []]);
  expect(seconds_per_block).toBe(((81 - 9) * 12) / 6);
  expect(calls.some(({ params }) => params[0] === 'finalized')).toBe(false);
});

test('receipts that no rule can price are not taken for well, though the newest block is empty', async () => {
  const answer = answerFrom(blocksTo(60));
  const { has_receipts, problems } = await examined((call) => {
    const told = answer(call);
    if (!('result' in told) || !Array.isArray(told.result)) return told;
    return {
      result: told.result.map(({ effectiveGasPrice: _, ...receipt }) => ({ ...receipt, type: '0x2' })),
    };
  });
  expect(has_receipts).toBeUndefined();
  expect(problems).toEqual([
    expect.objectContaining({
      ...{ check: 'receipts', kind: 'bad block' },
      reason: expect.stringMatching(
        /ETHEREUM block 8, transaction 0x\w+: the node left out effectiveGasPrice$/,
      ),
    }),
  ]);
});

test('where history cannot be looked at, that is said, and the rest is measured all the same', async () => {
  const answer = answerFrom(blocksTo(60));
  const { history, limits, problems } = await examined((call) =>
    call.params[0] === '0x0' ? { error: { code: -32003, message: 'too large' } } : answer(call),
  );
  expect(history).toBeUndefined();
  expect(limits?.calls_per_second).toBeGreaterThan(0);
  expect(problems).toMatchObject([{ check: 'history', kind: 'too large' }]);
});
