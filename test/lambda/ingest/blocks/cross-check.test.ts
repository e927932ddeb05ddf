import type { KnownBlock } from '../../../lambda/chains/block.ts';
import { BlockError } from '../../../lambda/chains/block-error.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { crossCheck, TooEarlyError } from '../../../lambda/ingest/cross-check.ts';
import { NoEndpointError } from '../../../lambda/rpc/retry.ts';
import { hashOf } from '../../support/builders.ts';
import { fastClock, turns } from '../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import { sourceOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain([0, 10, 20, 30]);
const answerWell = answerFrom(blocks);

/** Block 2 as most nodes report it. */
const block: KnownBlock = { number: 2, hash: hashOf('sample 2'), timestamp: 20 };
const asOrphan = { ...block, hash: hashOf('orphan') };
const asLater = { ...block, timestamp: 25 };

/** The response of a node for block 2. */
const tells = (header: object) => () => ({ result: { ...blocks[2]?.header, ...header } });
const well = tells({});
const orphan = tells({ hash: hashOf('orphan') });
const later = tells({ timestamp: 25 });
const failing = (): NodeResponse => ({ status: 500, body: '' });

const isAboutTwo = ({ params: [tag] }: Call) => tag === '0x2';
const startNode = (answer: (call: Call) => NodeResponse) =>
  startJsonRpcServer((call) => (isAboutTwo(call) ? answer(call) : answerWell(call)));
const callsAbout = ({ calls }: JsonRpcServer) => calls.filter(isAboutTwo).length;

const MINUTE_MS = 60_000;

/** Cross-checks block 2 as the first node reported it, one minute later by default. */
async function check(
  seen: KnownBlock,
  nodes: readonly JsonRpcServer[],
  { host = nodes[0]?.host, age = MINUTE_MS } = {},
) {
  const fast = fastClock();
  const offset = 20_000 + age - fast.now();
  const clock = { ...fast, now: () => fast.now() + offset };
  return crossCheck(await sourceOf(ethereum, nodes, { clock }), { ...seen, host });
}

const OLD = { age: 121 * MINUTE_MS };

describe('when another endpoint confirms the block', () => {
  test('it is canonical, and the first endpoint is not asked', async () => {
    await using origin = await startNode(later);
    await using other = await startNode(well);
    expect(await check(block, [origin, other])).toBe('canonical');
    expect([callsAbout(origin), callsAbout(other)]).toEqual([0, 1]);
  });

  test('it is canonical, though a third disagrees or fails', async () => {
    await using origin = await startNode(well);
    await using wrong = await startNode(orphan);
    await using broken = await startNode(failing);
    await using other = await startNode(well);
    expect(await check(block, [origin, wrong, broken, other])).toBe('canonical');
    expect(callsAbout(origin)).toBe(0);
  });
});

describe('when the others report another block', () => {
  test.each([
    ['another hash', asOrphan],
    ['another time under the same hash', asLater],
  ])('and so does the first by now, %s is orphaned', async (_, seen) => {
    await using origin = await startNode(well);
    await using other = await startNode(well);
    expect(await check(seen, [origin, other])).toBe('orphaned');
    expect(callsAbout(origin)).toBe(5);
  });

  test.each([
    ['another hash', asOrphan, orphan],
    ['another time under the same hash', asLater, later],
  ])('and the first still reports %s, the error names both', async (_, seen, answer) => {
    await using origin = await startNode(answer);
    await using other = await startNode(well);
    const checking = check(seen, [origin, other]);
    await expect(checking).rejects.toThrow(BlockError);
    await expect(checking).rejects.toThrow(
      `ETHEREUM block 2: endpoints disagree: ${origin.host} reports ${seen.hash} at ${seen.timestamp}, ` +
        `${other.host} reports ${block.hash} at 20. If this persists, remove the faulty one`,
    );
  });

  test('and the first endpoint is gone, it is orphaned', async () => {
    await using other = await startNode(well);
    expect(await check(asOrphan, [other], { host: 'gone.example' })).toBe('orphaned');
  });

  test('and the first fails, there is no decision', async () => {
    await using origin = await startNode(failing);
    await using other = await startNode(well);
    await expect(check(asOrphan, [origin, other])).rejects.toThrow(NoEndpointError);
  });
});

describe('when no other endpoint has the block', () => {
  test('the first endpoint is asked again', async () => {
    await using origin = await startNode(well);
    expect(await check(block, [origin])).toBe('canonical');
    expect(await check(asLater, [origin])).toBe('orphaned');
    expect(callsAbout(origin)).toBe(10);
  });

  test('and another does not call it final yet, it is too early until the block is hours old', async () => {
    await using origin = await startNode(well);
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 1 }));
    await expect(check(block, [origin, behind])).rejects.toThrow(TooEarlyError);
    expect(callsAbout(origin)).toBe(0);
    expect(await check(block, [origin, behind], OLD)).toBe('canonical');
    expect([callsAbout(origin), callsAbout(behind)]).toEqual([5, 0]);
  });

  test('but two call it final, a third that is behind does not matter', async () => {
    await using origin = await startNode(well);
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 1 }));
    await using other = await startNode(well);
    expect(await check(block, [origin, behind, other])).toBe('canonical');
  });

  test('and the first fails, there is no decision', async () => {
    await using origin = await startNode(failing);
    await expect(check(block, [origin])).rejects.toThrow(NoEndpointError);
  });
});

describe('when the others fail', () => {
  test('and the block is hours old, the first endpoint is asked again', async () => {
    await using origin = await startNode(well);
    await using broken = await startNode(failing);
    expect(await check(block, [origin, broken], OLD)).toBe('canonical');
    expect(await check(asLater, [origin, broken], OLD)).toBe('orphaned');
  });

  test('there is no decision, and the error has the reason of each', async () => {
    await using origin = await startNode(well);
    await using broken = await startNode(failing);
    await using without = await startNode(() => ({ result: null }));
    const checking = check(block, [origin, broken, without]);
    await expect(checking).rejects.toThrow(NoEndpointError);
    await expect(checking).rejects.toThrow(
      'no endpoint returned a valid response for the cross-check of ETHEREUM block 2. ' +
        `${broken.host}: eth_getBlockByNumber 0x2 false: HTTP status 500. ` +
        `${without.host}: eth_getBlockByNumber 0x2 false: result: the node does not have this block`,
    );
  });

  test('or return another block, there is no decision', async () => {
    await using origin = await startNode(well);
    await using other = await startNode(() => ({ result: blocks[1]?.header }));
    await expect(check(block, [origin, other])).rejects.toThrow(
      `${other.host}: ETHEREUM block 2: the node returned block 1`,
    );
  });
});

test.each([
  ['another time', later, BlockError, 'block 2: endpoints disagree'],
  ['an error', failing, NoEndpointError, 'HTTP status 500'],
])(
  'an endpoint that alone confirms a block and sometimes returns %s is refused',
  async (_, other, kind, message) => {
    let times = 0;
    // Refused responses are requested three more times.
    await using origin = await startNode(() => (++times % 4 === 1 ? well() : other()));
    const checking = check(block, [origin]);
    await expect(checking).rejects.toThrow(kind);
    await expect(checking).rejects.toThrow(message);
  },
);

describe('when the others never have the block', () => {
  const without = () => ({ result: null });
  const pruned = (): NodeResponse => ({ error: { code: 4444, message: 'pruned history unavailable' } });

  test('the first endpoint is asked again and confirms it', async () => {
    await using origin = await startNode(well);
    await using one = await startNode(without);
    await using other = await startNode(pruned);
    expect(await check(block, [origin, one, other])).toBe('canonical');
  });

  test('the first endpoint is asked again and reports another block', async () => {
    await using origin = await startNode(later);
    await using other = await startNode(pruned);
    expect(await check(block, [origin, other])).toBe('orphaned');
  });

  test('and the first does not have it any more either, there is no decision', async () => {
    await using origin = await startNode(without);
    await using other = await startNode(pruned);
    await expect(check(block, [origin, other])).rejects.toThrow(NoEndpointError);
    await expect(check(block, [origin, other], { host: 'gone.example' })).rejects.toThrow(NoEndpointError);
  });

  test('but another disagrees, it is orphaned when the first does not have it any more', async () => {
    await using origin = await startNode(without);
    await using other = await startNode(orphan);
    expect(await check(block, [origin, other])).toBe('orphaned');
  });
});

test('compares only the hash of a block from an earlier run', async () => {
  await using node = await startNode(well);
  const { number, hash } = block;
  const source = await sourceOf(ethereum, [node]);
  expect(await crossCheck(source, { number, hash })).toBe('canonical');
  expect(await crossCheck(source, { number, hash: hashOf('orphan') })).toBe('orphaned');
});

test.each([0, 1])(
  'rejects with the reason of its signal, though %i others have answered',
  async (answered) => {
    const reason = new Error('out of time');
    const end = new AbortController();
    await using origin = await startNode(well);
    await using well1 = await startNode(well);
    await using silent = await startNode(() => ({ hang: true }));
    const nodes = [origin, silent, ...(answered ? [well1] : [])];
    const source = await sourceOf(ethereum, nodes, { signal: end.signal });
    const checking = crossCheck(source, { ...block, host: origin.host });
    void turns(200).then(() => end.abort(reason));
    await expect(checking).rejects.toBe(reason);
    expect([callsAbout(silent), callsAbout(well1)]).toEqual([1, answered]);
  },
);
