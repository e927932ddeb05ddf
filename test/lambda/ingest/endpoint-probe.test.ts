import { chainOf } from '../../../lambda/chains/chains.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { probeEndpoints, upstreamsFor } from '../../../lambda/ingest/endpoint-probe.ts';
import { readBlock } from '../../../lambda/ingest/read-block.ts';
import { NoEndpointError, type RequestContext } from '../../../lambda/rpc/retry.ts';
import { hashOf } from '../../support/builders.ts';
import { steppedClock, turns } from '../../support/clock.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import { askingWith, upstreamsOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain(Array.from({ length: 10 }, (_, index) => index * 10));
const answerWell = answerFrom(blocks);

const startNode = (options?: Parameters<typeof answerFrom>[1]) =>
  startJsonRpcServer(answerFrom(blocks, options));

const roll = (
  nodes: readonly JsonRpcServer[],
  { confirmations, ...given }: Partial<RequestContext> & { confirmations?: number } = {},
) => probeEndpoints(ethereum, askingWith(given), upstreamsOf(ethereum, nodes), confirmations);

const questions = ({ calls }: JsonRpcServer) => calls.map(({ method, params: [tag] }) => [method, tag]);

describe('the head', () => {
  test('is the newest block that one of the endpoints calls final, with who told of it', async () => {
    await using behind = await startNode({ finalized: 4 });
    await using ahead = await startNode({ finalized: 7 });
    const { head } = await roll([behind, ahead, behind]);
    expect(head).toMatchObject({ number: 7, hash: hashOf('sample 7'), timestamp: 70, host: ahead.host });
  });

  test('is asked for by its tag, once the node has said which chain it is on', async () => {
    await using node = await startNode();
    await roll([node]);
    expect(questions(node)).toEqual([
      ['eth_chainId', undefined],
      ['eth_getBlockByNumber', 'finalized'],
    ]);
  });

  test('is taken from the endpoints that answer, where others do not', async () => {
    await using failing = await startJsonRpcServer(() => ({ status: 503, body: '' }));
    await using node = await startNode();
    const source = await roll([failing, node]);
    expect(source.head.host).toBe(node.host);
    expect(source.present.map(({ upstream }) => upstream.endpoint.host)).toEqual([node.host]);
  });
});

describe('an endpoint that is behind', () => {
  test('is not asked for blocks that it does not call final itself', async () => {
    await using behind = await startNode({ finalized: 4 });
    await using ahead = await startNode();
    const source = await roll([behind, ahead]);
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
    'from %s on does not hold the run up, and is not asked for blocks',
    async (method) => {
      await using silent = await start(method);
      await using node = await startNode();
      const end = new AbortController();
      const source = await roll([silent, node], { signal: end.signal });
      expect(source.present.map(({ upstream }) => upstream.endpoint.host)).toEqual([node.host]);
      expect((await readBlock(source, 3)).host).toBe(node.host);
      end.abort(new Error('the run is over'));
    },
  );

  test('is given a moment: one that is only slower than the first is there too', async () => {
    await using slow = await startJsonRpcServer(async (call) => {
      await turns(30);
      return answerWell(call);
    });
    await using node = await startNode({ finalized: 4 });
    const source = await roll([slow, node]);
    expect(source.present).toHaveLength(2);
    expect(source.head.host).toBe(slow.host);
  });
});

describe('a node', () => {
  test('of another chain is asked for nothing more, and its reason tells of both', async () => {
    await using node = await startNode({ chainId: 56 });
    await expect(roll([node])).rejects.toThrow(`${node.host}: this is chain 56, and ETHEREUM is chain 1`);
    expect(new Set(node.calls.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
  });

  test('of another chain is left out, where another is on the right one', async () => {
    await using wrong = await startNode({ chainId: 56 });
    await using node = await startNode({ finalized: 3 });
    const onFault = jest.fn();
    const source = await roll([wrong, node], { onFault });
    expect(source.head.number).toBe(3);
    expect(source.present).toHaveLength(1);
    expect(onFault).toHaveBeenCalledWith(wrong.host, 'wrong chain');
  });

  test('that does not know a finalized block yet is not asked for the latest', async () => {
    await using node = await startJsonRpcServer((call) =>
      call.method === 'eth_chainId'
        ? answerWell(call)
        : { error: { code: -39001, message: 'unknown block' } },
    );
    await expect(roll([node])).rejects.toThrow('error -39001, unknown block');
    expect(node.calls.flatMap(({ params }) => params)).not.toContain('latest');
  });

  test('is asked once which chain it is on, and again after it could not say', async () => {
    let isReady = false;
    await using node = await startJsonRpcServer((call) =>
      isReady ? answerWell(call) : { status: 503, body: '' },
    );
    const upstreams = upstreamsOf(ethereum, [node]);
    const context = askingWith();
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

test('when none can say, the reason of each is given', async () => {
  await using limited = await startJsonRpcServer(() => ({
    status: 429,
    body: '',
    headers: { 'retry-after': '200' },
  }));
  await using wrong = await startNode({ chainId: 56 });
  const reasons = await roll([limited, wrong]).catch(
    (error) => error instanceof NoEndpointError && error.reasons,
  );
  expect(reasons).toEqual([
    `${limited.host}: eth_chainId: HTTP status 429`,
    `${wrong.host}: this is chain 56, and ETHEREUM is chain 1`,
  ]);
});

describe('when the run ends', () => {
  const reason = new Error('out of time');

  test('a roll call that nobody answers ends with its reason', async () => {
    const end = new AbortController();
    await using silent = await startJsonRpcServer(() => {
      end.abort(reason);
      return { hang: true };
    });
    await expect(roll([silent], { signal: end.signal })).rejects.toBe(reason);
  });

  test('so does waiting for the silent', async () => {
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
    await expect(roll([silent, node], { signal: end.signal, clock })).rejects.toBe(reason);
    expect(questions(node)).toHaveLength(2);
  });
});

describe('with confirmations in place of the tag', () => {
  /** A node that does not know the tag, and whose latest block is the last. */
  const answer = (call: Call): Answer =>
    call.params[0] === 'finalized'
      ? { error: { code: -32602, message: 'unknown tag' } }
      : call.params[0] === 'latest'
        ? { result: blocks.at(-1)?.header }
        : answerWell(call);

  test('the head is the block that so many follow', async () => {
    await using node = await startJsonRpcServer(answer);
    const { head } = await roll([node], { confirmations: 3 });
    expect(head).toMatchObject({ number: 6, hash: hashOf('sample 6'), host: node.host });
    expect(questions(node)).toEqual([
      ['eth_chainId', undefined],
      ['eth_getBlockByNumber', 'latest'],
      ['eth_getBlockByNumber', '0x6'],
    ]);
  });

  test('genesis may be the head, and before it there is none', async () => {
    await using node = await startJsonRpcServer(answer);
    expect((await roll([node], { confirmations: 9 })).head.number).toBe(0);
    await expect(roll([node], { confirmations: 10 })).rejects.toThrow(
      `${node.host}: ETHEREUM block 9: is the latest, and none has 10 confirmations yet`,
    );
  });

  test('another block than the one that was asked for is no head', async () => {
    await using node = await startJsonRpcServer((call) =>
      call.params[0] === '0x6' ? { result: blocks[5]?.header } : answer(call),
    );
    await expect(roll([node], { confirmations: 3 })).rejects.toThrow(
      'ETHEREUM block 6: the node answered with block 5',
    );
  });
});
