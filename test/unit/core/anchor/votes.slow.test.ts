import { voteFinality } from '#core/anchor/votes.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { FastFinalityState } from '#core/finality/fast-finality/bep126.ts';
import type { RequestContext } from '#core/rpc/deadline.ts';
import type { FinalityState } from '#core/store/chain/finality-state.ts';
import { fastClock } from '#test/support/clock.ts';
import { simulatedBsc as chain, votingRules as rules } from '#test/support/finality/simulated-chains.ts';
import { withVotes } from '#test/support/finality/voted-blocks.ts';
import type { RawBlock } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, refAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at } from '#test/support/generators/chains/sample-days.ts';
import { type GivenHost, serveHosts } from '#test/support/nodes/hosts.ts';
import type { Call } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';

const times = Array.from({ length: 130 }, (_, index) => at(0, index * 600));
let blocks: readonly RawBlock[];
let forged: readonly RawBlock[];
beforeAll(async () => {
  const plain = sampleChain(times);
  blocks = await withVotes(chainOf('ETHEREUM'), plain);
  forged = await withVotes(chainOf('ETHEREUM'), plain, 'liar');
});

const calls: Call[] = [];
beforeEach(() => void calls.splice(0));

/** A host whose final block has a number, and that has two later blocks unless given. */
function hostOf(world: readonly RawBlock[], final: number, later = 2): GivenHost {
  const answer = answerFrom(world.slice(0, final + 1 + later), { chainId: 56, finalized: final });
  const { hash, parentHash, timestamp } = world[final]?.header ?? {};
  const head = { number: final, hash: `${hash}`, parentHash: `${parentHash}`, timestamp: Number(timestamp) };
  const counted = (call: Call) => {
    calls.push(call);
    return answer(call);
  };
  return { head, endpoints: [counted] };
}

const numbersAsked = () =>
  calls
    .filter(({ method }) => method === 'eth_getBlockByNumber')
    .map(({ params }) => Number(params[0]))
    .toSorted((a, b) => a - b);

async function begin(number: number): Promise<FastFinalityState> {
  using network = serveHosts([hostOf(blocks, 100)], { chain });
  const begun = await voteFinality({ rules, network }).begin(blocks[number]?.header.hash);
  if (begun.kind !== 'begun') throw new Error(begun.reason);
  calls.splice(0);
  return begun.state.toStore as FastFinalityState;
}

const saved: FinalityState[] = [];
async function follow(
  given: readonly GivenHost[],
  state: FastFinalityState,
  onFault: RequestContext['onFault'] = () => {},
  clock = fastClock(100_000),
) {
  using network = serveHosts(given, { chain, context: requestContextWith({ clock, onFault }) });
  const begun = voteFinality({ rules, network }).resume(state);
  const followed = await begun?.follow(async (newer) => void saved.push(newer));
  return { reasons: followed?.reasons, state: followed?.state.toStore as FastFinalityState };
}

test('proves the newest block from four headers, and takes over the validators of each epoch from six', async () => {
  const begun = await begin(20);
  const { state, reasons } = await follow([hostOf(blocks, 66)], begun);
  expect(reasons).toBeUndefined();
  expect(state).toMatchObject({ block: refAt(blocks, 66), votes: { target: refAt(blocks, 67) } });
  expect(state.sets.map(({ epochBlock }) => epochBlock)).toEqual([40, 60]);
  expect(calls).toHaveLength(2 * 6 + 4);
  calls.splice(0);
  const later = await follow([hostOf(blocks, 69)], state);
  expect(later.state.block).toEqual(refAt(blocks, 69));
  // The votes in the second block after the final one make it final.
  expect(numbersAsked()).toEqual([68, 69, 70, 71]);
});

// Recorded from bsc: the second block after the final one did not exist in 34 of 60 tries.
test('proves the block before the final one while the newest votes are in no block, without another call or fault', async () => {
  const { state } = await follow([hostOf(blocks, 54)], await begin(20));
  calls.splice(0);
  const onFault = jest.fn();
  const newer = await follow([hostOf(blocks, 58, 1)], state, onFault);
  expect(newer).toMatchObject({ reasons: undefined, state: { block: refAt(blocks, 57) } });
  expect(calls).toHaveLength(4);
  expect(onFault).not.toHaveBeenCalled();
});

test('a search for votes near genesis reads each block once, genesis too, and none before it', async () => {
  const { reasons } = await follow([hostOf(sampleChain(times), 2)], await begin(20));
  expect(reasons).toEqual([expect.stringContaining('no header has votes')]);
  expect(numbersAsked()).toEqual([0, 1, 2, 3, 4]);
});

test.each([
  [300, 4],
  [301, 8],
])(
  'reads the host with the newest final block alone unless that is too old: after %i s, %i headers',
  async (age, headers) => {
    const { state } = await follow([hostOf(blocks, 54)], await begin(20));
    calls.splice(0);
    const clock = { ...fastClock(100_000), now: () => ((times[57] ?? 0) + age) * 1_000 };
    const newer = await follow([hostOf(blocks, 56), hostOf(blocks, 57)], state, undefined, clock);
    expect(newer).toMatchObject({ reasons: undefined, state: { block: refAt(blocks, 57) } });
    expect(calls).toHaveLength(headers);
  },
);

test('a forged chain with votes of its own proves nothing, beside an honest host or alone', async () => {
  const begun = await begin(20);
  const alone = await follow([hostOf(forged, 63)], begun);
  expect(alone).toMatchObject({ state: begun, reasons: expect.anything() });
  expect(alone.reasons?.join()).toContain('do not count');
  const beside = await follow([hostOf(forged, 66), hostOf(blocks, 63)], begun);
  expect(beside).toMatchObject({ reasons: undefined, state: { block: refAt(blocks, 63) } });
});

test('a header that does not hash to its hash is refused', async () => {
  const begun = await begin(20);
  const lying = blocks.map((block, number) =>
    number < 40 ? block : { ...block, header: { ...block.header, gasLimit: '0x1' } },
  );
  const { state, reasons } = await follow([hostOf(lying, 63)], begun);
  expect(state).toEqual(begun);
  expect(reasons?.join()).toContain('does not hash to its hash');
});

test('says that a newer checkpoint is needed when nobody voted until the next validators took over', async () => {
  const begun = await begin(20);
  const plain = sampleChain(times);
  const { reasons } = await follow([hostOf(plain, 120)], begun);
  expect(reasons?.join()).toMatch(
    /no votes up to block \d+ prove the validators .* Configure a newer checkpoint/,
  );
});

describe('without a configured checkpoint', () => {
  test('begins with the newest settled epoch block that two hosts report', async () => {
    using network = serveHosts([hostOf(blocks, 63), hostOf(blocks, 66)], { chain });
    const begun = await voteFinality({ rules, network }).begin(undefined);
    expect(begun).toMatchObject({ kind: 'begun', state: { toStore: { block: refAt(blocks, 60) } } });
  });

  test.each([
    [63, 60],
    [62, 40],
  ])(
    'begins by the second newest final block, %i, with epoch block %i, though a host is stuck',
    async (second, epoch) => {
      const hosts = [hostOf(blocks, 66), hostOf(blocks, 23), hostOf(blocks, second)];
      using network = serveHosts(hosts, { chain });
      const begun = await voteFinality({ rules, network }).begin(undefined);
      expect(begun).toMatchObject({ kind: 'begun', state: { toStore: { block: refAt(blocks, epoch) } } });
    },
  );

  test.each([
    ['one host alone', 1],
    ['two that disagree', 2],
  ])('does not begin with %s', async (_, count) => {
    using network = serveHosts([hostOf(blocks, 63), hostOf(forged, 63)].slice(0, count), { chain });
    expect(await voteFinality({ rules, network }).begin(undefined)).toMatchObject({
      kind: 'not begun',
      reason: expect.stringContaining('Hosts of two providers must agree'),
    });
  });
});
