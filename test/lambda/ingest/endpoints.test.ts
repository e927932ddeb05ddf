import { chainOf } from '../../../lambda/chains/chains.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { readBlock } from '../../../lambda/ingest/blocks/read.ts';
import { probeEndpoints, upstreamsFor } from '../../../lambda/ingest/endpoints.ts';
import type { RequestContext } from '../../../lambda/rpc/retry.ts';
import { steppedClock, turns } from '../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, blockAt, refAt, sampleChain } from '../../support/sample-chain.ts';
import { blockResponse } from '../../support/seal.ts';
import { requestContextWith, sourceOf, upstreamsOf, valueIn } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain(Array.from({ length: 10 }, (_, index) => index * 10));
const answerWell = answerFrom(blocks);

const startNode = (options?: Parameters<typeof answerFrom>[1]) =>
  startJsonRpcServer(answerFrom(blocks, options));

const probe = (nodes: readonly JsonRpcServer[], given: Partial<RequestContext> = {}) =>
  sourceOf(ethereum, nodes, given);
const probeWith = (confirmations: number, node: JsonRpcServer) =>
  sourceOf(ethereum, [node], {}, { confirmations });

const questions = ({ calls }: JsonRpcServer) => calls.map(({ method, params: [tag] }) => [method, tag]);

describe('the head', () => {
  test('is the newest block that an endpoint calls final, with its host', async () => {
    await using behind = await startNode({ finalized: 4 });
    await using ahead = await startNode({ finalized: 7 });
    const { head } = await probe([behind, ahead, behind]);
    expect(head).toMatchObject({ ...refAt(blocks, 7), timestamp: 70, host: ahead.host });
  });

  test('is requested by its tag, after the chain ID', async () => {
    await using node = await startNode();
    await probe([node]);
    expect(questions(node)).toEqual([
      ['eth_chainId', undefined],
      ['eth_getBlockByNumber', 'finalized'],
    ]);
  });

  test('comes from the endpoints that answer, when others do not', async () => {
    await using failing = await startJsonRpcServer(() => ({ status: 503, body: '' }));
    await using node = await startNode();
    const source = await probe([failing, node]);
    expect(source.head.host).toBe(node.host);
    expect(source.reachable.map(({ upstream }) => upstream.endpoint.host)).toEqual([node.host]);
  });
});

describe('an endpoint that is behind', () => {
  test('is not asked for blocks that it does not call final', async () => {
    await using behind = await startNode({ finalized: 4 });
    await using ahead = await startNode();
    const source = await probe([behind, ahead]);
    expect(
      [4, 5, 9].map((number) => upstreamsFor(source, number).map(({ endpoint }) => endpoint.host)),
    ).toEqual([[behind.host, ahead.host], [ahead.host], [ahead.host]]);
    expect(valueIn(await readBlock(source, 4)).host).toBe(behind.host);
    expect(valueIn(await readBlock(source, 5)).host).toBe(ahead.host);
    expect(behind.calls.filter(({ params: [tag] }) => tag === '0x5')).toEqual([]);
  });
});

describe('an endpoint that is silent', () => {
  const start = (method = 'eth_chainId') =>
    startJsonRpcServer((call) => (call.method === method ? { hang: true } : answerWell(call)));

  test.each(['eth_chainId', 'eth_getBlockByNumber'])(
    'from %s on does not delay the run and is not asked for blocks',
    async (method) => {
      await using silent = await start(method);
      await using node = await startNode();
      const end = new AbortController();
      const source = await probe([silent, node], { signal: end.signal });
      expect(source.reachable.map(({ upstream }) => upstream.endpoint.host)).toEqual([node.host]);
      expect(valueIn(await readBlock(source, 3)).host).toBe(node.host);
      end.abort(new Error('the run is over'));
    },
  );

  test('is used if it answers within the grace period', async () => {
    await using slow = await startJsonRpcServer(async (call) => {
      await turns(30);
      return answerWell(call);
    });
    await using node = await startNode({ finalized: 4 });
    const source = await probe([slow, node]);
    expect(source.reachable).toHaveLength(2);
    expect(source.head.host).toBe(slow.host);
  });
});

describe('a node whose finalized header does not hash to its hash', () => {
  const startLying = () =>
    startJsonRpcServer((call) =>
      call.params[0] === 'finalized'
        ? { result: { ...blockResponse(blockAt(blocks, 9), false), timestamp: '0xffff' } }
        : answerWell(call),
    );

  test('is passed over for another, and its fault names the field', async () => {
    await using lying = await startLying();
    await using node = await startNode({ finalized: 4 });
    const onFault = jest.fn();
    const source = await probe([lying, node], { onFault });
    expect(source.head).toMatchObject({ ...refAt(blocks, 4), host: node.host });
    expect(source.reachable).toHaveLength(1);
    expect(onFault).toHaveBeenCalledWith(
      lying.host,
      'not proven',
      expect.stringContaining(
        `${lying.host}: ETHEREUM block finalized: hash: the header does not hash to its hash`,
      ),
    );
  });

  test('is read where the chain accepts blocks that are not proven', async () => {
    await using lying = await startLying();
    const { head } = await sourceOf(ethereum, [lying], {}, { evidence: 'checked' });
    expect(head.timestamp).toBe(0xffff);
  });
});

describe('a node', () => {
  test('of another chain gets no other request, and the reason names both chains', async () => {
    await using node = await startNode({ chainId: 56 });
    await expect(probe([node])).rejects.toThrow(
      `${node.host}: it serves chain 56, but ETHEREUM is chain 1. Correct the URL`,
    );
    expect(new Set(node.calls.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
  });

  test('of another chain is skipped when another is on the right one', async () => {
    await using wrong = await startNode({ chainId: 56 });
    await using node = await startNode({ finalized: 3 });
    const onFault = jest.fn();
    const source = await probe([wrong, node], { onFault });
    expect(source.head.number).toBe(3);
    expect(source.reachable).toHaveLength(1);
    expect(onFault).toHaveBeenCalledWith(
      wrong.host,
      'wrong chain',
      expect.stringContaining('it serves chain 56'),
    );
  });

  test('without a finalized block is not asked for the latest', async () => {
    await using node = await startJsonRpcServer((call) =>
      call.method === 'eth_chainId'
        ? answerWell(call)
        : { error: { code: -39001, message: 'unknown block' } },
    );
    await expect(probe([node])).rejects.toThrow('error -39001, unknown block');
    expect(node.calls.flatMap(({ params }) => params)).not.toContain('latest');
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
    expect(questions(node).slice(before)).toEqual([
      ['eth_getBlockByNumber', 'finalized'],
      ['eth_getBlockByNumber', 'finalized'],
    ]);
  });
});

test('when none answers, the reason of each is named', async () => {
  await using limited = await startJsonRpcServer(() => ({
    status: 429,
    body: '',
    headers: { 'retry-after': '200' },
  }));
  await using wrong = await startNode({ chainId: 56 });
  const result = await probeEndpoints(
    ethereum,
    requestContextWith(),
    upstreamsOf(ethereum, [limited, wrong]),
  );
  expect(result).toEqual({
    kind: 'no endpoint',
    isUnavailable: false,
    reason: expect.stringContaining(
      'No endpoint gave a valid response for the finalized block of ETHEREUM. ',
    ),
    reasons: [
      `${limited.host}: eth_chainId: HTTP status 429`,
      `${wrong.host}: it serves chain 56, but ETHEREUM is chain 1. Correct the URL`,
    ],
  });
});

describe('when the run ends', () => {
  const reason = new Error('out of time');

  test('a probe without any response rejects with its reason', async () => {
    const end = new AbortController();
    await using silent = await startJsonRpcServer(() => {
      end.abort(reason);
      return { hang: true };
    });
    await expect(probe([silent], { signal: end.signal })).rejects.toBe(reason);
  });

  test('so does the grace period', async () => {
    const end = new AbortController();
    const clock = {
      ...steppedClock(),
      sleep: (_: number, signal: AbortSignal) => {
        end.abort(reason);
        return systemClock.sleep(3_600_000, signal);
      },
    };
    await using silent = await startJsonRpcServer(() => ({ hang: true }));
    await using node = await startNode();
    await expect(probe([silent, node], { signal: end.signal, clock })).rejects.toBe(reason);
    expect(questions(node)).toHaveLength(2);
  });
});

describe('with confirmations in place of the tag', () => {
  /** Responds like a node without the tag, whose latest block is the last. */
  const answer = (call: Call): NodeResponse =>
    call.params[0] === 'finalized'
      ? { error: { code: -32602, message: 'unknown tag' } }
      : call.params[0] === 'latest'
        ? { result: blockResponse(blockAt(blocks, 9), false) }
        : answerWell(call);

  test('the head is the block with that number of confirmations', async () => {
    await using node = await startJsonRpcServer(answer);
    const { head } = await probeWith(3, node);
    expect(head).toMatchObject({ ...refAt(blocks, 6), host: node.host });
    expect(questions(node)).toEqual([
      ['eth_chainId', undefined],
      ['eth_getBlockByNumber', 'latest'],
      ['eth_getBlockByNumber', '0x6'],
    ]);
  });

  test('genesis can be the head, and a shorter chain has none', async () => {
    await using node = await startJsonRpcServer(answer);
    expect((await probeWith(9, node)).head.number).toBe(0);
    await expect(probeWith(10, node)).rejects.toThrow(
      `${node.host}: ETHEREUM block 9 is the latest, and no block has 10 confirmations yet`,
    );
  });

  test('another block than the requested one is refused', async () => {
    await using node = await startJsonRpcServer((call) =>
      call.params[0] === '0x6' ? { result: blockResponse(blockAt(blocks, 5), false) } : answer(call),
    );
    await expect(probeWith(3, node)).rejects.toThrow('ETHEREUM block 6: the node answered with block 5');
  });
});
