import { committeeFinality } from '#core/anchor/committee.ts';
import type { Network } from '#core/anchor/network.ts';
import { ETHEREUM_AGES, withGloas } from '#core/chains/finality-rules.ts';
import type { LightClientState } from '#core/finality/sync-committee/light-client.ts';
import { periodOf, slotAt, timeOfSlot } from '#core/finality/sync-committee/network.ts';
import type { LightClientServer } from '#core/rpc/light-client-server.ts';
import { steppedClock } from '#test/support/clock.ts';
import { lightClientAnswer } from '#test/support/finality/light-client-answer.ts';
import { beaconChainOf, serveBeacon } from '#test/support/finality/light-client-server.ts';
import {
  simulatedEthereum as chain,
  simulatedNetwork as network,
} from '#test/support/finality/simulated-chains.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at } from '#test/support/generators/chains/sample-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';

const EVERY = 6 * 3_600;
/** Four blocks on each of twenty days: about eighteen periods. */
const times = Array.from({ length: 80 }, (_, index) => at(0, index * EVERY));
const blocks = sampleChain(times);
const forged = sampleChain(times, 'forged');

let final = 0;
beforeEach(() => {
  final = 4;
});
const truth = beaconChainOf(blocks, () => final);
const lie = beaconChainOf(forged, () => final, 'liar');

const faults: string[] = [];
const usualTime = () => (times[final] ?? 0) * 1_000 + 15 * 60_000;
function finalityOf(
  servers: readonly LightClientServer[],
  hosts: Network['hosts'] = [],
  now = usualTime(),
  beacon = network,
) {
  const clock = steppedClock(now);
  const context = requestContextWith({ clock, onFault: (host) => void faults.push(host) });
  const rules = { chain, evidence: 'proven', quorum: 1, isProofRequired: false } as const;
  return committeeFinality({ beacon, ages: ETHEREUM_AGES, network: { ...rules, context, hosts }, servers });
}

async function begin(servers: readonly LightClientServer[], of = truth) {
  const begun = await finalityOf(servers).begin(await of.checkpoint());
  if (begun.kind !== 'begun') throw new Error(begun.reason);
  return begun.state.toStore as LightClientState;
}
async function follow(servers: readonly LightClientServer[], begun: LightClientState, now = usualTime()) {
  const followed = await finalityOf(servers, [], now)
    .resume(begun)
    ?.follow(async () => {});
  return { reasons: followed?.reasons, state: followed?.state.toStore as LightClientState };
}
const hashOf = (number: number) => ({ hash: blocks[number]?.header.hash, number });

test('follows finality with one request, over all periods that were missed with one for eight of them', async () => {
  await using beacon = await serveBeacon(truth);
  let state = await begin([beacon.server]);
  beacon.calls.splice(0);
  final = 5;
  ({ state } = await follow([beacon.server], state));
  expect(state.block).toEqual(hashOf(5));
  expect(beacon.calls).toEqual(['finality_update']);
  const before = periodOf(network, state.slot);
  final = 70;
  beacon.calls.splice(0);
  const later = await follow([beacon.server], state);
  expect(later).toMatchObject({ reasons: undefined, state: { block: hashOf(70) } });
  const periods = periodOf(network, later.state.slot) - before;
  expect(periods).toBeGreaterThan(12);
  expect(beacon.calls.length).toBeLessThanOrEqual(1 + Math.ceil(periods / 6));
});

test('reads the committees of a known state again in a new process, and accepts them by their roots alone', async () => {
  await using beacon = await serveBeacon(truth);
  await using liar = await serveBeacon(lie);
  const known = await begin([beacon.server]);
  // Another chain of the same process displaces the committees.
  await follow([liar.server], await begin([liar.server], lie));
  final = 6;
  expect(await follow([liar.server], known)).toMatchObject({ state: known, reasons: expect.anything() });
  beacon.calls.splice(0);
  const { state } = await follow([beacon.server], known);
  expect(state.block).toEqual(hashOf(6));
  expect(beacon.calls.map((path) => path.split('?')[0])).toEqual([
    'finality_update',
    `bootstrap/${known.root}`,
    'updates',
  ]);
});

test('a young node, which lacks the update before a state, gives its committee by the bootstrap of its block', async () => {
  await using liar = await serveBeacon(lie);
  await using young = await serveBeacon(truth, (path) => {
    const [, from = ''] = /start_period=(\d+)/.exec(path) ?? [];
    return from !== '' && Number(from) < period ? { status: 404, body: '' } : undefined;
  });
  final = 40;
  const known = await begin([young.server]);
  const period = periodOf(network, known.slot);
  await follow([liar.server], await begin([liar.server], lie));
  final = 48;
  expect((await follow([young.server], known)).state.block).toEqual(hashOf(48));
});

test('a server without the bootstrap of a block gives its committee by the update of the period before', async () => {
  await using beacon = await serveBeacon(truth);
  await using liar = await serveBeacon(lie);
  await using forgetful = await serveBeacon(truth, (path) =>
    path.startsWith('bootstrap') ? { status: 404, body: '' } : undefined,
  );
  final = 40;
  const known = await begin([beacon.server]);
  await follow([liar.server], await begin([liar.server], lie));
  final = 48;
  expect((await follow([forgetful.server], known)).state.block).toEqual(hashOf(48));
  const [, updates] = forgetful.calls.filter((path) => !path.startsWith('finality'));
  expect(updates).toMatch(`updates?start_period=${periodOf(network, known.slot) - 1}&`);
});

test.each([
  [1_200_000, 0],
  [1_200_001, 1],
])('where the final block of a server is %i ms old, %i others are asked', async (age, asked) => {
  await using beacon = await serveBeacon(truth);
  await using other = await serveBeacon(truth);
  const begun = await begin([beacon.server]);
  final = 5;
  const { state } = await follow([beacon.server], begun);
  await follow([beacon.server, other.server], begun, timeOfSlot(network, state.slot) * 1_000 + age);
  expect(other.calls).toHaveLength(asked);
});

test('a server that gives one update at a time is left for the next one, with what it taught', async () => {
  await using beacon = await serveBeacon(truth);
  await using slow = await serveBeacon(truth, async (path) => {
    if (!path.startsWith('updates')) return undefined;
    const one = await lightClientAnswer(
      truth,
      `/eth/v1/beacon/light_client/${path.replace(/count=.*/, 'count=1')}`,
    );
    return { body: JSON.stringify(one) };
  });
  const begun = await begin([beacon.server]);
  final = 70;
  const alone = await follow([slow.server], begun);
  expect(alone).toMatchObject({ reasons: [expect.stringContaining('4 requests for updates')] });
  expect(alone.state.slot).toBeGreaterThan(begun.slot);
  expect(slow.calls.filter((path) => path.startsWith('updates'))).toHaveLength(4);
  expect(await follow([slow.server, beacon.server], begun)).toMatchObject({
    reasons: undefined,
    state: { block: hashOf(70) },
  });
});

describe('a server that', () => {
  test.each<[string, Parameters<typeof serveBeacon>[1]]>([
    ['fails', () => ({ status: 500, body: 'secret' })],
    ['limits the rate', () => ({ status: 429, body: '' })],
    ['redirects', () => ({ status: 302, body: '' })],
    ['sends no JSON', () => ({ body: '<html>' })],
    ['sends no update', () => ({ body: '{"data":{"finality_branch":7}}' })],
    ['sends too much', () => ({ body: `"${'x'.repeat(3 * 2 ** 20)}"` })],
    ['sends nested arrays', () => ({ body: '['.repeat(2 ** 20 + 1) })],
  ])('%s is passed over, and named', async (_, answer) => {
    await using beacon = await serveBeacon(truth);
    await using broken = await serveBeacon(truth, answer);
    const begun = await begin([beacon.server]);
    final = 5;
    const alone = await follow([broken.server], begun);
    expect(alone).toMatchObject({ state: begun, reasons: expect.anything() });
    expect(alone.reasons?.[0]).toMatch(new RegExp(`^${broken.server.host}: `));
    expect(alone.reasons?.[0]).not.toContain('secret');
    const both = await follow([broken.server, beacon.server], begun);
    expect(both).toMatchObject({ reasons: undefined, state: { block: hashOf(5) } });
  });

  test('signs with committees of its own changes nothing', async () => {
    await using beacon = await serveBeacon(truth);
    await using liar = await serveBeacon(lie);
    const begun = await begin([beacon.server]);
    for (final of [5, 12, 60])
      expect(await follow([liar.server], begun)).toMatchObject({ state: begun, reasons: expect.anything() });
    expect((await follow([liar.server, beacon.server], begun)).state.block).toEqual(hashOf(60));
  });
});

test('without a configured checkpoint, begins with the block that servers of two providers call final', async () => {
  await using a = await serveBeacon(truth);
  await using b = await serveBeacon(truth);
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const host = { name: 'a.test', upstreams: upstreamsOf(chain, [node]), head: undefined };
  expect(await finalityOf([a.server, b.server], [host]).begin(undefined)).toMatchObject({
    kind: 'begun',
    state: { toStore: { block: hashOf(4) } },
    checkpoint: await truth.checkpoint(),
  });
});

test.each([
  ['a node, which knows the number of the block', true],
  ['no node, which leaves the block without a number', false],
])('follows finality into Gloas, whose proofs name no number, beside %s', async (_, isKnown) => {
  const slot = slotAt(network, times[final + 1] ?? 0);
  const gloas = withGloas(network, Math.floor(slot / network.slotsPerEpoch), ETHEREUM_AGES.gloas.version);
  const beacon = beaconChainOf(blocks, () => final, 'gloas', gloas);
  await using served = await serveBeacon(beacon);
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const host = { name: 'a.test', upstreams: upstreamsOf(chain, isKnown ? [node] : []), head: undefined };
  const finality = () => finalityOf([served.server], [host], usualTime(), gloas);
  const begun = await finality().begin(await beacon.checkpoint());
  expect(begun).toMatchObject({ kind: 'begun', state: { toStore: { block: hashOf(4) } } });
  let stored = begun.kind === 'begun' ? begun.state.toStore : undefined;
  for (final of [5, 6, 12]) {
    const followed = await finality()
      .resume(stored)
      ?.follow(async () => {});
    expect(followed?.reasons).toBeUndefined();
    stored = followed?.state.toStore;
    const { hash, number } = hashOf(final);
    expect(stored?.block).toEqual(isKnown ? { hash, number } : { hash });
  }
});

test('two servers of one provider cannot name a checkpoint', async () => {
  await using a = await serveBeacon(truth);
  expect(await finalityOf([a.server, a.server]).begin(undefined)).toEqual({
    kind: 'not begun',
    reason: 'Servers of two providers must agree on a checkpoint, or the settings must name one',
  });
});

test("resumes no state of another chain's proofs", async () => {
  const block = { number: 1, hash: '0x1' };
  const votes = { kind: 'fast finality', block, seenAt: 1, sets: [] } as const;
  expect(finalityOf([]).resume(votes)).toBeUndefined();
});

test('a server cannot begin another chain than that of the checkpoint', async () => {
  const other = await lie.checkpoint();
  await using liar = await serveBeacon(truth, (path) =>
    path.startsWith('bootstrap') ? { body: JSON.stringify({ data: {} }) } : undefined,
  );
  expect(await finalityOf([liar.server]).begin(other)).toMatchObject({ kind: 'not begun' });
});
