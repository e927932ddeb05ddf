import { chainOf } from '../../../lambda/chains/chains.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { probeEndpoints, upstreamsFor } from '../../../lambda/ingest/endpoint-probe.ts';
import { readBlock } from '../../../lambda/ingest/read-block.ts';
import { NoEndpointError, type RequestContext } from '../../../lambda/rpc/retry.ts';
import { hashOf } from '../../support/builders.ts';
import { steppedClock, turns } from '../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import { requestContextWith, upstreamsOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain(Array.from({ length: 10 }, (_, index) => index * 10));
const answerWell = answerFrom(blocks);

const startNode = (options?: Parameters<typeof answerFrom>[1]) =>
  startJsonRpcServer(answerFrom(blocks, options));

const probe = (
  nodes: readonly JsonRpcServer[],
  { confirmations, ...given }: Partial<RequestContext> & { confirmations?: number } = {},
) => probeEndpoints(ethereum, requestContextWith(given), upstreamsOf(ethereum, nodes), confirmations);

const questions = ({ calls }: JsonRpcServer) => calls.map(({ method, params: [tag] }) => [method, tag]);

describe('the head', () => {
  test('is the newest block that an endpoint calls final, with its host', async () => {
    await using behind = await startNode({ finalized: 4 });
    await using ahead = await startNode({ finalized: 7 });
    const { head } = await probe([behind, ahead, behind]);
    expect(head).toMatchObject({ number: 7, hash: hashOf('sample 7'), timestamp: 70, host: ahead.host });
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
    expect(source.present.map(({ upstream }) => upstream.endpoint.host)).toEqual([node.host]);
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
    expect((await readBlock(source, 4)).host).toBe(behind.host);
    expect((await readBlock(source, 5)).host).toBe(ahead.host);
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
      expect(source.present.map(({ upstream }) => upstream.endpoint.host)).toEqual([node.host]);
      expect((await readBlock(source, 3)).host).toBe(node.host);
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
    expect(source.present).toHaveLength(2);
    expect(source.head.host).toBe(slow.host);
  });
});

describe('a node', () => {
  test('of another chain gets no other request, and the reason names both chains', async () => {
    await using node = await startNode({ chainId: 56 });
    await expect(probe([node])).rejects.toThrow(`${node.host}: it serves chain 56, but ETHEREUM is chain 1`);
    expect(new Set(node.calls.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
  });

  test('of another chain is skipped when another is on the right one', async () => {
    await using wrong = await startNode({ chainId: 56 });
    await using node = await startNode({ finalized: 3 });
    const onFault = jest.fn();
    const source = await probe([wrong, node], { onFault });
    expect(source.head.number).toBe(3);
    expect(source.present).toHaveLength(1);
    expect(onFault).toHaveBeenCalledWith(wrong.host, 'wrong chain');
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
    const callIt = () => probeEndpoints(ethereum, context, upstreams, undefined);
    await expect(callIt()).rejects.toThrow('HTTP status 503');
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

test('when none answers, the error has the reason of each', async () => {
  await using limited = await startJsonRpcServer(() => ({
    status: 429,
    body: '',
    headers: { 'retry-after': '200' },
  }));
  await using wrong = await startNode({ chainId: 56 });
  const reasons = await probe([limited, wrong]).catch(
    (error) => error instanceof NoEndpointError && error.reasons,
  );
  expect(reasons).toEqual([
    `${limited.host}: eth_chainId: HTTP status 429`,
    `${wrong.host}: it serves chain 56, but ETHEREUM is chain 1. Correct the URL`,
  ]);
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
        ? { result: blocks.at(-1)?.header }
        : answerWell(call);

  test('the head is the block with that number of confirmations', async () => {
    await using node = await startJsonRpcServer(answer);
    const { head } = await probe([node], { confirmations: 3 });
    expect(head).toMatchObject({ number: 6, hash: hashOf('sample 6'), host: node.host });
    expect(questions(node)).toEqual([
      ['eth_chainId', undefined],
      ['eth_getBlockByNumber', 'latest'],
      ['eth_getBlockByNumber', '0x6'],
    ]);
  });

  test('genesis can be the head, and a shorter chain has none', async () => {
    await using node = await startJsonRpcServer(answer);
    expect((await probe([node], { confirmations: 9 })).head.number).toBe(0);
    await expect(probe([node], { confirmations: 10 })).rejects.toThrow(
      `${node.host}: ETHEREUM block 9: it is the latest block, and no block has 10 confirmations yet`,
    );
  });

  test('another block than the requested one is refused', async () => {
    await using node = await startJsonRpcServer((call) =>
      call.params[0] === '0x6' ? { result: blocks[5]?.header } : answer(call),
    );
    await expect(probe([node], { confirmations: 3 })).rejects.toThrow(
      'ETHEREUM block 6: the node returned block 5',
    );
  });
});
