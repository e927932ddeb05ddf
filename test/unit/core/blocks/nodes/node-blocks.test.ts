import type { ChainPosition } from '#core/blocks/link-problems.ts';
import { nodeBlocks } from '#core/blocks/nodes/node-blocks.ts';
import { chainOf } from '#core/chains/chains.ts';
import { setHealth, type Upstream } from '#core/rpc/upstream.ts';
import { steppedClock, turns } from '#test/support/clock.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { sealBlock, withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, refAt, sampleChain, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import type { Answer, Call } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';

const chain = chainOf('ETHEREUM');
const LAST = 99;
const blocks = sampleChain(Array.from({ length: LAST + 1 }, (_, number) => number * 10));
const well = answerFrom(blocks);
const unlinked = answerFrom(
  blocks.map((block) => sealBlock(chain, withHeader(block, { parentHash: hashOf('fork') }))),
);

/** Serves hosts on a clock that only sleeps advance, after a change of the endpoint of the first one. */
function serve(answers: readonly Answer[], change: (first: Upstream, now: number) => void = () => {}) {
  const clock = steppedClock();
  const faults: string[] = [];
  const onFault = (host: string, kind: string) => void faults.push(`${host} ${kind}`);
  const hosts = serveAnswers(answers, { context: requestContextWith({ clock, onFault }) });
  const [first] = hosts.hosts.flatMap(({ upstreams }) => upstreams);
  if (first) change(first, clock.now());
  const source = { ...hosts, anchor: { ...summedBlock(blocks, LAST, 'a'), hosts: [] } };
  const streamFrom = (start: ChainPosition) => nodeBlocks(source).blocks(start, refAt(blocks, LAST));
  const stream = streamFrom({ block: refAt(blocks, 3), notBefore: 30 });
  return { stream, streamFrom, faults, [Symbol.dispose]: () => hosts[Symbol.dispose]() };
}

test('a host that pauses for its rate, without a fault, counts as limited when another one contradicts its block', async () => {
  using served = serve([well, unlinked], (one, now) =>
    setHealth(one, { ...one.health, coolingDownUntil: now + 3_600_000 }),
  );
  expect(await served.stream.next()).toMatchObject({
    done: true,
    value: { kind: 'no endpoint', contradictedBy: ['b.test'], limited: ['a.test/1'], unheard: [] },
  });
});

test('a host that lacks the next block is unheard when another one contradicts the block before it', async () => {
  const lacking = (call: Call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) > 3 ? { result: null } : well(call);
  using served = serve([lacking, unlinked]);
  const { value } = await served.stream.next();
  expect(value).toMatchObject({ kind: 'no endpoint', contradictedBy: ['b.test'], limited: [] });
  expect(value).toMatchObject({ unheard: expect.arrayContaining(['a.test/1']) });
});

test.each<[string, ChainPosition, number]>([
  ['genesis', { notBefore: 0 }, 0],
  ['the block after a known one', { block: refAt(blocks, 3), notBefore: 30 }, 4],
  ['the last block, alone', { block: refAt(blocks, LAST - 1), notBefore: 0 }, LAST],
])('yields each block from %s to the last, in order', async (_, start, first) => {
  using served = serve([well]);
  const read = await Array.fromAsync(served.streamFrom(start), ({ number }) => number);
  expect(read).toEqual(Array.from({ length: LAST + 1 - first }, (_, index) => first + index));
});

test.each([
  ['three hosts', 3, true],
  ['two, of which neither has a majority,', 2, false],
])(
  '%s vote on a block that does not link, and outvote the host that gave it: %p',
  async (_, count, isOutvoted) => {
    using served = serve([unlinked, ...Array<Answer>(count - 1).fill(well)]);
    expect(await served.stream.next()).toMatchObject({ value: { number: 4, host: 'b.test/1' } });
    expect(served.faults.includes('a.test/1 not canonical')).toBe(isOutvoted);
  },
);

test.each([
  ['5 blocks for each call a second that the hosts can sustain', 2, 10],
  ['64 blocks at most', Number.POSITIVE_INFINITY, 64],
])('reads ahead %s', async (_, rate, most) => {
  const asked = new Set<unknown>();
  // No block comes, so none makes place for another one.
  const silent = async ({ method, params }: Call) => {
    if (method === 'eth_getBlockByNumber' && params[1] === true) asked.add(params[0]);
    return await new Promise<never>(() => {});
  };
  using served = serve([silent], (one) => {
    one.raw = Promise.resolve('refused');
    setHealth(one, { ...one.health, rate, concurrency: 1_000 });
  });
  served.stream.next().catch(() => {});
  await turns(2_000);
  expect(asked.size).toBe(most);
});

test.each([
  ['is closed', 5],
  ['ends with a block that no host gives', 3],
])(
  'a stream that %s aborts the calls for blocks that it read ahead, and counts none of them',
  async (_, good) => {
    const gate = Promise.withResolvers<void>();
    const answer = async (call: Call) => {
      const number = Number(call.params[0]);
      if (number <= good) return well(call);
      // The first of the others fails at once.
      if (number === good + 1) return { result: null };
      await gate.promise;
      return { error: { code: -32_000, message: 'broken' } };
    };
    // No call waits for those that the gate holds.
    using served = serve([answer], (one) => setHealth(one, { ...one.health, concurrency: 1_000 }));
    await served.stream.next();
    await served.stream.return({ kind: 'end reached' });
    const before = served.faults.length;
    gate.resolve();
    await turns(2_000);
    expect(served.faults).toHaveLength(before);
  },
);
