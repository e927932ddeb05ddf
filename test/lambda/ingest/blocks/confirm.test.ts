import { chainOf } from '../../../lambda/chains/chains.ts';
import { confirmedBlocks, type Start } from '../../../lambda/ingest/confirmed-blocks.ts';
import type { SummedBlock } from '../../../lambda/ingest/read-block.ts';
import { OrphanedBlockError } from '../../../lambda/ingest/reorg.ts';
import { NoEndpointError } from '../../../lambda/rpc/retry.ts';
import { hashOf } from '../../support/builders.ts';
import { turns } from '../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, type RawBlock, sampleChain } from '../../support/sample-chain.ts';
import { sourceOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const times = Array.from({ length: 30 }, (_, index) => index * 10);
const blocks = sampleChain(times);
const answerWell = answerFrom(blocks);
const genesis: Start = { notBefore: 0 };

/** Collects the blocks and the error that ends them. */
async function blocksOf(nodes: readonly JsonRpcServer[], start = genesis) {
  const source = await sourceOf(ethereum, nodes);
  const read: SummedBlock[] = [];
  try {
    for await (const block of confirmedBlocks(source, start)) read.push(block);
    return { read, error: undefined };
  } catch (error) {
    return { read, error };
  }
}

/** Collects the numbers of the blocks from a single node, and the reason of the error. */
async function readFrom(answer: (call: Call) => NodeResponse | Promise<NodeResponse>, start = genesis) {
  await using node = await startJsonRpcServer(answer);
  const { read, error } = await blocksOf([node], start);
  return { numbers: numbersOf(read), ...(error instanceof Error && { reason: error.message, error }) };
}

const numbersOf = (read: readonly SummedBlock[]) => read.map(({ number }) => number);
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

type Change = (block: RawBlock) => RawBlock;

/** Returns other responses for some blocks, with the right finalized head. */
const withBlocks = (changes: Readonly<Record<number, Change>>) => {
  const badly = answerFrom(blocks.map((block, index) => changes[index]?.(block) ?? block));
  return (call: Call) => (call.params[0] === 'finalized' ? answerWell(call) : badly(call));
};
const withHeader =
  (header: object): Change =>
  (block) => ({ ...block, header: { ...block.header, ...header } });
/** A complete block with another hash. */
const orphaned: Change = ({ header, receipts }) => {
  const hash = hashOf(`orphan of ${header.hash}`);
  return {
    header: { ...header, hash },
    receipts: receipts.map((receipt) => ({ ...receipt, blockHash: hash })),
  };
};

test('yields all blocks in order up to the finalized head, whatever the order of the responses', async () => {
  const lateOnes = async (call: Call) => {
    await turns(call.params[0] === '0x2' ? 500 : 0);
    return answerWell(call);
  };
  expect(await readFrom(lateOnes)).toEqual({ numbers: upTo(29) });
});

test('yields each block with its totals and host', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const { read } = await blocksOf([node]);
  expect(read[2]).toMatchObject({
    hash: hashOf('sample 2'),
    timestamp: 20,
    host: node.host,
    totals: { transactions: 2 },
  });
});

test('begins after the start block', async () => {
  const start = { block: { number: 26, hash: hashOf('sample 26') }, notBefore: 260 };
  expect(await readFrom(answerWell, start)).toEqual({ numbers: [27, 28, 29] });
});

test('yields nothing when all blocks are read', async () => {
  const start = { block: { number: 29, hash: hashOf('sample 29') }, notBefore: 290 };
  expect(await readFrom(answerWell, start)).toEqual({ numbers: [] });
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
  await stream.return(undefined);
});

describe('from a single node', () => {
  test('does not yield an orphaned block, and names the reason', async () => {
    const { numbers, reason } = await readFrom(withBlocks({ 9: orphaned }));
    expect(numbers).toEqual(upTo(8));
    expect(reason).toContain('no endpoint returned a valid response for ETHEREUM block 10 and its parent.');
    expect(reason).toContain(
      `ETHEREUM block 10: its parent is ${hashOf('sample 9')}, but block 9 is ${hashOf(`orphan of ${hashOf('sample 9')}`)}`,
    );
  });

  test('does not yield a block that is newer than its child', async () => {
    const { numbers, reason } = await readFrom(withBlocks({ 7: withHeader({ timestamp: '0xffff' }) }));
    expect(numbers).toEqual(upTo(6));
    expect(reason).toContain('ETHEREUM block 8: its timestamp 80 is before 65535');
  });

  test('yields neither a block that is older than its parent nor that parent', async () => {
    const { numbers, reason } = await readFrom(withBlocks({ 7: withHeader({ timestamp: '0x1' }) }));
    expect(numbers).toEqual(upTo(5));
    expect(reason).toContain('ETHEREUM block 7: its timestamp 1 is before 60');
  });

  test.each([
    ['another hash', { hash: hashOf('other') }],
    ['another time', { timestamp: '0xffff' }],
  ])('does not yield the last block when the finalized head has %s', async (_, finalized) => {
    const { numbers, reason } = await readFrom((call) =>
      call.params[0] === 'finalized' ? { result: { ...blocks[29]?.header, ...finalized } } : answerWell(call),
    );
    expect(numbers).toEqual(upTo(28));
    expect(reason).toMatch(
      /127\.0\.0\.1:\d+: ETHEREUM block 29: it was read as 0x\w+ at 290, but the finalized head is 0x\w+ at \d+$/,
    );
  });

  test('does not yield a single block whose parent is not the start block', async () => {
    const start = { block: { number: 28, hash: hashOf('sample 28') }, notBefore: 280 };
    const { numbers, error } = await readFrom(
      withBlocks({ 29: withHeader({ parentHash: hashOf('fork') }) }),
      start,
    );
    expect(numbers).toEqual([]);
    expect(error).toBeInstanceOf(NoEndpointError);
  });
});

describe('reads again from another endpoint', () => {
  test.each<[string, Readonly<Record<number, Change>>]>([
    ['an orphaned block', { 9: orphaned }],
    ['an orphaned first block', { 0: orphaned }],
    ['an orphaned last block', { 29: orphaned }],
    ['several orphaned blocks in a row', { 9: orphaned, 10: orphaned, 11: orphaned }],
    ['a block that names another parent', { 9: withHeader({ parentHash: hashOf('fork') }) }],
    ['the first block, with another parent', { 1: withHeader({ parentHash: hashOf('fork') }) }],
    ['a block that is newer than its child', { 7: withHeader({ timestamp: '0xffff' }) }],
    ['a block that is older than its parent', { 7: withHeader({ timestamp: '0x1' }) }],
    ['a last block with a wrong timestamp', { 29: withHeader({ timestamp: '0xffff' }) }],
  ])('%s', async (_, changes) => {
    await using bad = await startJsonRpcServer(withBlocks(changes));
    await using good = await startJsonRpcServer(answerWell);
    const { read, error } = await blocksOf([bad, good]);
    expect(error).toBeUndefined();
    expect(read.map(({ number, hash, timestamp }) => ({ number, hash, timestamp }))).toEqual(
      times.map((timestamp, number) => ({ number, hash: hashOf(`sample ${number}`), timestamp })),
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
    await using alsoBad = await startJsonRpcServer(withBlocks({ 10: withHeader({ timestamp: '0x1' }) }));
    const { read, error } = await blocksOf([bad, alsoBad]);
    expect(numbersOf(read)).toEqual(upTo(8));
    expect(error).toMatchObject({
      name: 'NoEndpointError',
      reasons: [
        expect.stringContaining(`${bad.host}: ETHEREUM block 10: its parent is`),
        expect.stringContaining(`${alsoBad.host}: ETHEREUM block 10: its timestamp 1 is before 90`),
      ],
    });
  });

  test('but not from an endpoint that does not call them final', async () => {
    await using bad = await startJsonRpcServer(withBlocks({ 29: orphaned }));
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 28 }));
    const { error } = await blocksOf([bad, behind]);
    expect(error).toMatchObject({ reasons: [expect.stringContaining(bad.host)] });
    expect(behind.calls.flatMap(({ params }) => params)).not.toContain('0x1d');
  });
});

describe('the start block', () => {
  const startAt = (name: string, host?: string): Start => ({
    block: { number: 9, hash: hashOf(name), timestamp: 90, host },
    notBefore: 90,
  });

  test('is orphaned when no endpoint has it any more', async () => {
    await using node = await startJsonRpcServer(answerWell);
    const { read, error } = await blocksOf([node], startAt('fork 9', 'gone.example'));
    expect(read).toEqual([]);
    expect(error).toBeInstanceOf(OrphanedBlockError);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        `ETHEREUM block 9 is orphaned: gone.example returned ${hashOf('fork 9')}`,
      ),
    });
  });

  test('is orphaned when its timestamp was wrong', async () => {
    await using node = await startJsonRpcServer(answerWell);
    const start = {
      block: { ...startAt('sample 9', 'gone.example').block, timestamp: 101 },
      notBefore: 101,
    } as Start;
    expect((await blocksOf([node], start)).error).toBeInstanceOf(OrphanedBlockError);
  });

  test('is canonical while endpoints confirm it', async () => {
    await using node = await startJsonRpcServer(
      withBlocks({ 10: withHeader({ parentHash: hashOf('fork') }) }),
    );
    const { error } = await blocksOf([node], startAt('sample 9'));
    expect(error).toBeInstanceOf(NoEndpointError);
    expect(error).toMatchObject({ message: expect.stringContaining('ETHEREUM block 10: its parent is') });
  });

  test('can be a block of the same run', async () => {
    // The node leaves a fork after it returned the fork's blocks 8 to 10.
    const onFork = sampleChain(times).map((block, number) =>
      number < 8 || number > 10 ? block : forked(block, number),
    );
    const requests = new Set<unknown>();
    const fork = answerFrom(onFork);
    await using node = await startJsonRpcServer((call) => {
      const question = JSON.stringify([call.method, call.params[0]]);
      const isNew = !requests.has(question);
      requests.add(question);
      return (isNew ? fork : answerWell)(call);
    });
    const { read, error } = await blocksOf([node]);
    expect(numbersOf(read)).toEqual(upTo(9));
    expect(error).toBeInstanceOf(OrphanedBlockError);
    expect(error).toMatchObject({ message: expect.stringContaining('ETHEREUM block 9 is orphaned') });
  });
});

/** A complete block of a fork that begins with block 8. */
function forked({ header, receipts }: RawBlock, number: number): RawBlock {
  const hash = hashOf(`fork ${number}`);
  return {
    header: { ...header, hash, ...(number > 8 && { parentHash: hashOf(`fork ${number - 1}`) }) },
    receipts: receipts.map((receipt) => ({ ...receipt, blockHash: hash })),
  };
}

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
