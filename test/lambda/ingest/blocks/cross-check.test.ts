import type { KnownBlock } from '../../../../lambda/chains/block.ts';
import { chainOf } from '../../../../lambda/chains/chains.ts';
import type { EvidencePolicy } from '../../../../lambda/chains/evidence.ts';
import { crossCheck } from '../../../../lambda/ingest/blocks/cross-check.ts';
import { hashOf } from '../../../support/builders.ts';
import { fastClock, turns } from '../../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../../support/json-rpc-server.ts';
import { answerFrom, blockAt, refAt, sampleChain } from '../../../support/sample-chain.ts';
import { blockResponse, type RawBlock, sealBlock } from '../../../support/seal.ts';
import { sourceOf } from '../../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain([0, 10, 20, 30]);
const answerWell = answerFrom(blocks);

const second = blockAt(blocks, 2);
/** Block 2 with another content, and so with another hash. */
const sealed = (header: object) =>
  sealBlock(ethereum, { ...second, header: { ...second.header, ...header } });
const orphanBlock = sealed({ stateRoot: hashOf('orphan') });

/** Block 2 as most nodes report it. */
const block: KnownBlock = { ...refAt(blocks, 2), timestamp: 20 };
const asOrphan = { ...block, hash: orphanBlock.header.hash };
const asLater = { ...block, timestamp: 25 };

/** The response of a node for block 2. */
const tells = (given: RawBlock) => () => ({ result: blockResponse(given, false) });
const well = tells(second);
const orphan = tells(orphanBlock);
/** Possible only where headers are not proven. */
const later = tells({ ...second, header: { ...second.header, timestamp: '0x19' } });
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
  { host = nodes[0]?.host, age = MINUTE_MS, evidence = 'proven' as EvidencePolicy } = {},
) {
  const fast = fastClock();
  const offset = 20_000 + age - fast.now();
  const clock = { ...fast, now: () => fast.now() + offset };
  return crossCheck(await sourceOf(ethereum, nodes, { clock }, { evidence }), { ...seen, host });
}

const CHECKED = { evidence: 'checked' } as const;
const NO_DECISION = { kind: 'no endpoint' };
const ORPHANED = { kind: 'orphaned' };
const canonicalBy = (...nodes: readonly JsonRpcServer[]) => ({
  kind: 'canonical',
  hosts: nodes.map(({ host }) => host),
});

const OLD = { age: 121 * MINUTE_MS };

describe('when another endpoint confirms the block', () => {
  test('it is canonical, and the first endpoint is not asked', async () => {
    await using origin = await startNode(orphan);
    await using other = await startNode(well);
    expect(await check(block, [origin, other])).toEqual(canonicalBy(other));
    expect([callsAbout(origin), callsAbout(other)]).toEqual([0, 1]);
  });

  test('it is canonical, though others disagree or fail, and only those that agree are named', async () => {
    await using origin = await startNode(well);
    await using wrong = await startNode(orphan);
    await using broken = await startNode(failing);
    await using other = await startNode(well);
    await using third = await startNode(well);
    expect(await check(block, [origin, wrong, broken, other, third])).toEqual(canonicalBy(other, third));
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
    expect(await check(seen, [origin, other])).toEqual(ORPHANED);
    expect(callsAbout(origin)).toBe(5);
  });

  test.each([
    ['another hash', asOrphan, orphan],
    ['another time under the same hash', asLater, later],
  ])('and the first still reports %s, the dispute names both', async (_, seen, answer) => {
    await using origin = await startNode(answer);
    await using other = await startNode(well);
    expect(await check(seen, [origin, other], CHECKED)).toEqual({
      kind: 'disputed',
      reason:
        `ETHEREUM block 2: endpoints disagree. ${origin.host} reports ${seen.hash} at ${seen.timestamp}, ` +
        `${other.host} reports ${block.hash} at 20. If this persists, remove the faulty endpoint`,
    });
  });

  test('and the first reports another time under the same hash, its header is not proven', async () => {
    await using origin = await startNode(later);
    await using other = await startNode(well);
    expect(await check(asLater, [origin, other])).toMatchObject({
      kind: 'no endpoint',
      reason: expect.stringContaining(
        `${origin.host}: ETHEREUM block 2: hash: the header does not hash to its hash`,
      ),
    });
  });

  test('and the first endpoint is gone, it is orphaned', async () => {
    await using other = await startNode(well);
    expect(await check(asOrphan, [other], { host: 'gone.example' })).toEqual(ORPHANED);
  });

  test('and the first fails, there is no decision', async () => {
    await using origin = await startNode(failing);
    await using other = await startNode(well);
    expect(await check(asOrphan, [origin, other])).toMatchObject(NO_DECISION);
  });
});

describe('when no other endpoint has the block', () => {
  test('the first endpoint is asked again', async () => {
    await using origin = await startNode(well);
    expect(await check(block, [origin])).toEqual(canonicalBy(origin));
    expect(await check(asLater, [origin])).toEqual(ORPHANED);
    expect(callsAbout(origin)).toBe(10);
  });

  test('and another does not call it final yet, it is not final until the block is hours old', async () => {
    await using origin = await startNode(well);
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 1 }));
    expect(await check(block, [origin, behind])).toEqual({ kind: 'not final yet' });
    expect(callsAbout(origin)).toBe(0);
    expect(await check(block, [origin, behind], OLD)).toEqual(canonicalBy(origin));
    expect([callsAbout(origin), callsAbout(behind)]).toEqual([5, 0]);
  });

  test('but two call it final, a third that is behind does not matter', async () => {
    await using origin = await startNode(well);
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 1 }));
    await using other = await startNode(well);
    expect(await check(block, [origin, behind, other])).toEqual(canonicalBy(other));
  });

  test('and the first fails, there is no decision', async () => {
    await using origin = await startNode(failing);
    expect(await check(block, [origin])).toMatchObject(NO_DECISION);
  });
});

describe('when the others fail', () => {
  test('and the block is hours old, the first endpoint is asked again', async () => {
    await using origin = await startNode(well);
    await using broken = await startNode(failing);
    expect(await check(block, [origin, broken], OLD)).toEqual(canonicalBy(origin));
    expect(await check(asLater, [origin, broken], OLD)).toEqual(ORPHANED);
  });

  test('there is no decision, and the reason of each is named', async () => {
    await using origin = await startNode(well);
    await using broken = await startNode(failing);
    await using without = await startNode(() => ({ result: null }));
    expect(await check(block, [origin, broken, without])).toMatchObject({
      kind: 'no endpoint',
      reason:
        'No endpoint gave a valid response for a cross-check of ETHEREUM block 2. ' +
        `${broken.host}: eth_getBlockByNumber 0x2 false: HTTP status 500. ` +
        `${without.host}: eth_getBlockByNumber 0x2 false: result: the node does not have the block`,
    });
  });

  test('or return another block, there is no decision', async () => {
    await using origin = await startNode(well);
    await using other = await startNode(tells(blockAt(blocks, 1)));
    expect(await check(block, [origin, other])).toMatchObject({
      kind: 'no endpoint',
      reason: expect.stringContaining(`${other.host}: ETHEREUM block 2: the node answered with block 1`),
    });
  });
});

test.each([
  ['another block', orphan, 'disputed', 'block 2: endpoints disagree'],
  ['an error', failing, 'no endpoint', 'HTTP status 500'],
])(
  'an endpoint that alone confirms a block and sometimes returns %s is refused',
  async (_, other, kind, reason) => {
    let times = 0;
    // Refused responses are requested three more times.
    await using origin = await startNode(() => (++times % 4 === 1 ? well() : other()));
    expect(await check(block, [origin])).toMatchObject({ kind, reason: expect.stringContaining(reason) });
  },
);

describe('when the others never have the block', () => {
  const without = () => ({ result: null });
  const pruned = (): NodeResponse => ({ error: { code: 4444, message: 'pruned history unavailable' } });

  test('the first endpoint is asked again and confirms it', async () => {
    await using origin = await startNode(well);
    await using one = await startNode(without);
    await using other = await startNode(pruned);
    expect(await check(block, [origin, one, other])).toEqual(canonicalBy(origin));
  });

  test('the first endpoint is asked again and reports another block', async () => {
    await using origin = await startNode(orphan);
    await using other = await startNode(pruned);
    expect(await check(block, [origin, other])).toEqual(ORPHANED);
  });

  test('and the first does not have it any more either, there is no decision', async () => {
    await using origin = await startNode(without);
    await using other = await startNode(pruned);
    expect(await check(block, [origin, other])).toMatchObject(NO_DECISION);
    expect(await check(block, [origin, other], { host: 'gone.example' })).toMatchObject(NO_DECISION);
  });

  test('but another disagrees, it is orphaned when the first does not have it any more', async () => {
    await using origin = await startNode(without);
    await using other = await startNode(orphan);
    expect(await check(block, [origin, other])).toEqual(ORPHANED);
  });
});

test('compares only the hash of a block from an earlier run', async () => {
  await using node = await startNode(well);
  const source = await sourceOf(ethereum, [node]);
  const { number, hash } = block;
  expect(await crossCheck(source, { number, hash })).toEqual(canonicalBy(node));
  expect(await crossCheck(source, { number, hash: hashOf('orphan') })).toEqual(ORPHANED);
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
