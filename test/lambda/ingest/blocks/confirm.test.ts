import { chainOf } from '../../../../lambda/chains/chains.ts';
import { confirmedBlocks, type Start, type StreamEnd } from '../../../../lambda/ingest/blocks/confirm.ts';
import type { SummedBlock } from '../../../../lambda/ingest/blocks/read.ts';
import { hashOf } from '../../../support/builders.ts';
import { turns } from '../../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../../support/json-rpc-server.ts';
import { answerFrom, blockAt, refAt, reseal, sampleChain } from '../../../support/sample-chain.ts';
import { blockResponse, type RawBlock, sealBlock } from '../../../support/seal.ts';
import { sourceOf } from '../../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const times = Array.from({ length: 30 }, (_, index) => index * 10);
const blocks = sampleChain(times);
const answerWell = answerFrom(blocks);
const genesis: Start = { notBefore: 0 };

/** Collects the blocks and the reason why they end. */
async function blocksOf(nodes: readonly JsonRpcServer[], start = genesis) {
  const stream = confirmedBlocks(await sourceOf(ethereum, nodes), start);
  const read: SummedBlock[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return { read, end: value };
    read.push(value);
  }
}

/** Collects the numbers of the blocks from a single node. */
async function readFrom(answer: (call: Call) => NodeResponse | Promise<NodeResponse>, start = genesis) {
  await using node = await startJsonRpcServer(answer);
  const { read, end } = await blocksOf([node], start);
  return { numbers: numbersOf(read), end };
}

const HEAD: StreamEnd = { kind: 'head reached' };
const noEndpoint = (reason: string) => ({ kind: 'no endpoint', reason: expect.stringContaining(reason) });

const numbersOf = (read: readonly SummedBlock[]) => read.map(({ number }) => number);
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

type Change = (block: RawBlock) => RawBlock;

/** Returns other responses for some blocks, with the right finalized head. */
const withBlocks = (changes: Readonly<Record<number, Change>>) => {
  const badly = answerFrom(blocks.map((block, index) => changes[index]?.(block) ?? block));
  return (call: Call) => (call.params[0] === 'finalized' ? answerWell(call) : badly(call));
};
/** The same block with other header fields and the hash that follows from them. */
const resealed =
  (header: object): Change =>
  (block) =>
    sealBlock(ethereum, { ...block, header: { ...block.header, ...header } });
/** A complete block with another state, and so with another hash. */
const orphaned = resealed({ stateRoot: hashOf('orphan') });
const orphanHash = (number: number) => orphaned(blockAt(blocks, number)).header.hash;
const hashAt = (number: number) => blockAt(blocks, number).header.hash;

test('yields all blocks in order up to the finalized head, whatever the order of the responses', async () => {
  const lateOnes = async (call: Call) => {
    await turns(call.params[0] === '0x2' ? 500 : 0);
    return answerWell(call);
  };
  expect(await readFrom(lateOnes)).toEqual({ numbers: upTo(29), end: HEAD });
});

test('yields each block with its totals and host', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const { read } = await blocksOf([node]);
  expect(read[2]).toMatchObject({
    hash: hashAt(2),
    timestamp: 20,
    host: node.host,
    totals: { transactions: 2 },
  });
});

test('begins after the start block', async () => {
  const start = { block: refAt(blocks, 26), notBefore: 260 };
  expect(await readFrom(answerWell, start)).toEqual({ numbers: [27, 28, 29], end: HEAD });
});

test('yields nothing when all blocks are read', async () => {
  const start = { block: refAt(blocks, 29), notBefore: 290 };
  expect(await readFrom(answerWell, start)).toEqual({ numbers: [], end: HEAD });
});

test('reads ahead', async () => {
  await using node = await startJsonRpcServer(
    answerFrom(sampleChain(Array.from({ length: 200 }, (_, n) => n))),
  );
  const source = await sourceOf(ethereum, [node]);
  const stream = confirmedBlocks(source, genesis);
  await stream.next();
  await turns(2_000);
  const headers = node.calls.filter(({ method }) => method === 'eth_getBlockByNumber').length;
  expect(headers).toBeGreaterThan(30);
  expect(headers).toBeLessThan(70);
  await stream.return(HEAD);
});

describe('from a single node', () => {
  test('does not yield an orphaned block, and names the reason', async () => {
    const { numbers, end } = await readFrom(withBlocks({ 9: orphaned }));
    expect(numbers).toEqual(upTo(8));
    expect(end).toEqual(
      expect.objectContaining(
        noEndpoint('No endpoint gave a valid response for ETHEREUM block 10 and its parent.'),
      ),
    );
    expect(end).toMatchObject(
      noEndpoint(`ETHEREUM block 10: its parent is ${hashAt(9)}, but block 9 was read as ${orphanHash(9)}`),
    );
  });

  test('yields neither a block that is older than its parent nor that parent', async () => {
    const { numbers, end } = await readFrom(withBlocks({ 7: resealed({ timestamp: '0x1' }) }));
    expect(numbers).toEqual(upTo(5));
    expect(end).toMatchObject(noEndpoint('ETHEREUM block 7: its timestamp 1 is before 60'));
  });

  test('does not yield the last block when the finalized head is another', async () => {
    const { numbers, end } = await readFrom((call) =>
      call.params[0] === 'finalized'
        ? { result: blockResponse(orphaned(blockAt(blocks, 29)), false) }
        : answerWell(call),
    );
    expect(numbers).toEqual(upTo(28));
    expect(end).toMatchObject(
      noEndpoint(
        `ETHEREUM block 29: read as ${hashAt(29)} at 290, but finalized as ${orphanHash(29)} at 290`,
      ),
    );
  });

  test('does not yield a single block whose parent is not the start block', async () => {
    const start = { block: refAt(blocks, 28), notBefore: 280 };
    const stranger = { 29: resealed({ parentHash: hashOf('fork') }) };
    expect(await readFrom(withBlocks(stranger), start)).toEqual({
      numbers: [],
      end: expect.objectContaining({ kind: 'no endpoint' }),
    });
  });

  test('does not yield a block that a header with the same hash does not prove', async () => {
    const lie: Change = (block) => ({ ...block, header: { ...block.header, timestamp: '0xffff' } });
    const { numbers, end } = await readFrom(withBlocks({ 7: lie }));
    expect(numbers).toEqual(upTo(5));
    expect(end).toMatchObject(noEndpoint('ETHEREUM block 7: hash: the header does not hash to its hash'));
  });
});

describe('reads again from another endpoint', () => {
  test.each<[string, Readonly<Record<number, Change>>]>([
    ['an orphaned block', { 9: orphaned }],
    ['an orphaned first block', { 0: orphaned }],
    ['an orphaned last block', { 29: orphaned }],
    ['several orphaned blocks in a row', { 9: orphaned, 10: orphaned, 11: orphaned }],
    ['a block that names another parent', { 9: resealed({ parentHash: hashOf('fork') }) }],
    ['the first block, with another parent', { 1: resealed({ parentHash: hashOf('fork') }) }],
    ['a block that is older than its parent', { 7: resealed({ timestamp: '0x1' }) }],
    ['a last block with a wrong timestamp', { 29: resealed({ timestamp: '0xffff' }) }],
  ])('%s', async (_, changes) => {
    await using bad = await startJsonRpcServer(withBlocks(changes));
    await using good = await startJsonRpcServer(answerWell);
    const { read, end } = await blocksOf([bad, good]);
    expect(end).toEqual(HEAD);
    expect(read.map(({ number, hash, timestamp }) => ({ number, hash, timestamp }))).toEqual(
      times.map((timestamp, number) => ({ ...refAt(blocks, number), timestamp })),
    );
    for (const number of Object.keys(changes)) expect(read[Number(number)]?.host).toBe(good.host);
    expect(good.calls.length).toBeLessThan(30);
  });

  test('blocks that alternate between two endpoints', async () => {
    const everyOther = (rest: number) =>
      withBlocks(
        Object.fromEntries(upTo(28).map((number) => [number, number % 2 === rest ? orphaned : (b) => b])),
      );
    await using odd = await startJsonRpcServer(everyOther(1));
    await using even = await startJsonRpcServer(everyOther(0));
    await using good = await startJsonRpcServer(answerWell);
    const { read } = await blocksOf([odd, even, good]);
    expect(read.map(({ hash }) => hash)).toEqual(blocks.map(({ header }) => header.hash));
  });

  test('but not from an endpoint with invalid links', async () => {
    await using bad = await startJsonRpcServer(withBlocks({ 9: orphaned }));
    await using alsoBad = await startJsonRpcServer(withBlocks({ 10: resealed({ timestamp: '0x1' }) }));
    const { read, end } = await blocksOf([bad, alsoBad]);
    expect(numbersOf(read)).toEqual(upTo(8));
    expect(end).toMatchObject({
      kind: 'no endpoint',
      reasons: [
        expect.stringContaining(`${bad.host}: ETHEREUM block 10: its parent is`),
        expect.stringContaining(`${alsoBad.host}: ETHEREUM block 10: its timestamp 1 is before 90`),
      ],
    });
  });

  test('but not from an endpoint that does not call them final', async () => {
    await using bad = await startJsonRpcServer(withBlocks({ 29: orphaned }));
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 28 }));
    const { end } = await blocksOf([bad, behind]);
    expect(end).toMatchObject({ reasons: [expect.stringContaining(bad.host)] });
    expect(behind.calls.flatMap(({ params }) => params)).not.toContain('0x1d');
  });
});

describe('the start block', () => {
  const startAt = (hash: string, host?: string): Start => ({
    block: { number: 9, hash, timestamp: 90, host },
    notBefore: 90,
  });

  test('is orphaned when no endpoint has it any more', async () => {
    await using node = await startJsonRpcServer(answerWell);
    const { read, end } = await blocksOf([node], startAt(hashOf('fork 9'), 'gone.example'));
    expect(read).toEqual([]);
    expect(end).toEqual({
      kind: 'orphaned',
      reason:
        `ETHEREUM block 9, read as ${hashOf('fork 9')} from gone.example, was reorged: no endpoint has it any more. ` +
        'The next run reads the day from its start. If this block ends a final day, restate that day.',
    });
  });

  test('is orphaned when its timestamp was wrong', async () => {
    await using node = await startJsonRpcServer(answerWell);
    const start = {
      block: { ...refAt(blocks, 9), host: 'gone.example', timestamp: 101 },
      notBefore: 101,
    };
    expect((await blocksOf([node], start)).end).toMatchObject({ kind: 'orphaned' });
  });

  test('is canonical while endpoints confirm it', async () => {
    await using node = await startJsonRpcServer(withBlocks({ 10: resealed({ parentHash: hashOf('fork') }) }));
    const { end } = await blocksOf([node], startAt(hashAt(9)));
    expect(end).toMatchObject(noEndpoint('ETHEREUM block 10: its parent is'));
  });

  test('can be a block of the same run', async () => {
    // The node leaves a fork after it returned the fork's blocks 8 to 10.
    const fork = answerFrom(reseal(blocks, 8, orphaned).toSpliced(11, 19, ...blocks.slice(11)));
    const requests = new Set<unknown>();
    await using node = await startJsonRpcServer((call) => {
      const question = JSON.stringify([call.method, call.params[0]]);
      const isNew = !requests.has(question);
      requests.add(question);
      return (isNew ? fork : answerWell)(call);
    });
    const { read, end } = await blocksOf([node]);
    expect(numbersOf(read)).toEqual(upTo(9));
    expect(end).toMatchObject({
      kind: 'orphaned',
      reason: expect.stringContaining('ETHEREUM block 9, read as'),
    });
  });
});

test('rejects with the reason of its signal', async () => {
  const reason = new Error('out of time');
  const end = new AbortController();
  await using node = await startJsonRpcServer((call) => {
    if (call.params[0] !== '0x14') return answerWell(call);
    end.abort(reason);
    return { hang: true };
  });
  const source = await sourceOf(ethereum, [node], { signal: end.signal });
  const all = Array.fromAsync(confirmedBlocks(source, genesis));
  await expect(all).rejects.toBe(reason);
});
