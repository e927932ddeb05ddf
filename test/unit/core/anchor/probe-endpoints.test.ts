import { once } from 'node:events';
import type { AnchoredNetwork } from '#core/anchor/network.ts';
import { probeEndpoints } from '#core/anchor/probe-endpoints.ts';
import { readBlock } from '#core/blocks/nodes/read-block.ts';
import { chainOf } from '#core/chains/chains.ts';
import { GRACE_MS, type RequestContext } from '#core/rpc/deadline.ts';
import type { SourceSettings } from '#core/settings/chain-settings.ts';
import { fastClock, turns } from '#test/support/clock.ts';
import { blockResponse } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, blockAt, refAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import {
  type JsonRpcServer,
  type NodeAnswer,
  type NodeResponse,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { startNodes } from '#test/support/nodes/several-nodes.ts';
import { requestContextWith, sourceOf, upstreamsOf, valueIn } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const times = Array.from({ length: 10 }, (_, index) => index * 10);
const blocks = sampleChain(times);
const answerWell = answerFrom(blocks);

const startNode = (options?: Parameters<typeof answerFrom>[1]) =>
  startJsonRpcServer(answerFrom(blocks, options));

const probe = (nodes: readonly { readonly url: string }[], given: Partial<RequestContext> = {}) =>
  sourceOf(ethereum, nodes, given);

const namesOf = ({ hosts }: AnchoredNetwork) => hosts.map(({ name }) => name);

test.each([
  ['is not waited for while the others are at the last known block', 3, 3],
  ['decides while the others are behind the last known block', 4, 9],
])('a late host %s', async (_, known, expected) => {
  await using old = await startNode({ finalized: 3 });
  await using good = await startNode();
  const graceIsOver = Promise.withResolvers<void>();
  await using late = await startJsonRpcServer(async (call) => {
    await graceIsOver.promise;
    return answerWell(call);
  });
  const clock = {
    ...fastClock(),
    sleep: async (ms: number, signal: AbortSignal) => {
      if (ms !== GRACE_MS) await once(signal, 'abort');
      signal.throwIfAborted();
      await turns(1);
      graceIsOver.resolve();
    },
  };
  const context = requestContextWith({ clock });
  const upstreams = upstreamsOf(ethereum, [old, good, late]);
  const found = await probeEndpoints(ethereum, context, upstreams, {}, undefined, known);
  expect(found).toMatchObject({ kind: 'probed', network: { anchor: { number: expected } } });
});

test.each<[string, NodeResponse, string]>([
  ['has no final block yet', { result: null }, 'the node has no final block yet. Wait for its first one'],
  [
    'refuses the tag before the merge',
    { error: { code: -32602, message: "The 'safe' and 'finalized' block tags are not allowed" } },
    'set CONFIRMATIONS_<CHAIN>, or confirmations in the stage',
  ],
])('advises what helps where a node %s', async (_, answer, advice) => {
  await using node = await startJsonRpcServer((call) =>
    call.params[0] === 'finalized' ? answer : answerWell(call),
  );
  expect(await probeEndpoints(ethereum, requestContextWith({}), upstreamsOf(ethereum, [node]))).toMatchObject(
    { kind: 'no endpoint', reason: expect.stringContaining(advice) },
  );
});

describe('a proven anchor', () => {
  const proof = { kind: 'sync committee', slot: 12, root: '0x' } as const;
  /** Probes nodes where block 7 is proven. */
  const find = (
    nodes: readonly JsonRpcServer[],
    onFault: RequestContext['onFault'] = () => {},
    settings: SourceSettings = {},
  ) => {
    const context = requestContextWith({ onFault });
    return probeEndpoints(ethereum, context, upstreamsOf(ethereum, nodes), settings, async () => ({
      kind: 'proven',
      ...refAt(blocks, 7),
      proof,
    }));
  };
  const fork = answerFrom(sampleChain(times, 'fork'));

  test('counts whatever most hosts report, and hosts that report another block are left out', async () => {
    await using liar = await startJsonRpcServer(fork);
    await using other = await startJsonRpcServer(fork);
    await using honest = await startNode({ finalized: 4 });
    const faults: string[] = [];
    const found = await find([liar, other, honest], (_, kind, reason) => {
      faults.push(`${kind} ${reason}`);
    });
    if (found.kind !== 'probed') throw new Error(found.reason);
    expect(found.network.anchor).toMatchObject({ ...refAt(blocks, 7), proof, hosts: [honest.host] });
    expect(namesOf(found.network)).toEqual([honest.host]);
    expect(faults).toHaveLength(2);
    for (const { host } of [liar, other])
      expect(faults.join()).toContain(
        `not canonical ${host}: ETHEREUM block 7 is proven to be ${refAt(blocks, 7).hash}`,
      );
  });

  test('must hash to its hash, also where blocks are only checked', async () => {
    const { hash } = refAt(blocks, 7);
    await using liar = await startJsonRpcServer((call) => {
      const given = fork(call);
      if (!call.params[0] || !('result' in given) || call.params[0] !== '0x7') return given;
      return { result: { ...(given.result as object), hash } };
    });
    const found = await find([liar], undefined, { evidence: 'checked', finality: 'proven' });
    expect(found.kind).toBe('no endpoint');
  });
});

describe('where the final header of no host hashes', () => {
  /** Answers with headers that hash up to a block. */
  const garblingFrom =
    (first: number, answer = answerWell): NodeAnswer =>
    (call) => {
      const given = answer(call);
      if (call.method !== 'eth_getBlockByNumber' || !('result' in given)) return given;
      const header = given.result as { readonly number: string };
      return Number(header.number) < first ? given : { result: { ...header, gasLimit: '0x1' } };
    };
  async function find(answers: readonly NodeAnswer[], findProof?: Parameters<typeof probeEndpoints>[4]) {
    await using hosts = await startNodes(answers);
    const upstreams = upstreamsOf(ethereum, hosts.nodes);
    const found = await probeEndpoints(ethereum, requestContextWith({}), upstreams, {}, findProof);
    if (found.kind !== 'probed') return found.kind;
    const { number, hosts: supporting } = found.network.anchor;
    return { number, hosts: supporting.length, forked: found.forked };
  }
  const forked = (number: number, isRuleChange = true) => ({
    number,
    isRuleChange,
    reason: expect.stringMatching(
      `^No endpoint .* ETHEREUM block ${number}\\. .* block 9: hash: the header does`,
    ),
  });

  test('the anchor is the newest block whose header hashes on enough hosts', async () => {
    const expected = { number: 6, hosts: 2, forked: forked(7) };
    expect(await find([garblingFrom(7), garblingFrom(7)])).toMatchObject(expected);
    expect(await find([garblingFrom(2), garblingFrom(7), garblingFrom(7)])).toMatchObject(expected);
    for (const first of [1, 9])
      expect(await find([garblingFrom(first), garblingFrom(first)])).toMatchObject({
        number: first - 1,
        forked: forked(first),
      });
  });

  test('a single host that forges the earlier blocks gives no anchor', async () => {
    const fork = answerFrom(sampleChain(times, 'fork'));
    expect(await find([garblingFrom(5, fork), () => ({ status: 500, body: '' })])).toBe('no endpoint');
    expect(await find([garblingFrom(7, fork), garblingFrom(5), garblingFrom(5)])).toMatchObject({
      number: 4,
    });
  });

  test('an endpoint that garbles its headers alone shows no change of rules, and moves no anchor of others', async () => {
    expect(await find([garblingFrom(3), answerWell])).toMatchObject({ number: 2, forked: forked(3, false) });
    expect(await find([garblingFrom(3), answerWell, answerWell])).toEqual({ number: 9, hosts: 2 });
  });

  test('hosts are not believed about an earlier block than the one that is proven to be final', async () => {
    const proof = { kind: 'sync committee', slot: 12, root: '0x' } as const;
    const provenAt = (number: number) => () =>
      Promise.resolve({ kind: 'proven', ...refAt(blocks, number), proof } as const);
    const hosts = [garblingFrom(7), garblingFrom(7)];
    expect(await find(hosts, provenAt(8))).toBe('no endpoint');
    expect(await find(hosts, provenAt(4))).toMatchObject({ number: 4, forked: forked(7) });
  });
});

test('the anchor is missing while one of two hosts fails, and the reason names why', async () => {
  await using failing = await startJsonRpcServer(() => ({ status: 503, body: '' }));
  await using node = await startNode();
  await expect(probe([failing, node])).rejects.toThrow(
    `2 hosts must call a block final. ${node.host} calls block 9 final. ${failing.host}: eth_chainId: HTTP status 503`,
  );
});

const forAnchorOnly = ({ url }: JsonRpcServer) => ({ url: `${url}#anchor` });

test('an endpoint for the anchor votes, and no block is read from it', async () => {
  await using voter = await startNode({ finalized: 7 });
  await using node = await startNode();
  const source = await probe([forAnchorOnly(voter), node]);
  expect(source.anchor).toMatchObject({ number: 7, hosts: [voter.host, node.host].toSorted() });
  expect(valueIn(await readBlock(source, 3)).host).toBe(node.host);
  expect(voter.calls.map(({ params }) => params)).toEqual([[], ['finalized', false], ['0x7', false]]);
});

const startSilent = (method: string) =>
  startJsonRpcServer((call) => (call.method === method ? { hang: true } : answerWell(call)));

test.each(['eth_chainId', 'eth_getBlockByNumber'])(
  'an endpoint that is silent from %s on does not delay the run and is not asked for blocks',
  async (method) => {
    await using silent = await startSilent(method);
    await using one = await startNode();
    await using other = await startNode();
    const end = new AbortController();
    const source = await probe([silent, one, other], { signal: end.signal });
    expect(namesOf(source)).toEqual([one.host, other.host]);
    expect([one.host, other.host]).toContain(valueIn(await readBlock(source, 3)).host);
    end.abort(new Error('the run is over'));
  },
);

const startLying = () =>
  startJsonRpcServer((call) =>
    ['finalized', '0x9'].includes(`${call.params[0]}`)
      ? { result: { ...blockResponse(blockAt(blocks, 9), false), timestamp: '0xffff' } }
      : answerWell(call),
  );

test('a node whose finalized header does not hash to its hash is passed over for another, and its fault names the field', async () => {
  await using lying = await startLying();
  await using node = await startNode({ finalized: 4 });
  const onFault = jest.fn();
  const source = await sourceOf(ethereum, [lying, node], { onFault }, { quorum: 1 });
  expect(source.anchor).toMatchObject(refAt(blocks, 4));
  expect(namesOf(source)).toEqual([node.host]);
  expect(onFault).toHaveBeenCalledWith(
    lying.host,
    'not proven',
    expect.stringMatching(`^${lying.host}: ETHEREUM block \\d+: hash: the header does not hash to its hash`),
  );
});

describe('a node', () => {
  test('of another chain gets no other request, and the reason names both chains', async () => {
    await using node = await startNode({ chainId: 56 });
    await expect(probe([node])).rejects.toThrow(
      `${node.host}: it serves chain 56, but ETHEREUM is chain 1. Correct the URL`,
    );
    expect(new Set(node.calls.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
  });

  test('gets one chain ID request, and another after an error', async () => {
    let isReady = false;
    await using node = await startJsonRpcServer((call) =>
      isReady ? answerWell(call) : { status: 503, body: '' },
    );
    const upstreams = upstreamsOf(ethereum, [node]);
    const context = requestContextWith();
    const callIt = () => probeEndpoints(ethereum, context, upstreams);
    expect(await callIt()).toMatchObject({ reason: expect.stringContaining('HTTP status 503') });
    isReady = true;
    await callIt();
    const before = node.calls.length;
    await Promise.all([callIt(), callIt()]);
    const later = node.calls.slice(before).map(({ method, params: [tag] }) => [method, tag]);
    expect(later.filter(([, tag]) => tag === 'finalized')).toHaveLength(2);
    expect(later.map(([method]) => method)).not.toContain('eth_chainId');
  });
});
