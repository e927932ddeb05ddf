import type { KnownBlock } from '../../../lambda/chains/block.ts';
import { BlockError } from '../../../lambda/chains/block-error.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { crossCheck, TooEarlyError } from '../../../lambda/ingest/cross-check.ts';
import { NoEndpointError } from '../../../lambda/rpc/retry.ts';
import { hashOf } from '../../support/builders.ts';
import { fastClock, turns } from '../../support/clock.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
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
const failing = (): Answer => ({ status: 500, body: '' });

const isAboutTwo = ({ params: [tag] }: Call) => tag === '0x2';
const startNode = (answer: (call: Call) => Answer) =>
  startJsonRpcServer((call) => (isAboutTwo(call) ? answer(call) : answerWell(call)));
const asked = ({ calls }: JsonRpcServer) => calls.filter(isAboutTwo).length;

const MINUTE_MS = 60_000;

/** Cross-checks block 2 as the first node reported it, one minute later by default. */
async function lookAt(
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
    await using giver = await startNode(later);
    await using other = await startNode(well);
    expect(await lookAt(block, [giver, other])).toBe('canonical');
    expect([asked(giver), asked(other)]).toEqual([0, 1]);
  });

  test('it is canonical, though a third disagrees or fails', async () => {
    await using giver = await startNode(well);
    await using wrong = await startNode(orphan);
    await using broken = await startNode(failing);
    await using other = await startNode(well);
    expect(await lookAt(block, [giver, wrong, broken, other])).toBe('canonical');
    expect(asked(giver)).toBe(0);
  });
});

describe('when the others report another block', () => {
  test.each([
    ['another hash', asOrphan],
    ['another time under the same hash', asLater],
  ])('and so does the first by now, %s is orphaned', async (_, seen) => {
    await using giver = await startNode(well);
    await using other = await startNode(well);
    expect(await lookAt(seen, [giver, other])).toBe('orphaned');
    expect(asked(giver)).toBe(5);
  });

  test.each([
    ['another hash', asOrphan, orphan],
    ['another time under the same hash', asLater, later],
  ])('and the first still reports %s, the error names both', async (_, seen, answer) => {
    await using giver = await startNode(answer);
    await using other = await startNode(well);
    const looked = lookAt(seen, [giver, other]);
    await expect(looked).rejects.toThrow(BlockError);
    await expect(looked).rejects.toThrow(
      `ETHEREUM block 2: endpoints disagree: ${giver.host} reports ${seen.hash} at ${seen.timestamp}, ` +
        `${other.host} reports ${block.hash} at 20. If this persists, remove the faulty one`,
    );
  });

  test('and the first endpoint is gone, it is orphaned', async () => {
    await using other = await startNode(well);
    expect(await lookAt(asOrphan, [other], { host: 'gone.example' })).toBe('orphaned');
  });

  test('and the first fails, there is no decision', async () => {
    await using giver = await startNode(failing);
    await using other = await startNode(well);
    await expect(lookAt(asOrphan, [giver, other])).rejects.toThrow(NoEndpointError);
  });
});

describe('when no other endpoint has the block', () => {
  test('the first endpoint is asked again', async () => {
    await using giver = await startNode(well);
    expect(await lookAt(block, [giver])).toBe('canonical');
    expect(await lookAt(asLater, [giver])).toBe('orphaned');
    expect(asked(giver)).toBe(10);
  });

  test('and another does not call it final yet, it is too early until the block is hours old', async () => {
    await using giver = await startNode(well);
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 1 }));
    await expect(lookAt(block, [giver, behind])).rejects.toThrow(TooEarlyError);
    expect(asked(giver)).toBe(0);
    expect(await lookAt(block, [giver, behind], OLD)).toBe('canonical');
    expect([asked(giver), asked(behind)]).toEqual([5, 0]);
  });

  test('but two call it final, a third that is behind does not matter', async () => {
    await using giver = await startNode(well);
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 1 }));
    await using other = await startNode(well);
    expect(await lookAt(block, [giver, behind, other])).toBe('canonical');
  });

  test('and the first fails, there is no decision', async () => {
    await using giver = await startNode(failing);
    await expect(lookAt(block, [giver])).rejects.toThrow(NoEndpointError);
  });
});

describe('when the others fail', () => {
  test('and the block is hours old, the first endpoint is asked again', async () => {
    await using giver = await startNode(well);
    await using broken = await startNode(failing);
    expect(await lookAt(block, [giver, broken], OLD)).toBe('canonical');
    expect(await lookAt(asLater, [giver, broken], OLD)).toBe('orphaned');
  });

  test('there is no decision, and the error has the reason of each', async () => {
    await using giver = await startNode(well);
    await using broken = await startNode(failing);
    await using without = await startNode(() => ({ result: null }));
    const looked = lookAt(block, [giver, broken, without]);
    await expect(looked).rejects.toThrow(NoEndpointError);
    await expect(looked).rejects.toThrow(
      'no endpoint returned a valid response for the cross-check of ETHEREUM block 2. ' +
        `${broken.host}: eth_getBlockByNumber 0x2 false: HTTP status 500. ` +
        `${without.host}: eth_getBlockByNumber 0x2 false: result: the node does not have this block`,
    );
  });

  test('or return another block, there is no decision', async () => {
    await using giver = await startNode(well);
    await using other = await startNode(() => ({ result: blocks[1]?.header }));
    await expect(lookAt(block, [giver, other])).rejects.toThrow(
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
    await using giver = await startNode(() => (++times % 4 === 1 ? well() : other()));
    const looked = lookAt(block, [giver]);
    await expect(looked).rejects.toThrow(kind);
    await expect(looked).rejects.toThrow(message);
  },
);

describe('when the others never have the block', () => {
  const without = () => ({ result: null });
  const pruned = (): Answer => ({ error: { code: 4444, message: 'pruned history unavailable' } });

  test('the first endpoint is asked again and confirms it', async () => {
    await using giver = await startNode(well);
    await using one = await startNode(without);
    await using other = await startNode(pruned);
    expect(await lookAt(block, [giver, one, other])).toBe('canonical');
  });

  test('the first endpoint is asked again and reports another block', async () => {
    await using giver = await startNode(later);
    await using other = await startNode(pruned);
    expect(await lookAt(block, [giver, other])).toBe('orphaned');
  });

  test('and the first does not have it any more either, there is no decision', async () => {
    await using giver = await startNode(without);
    await using other = await startNode(pruned);
    await expect(lookAt(block, [giver, other])).rejects.toThrow(NoEndpointError);
    await expect(lookAt(block, [giver, other], { host: 'gone.example' })).rejects.toThrow(NoEndpointError);
  });

  test('but another disagrees, it is orphaned when the first does not have it any more', async () => {
    await using giver = await startNode(without);
    await using other = await startNode(orphan);
    expect(await lookAt(block, [giver, other])).toBe('orphaned');
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
    await using giver = await startNode(well);
    await using well1 = await startNode(well);
    await using silent = await startNode(() => ({ hang: true }));
    const nodes = [giver, silent, ...(answered ? [well1] : [])];
    const source = await sourceOf(ethereum, nodes, { signal: end.signal });
    const looked = crossCheck(source, { ...block, host: giver.host });
    void turns(200).then(() => end.abort(reason));
    await expect(looked).rejects.toBe(reason);
    expect([asked(silent), asked(well1)]).toEqual([1, answered]);
  },
);
