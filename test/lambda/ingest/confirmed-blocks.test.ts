import { chainOf } from '../../../lambda/chains/chains.ts';
import { confirmedBlocks, OrphanedBlockError, type Start } from '../../../lambda/ingest/confirmed-blocks.ts';
import type { SummedBlock } from '../../../lambda/ingest/read-block.ts';
import { NoEndpointError } from '../../../lambda/rpc/retry.ts';
import { hashOf } from '../../support/builders.ts';
import { turns } from '../../support/clock.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, type RawBlock, sampleChain } from '../../support/sample-chain.ts';
import { sourceOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const times = Array.from({ length: 30 }, (_, index) => index * 10);
const blocks = sampleChain(times);
const answerWell = answerFrom(blocks);
const genesis: Start = { notBefore: 0 };

/** The blocks that come, and the error with which no more do. */
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

/** The numbers of the blocks that come from a single node, and the reason why no more do. */
async function readFrom(answer: (call: Call) => Answer | Promise<Answer>, start = genesis) {
  await using node = await startJsonRpcServer(answer);
  const { read, error } = await blocksOf([node], start);
  return { numbers: numbersOf(read), ...(error instanceof Error && { reason: error.message, error }) };
}

const numbersOf = (read: readonly SummedBlock[]) => read.map(({ number }) => number);
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

type Change = (block: RawBlock) => RawBlock;

/** A node that answers for some blocks with something else, but has the right finalized head. */
const withBlocks = (changes: Readonly<Record<number, Change>>) => {
  const badly = answerFrom(blocks.map((block, index) => changes[index]?.(block) ?? block));
  return (call: Call) => (call.params[0] === 'finalized' ? answerWell(call) : badly(call));
};
const withHeader =
  (header: object): Change =>
  (block) => ({ ...block, header: { ...block.header, ...header } });
/** A whole block under another hash. */
const orphaned: Change = ({ header, receipts }) => {
  const hash = hashOf(`orphan of ${header.hash}`);
  return {
    header: { ...header, hash },
    receipts: receipts.map((receipt) => ({ ...receipt, blockHash: hash })),
  };
};

test('all blocks come in order, up to the finalized head, however late each is answered', async () => {
  const lateOnes = async (call: Call) => {
    await turns(call.params[0] === '0x2' ? 500 : 0);
    return answerWell(call);
  };
  expect(await readFrom(lateOnes)).toEqual({ numbers: upTo(29) });
});

test('each comes summed, with who gave it', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const { read } = await blocksOf([node]);
  expect(read[2]).toMatchObject({
    hash: hashOf('sample 2'),
    timestamp: 20,
    host: node.host,
    totals: { transactions: 2 },
  });
});

test('they begin after the block that is known', async () => {
  const start = { block: { number: 26, hash: hashOf('sample 26') }, notBefore: 260 };
  expect(await readFrom(answerWell, start)).toEqual({ numbers: [27, 28, 29] });
});

test('nothing comes when all blocks are read already', async () => {
  const start = { block: { number: 29, hash: hashOf('sample 29') }, notBefore: 290 };
  expect(await readFrom(answerWell, start)).toEqual({ numbers: [] });
});

test('many are read ahead, so that the next ones do not wait', async () => {
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

describe('from a single node, the reason is told and', () => {
  test('an orphan, whose child names another parent, does not come', async () => {
    const { numbers, reason } = await readFrom(withBlocks({ 9: orphaned }));
    expect(numbers).toEqual(upTo(8));
    expect(reason).toContain('no endpoint gave a valid answer for ETHEREUM block 10 and how it follows.');
    expect(reason).toContain(
      `ETHEREUM block 10: its parent is ${hashOf('sample 9')}, but block 9 was read as ${hashOf(`orphan of ${hashOf('sample 9')}`)}`,
    );
  });

  test('a block that is given a time after that of its child does not come', async () => {
    const { numbers, reason } = await readFrom(withBlocks({ 7: withHeader({ timestamp: '0xffff' }) }));
    expect(numbers).toEqual(upTo(6));
    expect(reason).toContain('ETHEREUM block 8: its timestamp 80 is before 65535');
  });

  test('a block that is given a time before that of its parent does not come, nor that parent', async () => {
    const { numbers, reason } = await readFrom(withBlocks({ 7: withHeader({ timestamp: '0x1' }) }));
    expect(numbers).toEqual(upTo(5));
    expect(reason).toContain('ETHEREUM block 7: its timestamp 1 is before 60');
  });

  test.each([
    ['another hash', { hash: hashOf('other') }],
    ['another time', { timestamp: '0xffff' }],
  ])('the last block does not come when it was finalized with %s', async (_, finalized) => {
    const { numbers, reason } = await readFrom((call) =>
      call.params[0] === 'finalized' ? { result: { ...blocks[29]?.header, ...finalized } } : answerWell(call),
    );
    expect(numbers).toEqual(upTo(28));
    expect(reason).toMatch(
      /127\.0\.0\.1:\d+: ETHEREUM block 29: read as 0x\w+ at 290, but finalized as 0x\w+ at \d+$/,
    );
  });

  test('a block whose parent is not the one that is known does not come, though it is the only one', async () => {
    const start = { block: { number: 28, hash: hashOf('sample 28') }, notBefore: 280 };
    const { numbers, error } = await readFrom(
      withBlocks({ 29: withHeader({ parentHash: hashOf('fork') }) }),
      start,
    );
    expect(numbers).toEqual([]);
    expect(error).toBeInstanceOf(NoEndpointError);
  });
});

describe('what does not fit is read anew from another endpoint:', () => {
  test.each<[string, Readonly<Record<number, Change>>]>([
    ['an orphan', { 9: orphaned }],
    ['an orphan as the first block', { 0: orphaned }],
    ['an orphan as the last block', { 29: orphaned }],
    ['several orphans in a row', { 9: orphaned, 10: orphaned, 11: orphaned }],
    ['a block that names another parent', { 9: withHeader({ parentHash: hashOf('fork') }) }],
    ['the first block, with another parent', { 1: withHeader({ parentHash: hashOf('fork') }) }],
    ['a block with a time after that of its child', { 7: withHeader({ timestamp: '0xffff' }) }],
    ['a block with a time before that of its parent', { 7: withHeader({ timestamp: '0x1' }) }],
    ['the last block with a wrong time', { 29: withHeader({ timestamp: '0xffff' }) }],
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

  test('a chain whose blocks come each from the other of two endpoints', async () => {
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

  test('but not from one whose own blocks do not fit either', async () => {
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

  test('nor from one that does not call them final', async () => {
    await using bad = await startJsonRpcServer(withBlocks({ 29: orphaned }));
    await using behind = await startJsonRpcServer(answerFrom(blocks, { finalized: 28 }));
    const { error } = await blocksOf([bad, behind]);
    expect(error).toMatchObject({ reasons: [expect.stringContaining(bad.host)] });
    expect(behind.calls.flatMap(({ params }) => params)).not.toContain('0x1d');
  });
});

describe('the block that all are to follow', () => {
  const startAt = (name: string, host?: string): Start => ({
    block: { number: 9, hash: hashOf(name), timestamp: 90, host },
    notBefore: 90,
  });

  test('is contradicted when no endpoint knows it any more', async () => {
    await using node = await startJsonRpcServer(answerWell);
    const { read, error } = await blocksOf([node], startAt('fork 9', 'gone.example'));
    expect(read).toEqual([]);
    expect(error).toBeInstanceOf(OrphanedBlockError);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        `ETHEREUM block 9, read as ${hashOf('fork 9')} from gone.example: no endpoint tells the same any more`,
      ),
    });
  });

  test('is contradicted when its time turns out to have been wrong', async () => {
    await using node = await startJsonRpcServer(answerWell);
    const start = {
      block: { ...startAt('sample 9', 'gone.example').block, timestamp: 101 },
      notBefore: 101,
    } as Start;
    expect((await blocksOf([node], start)).error).toBeInstanceOf(OrphanedBlockError);
  });

  test('is not in question while endpoints tell the same of it: what follows is', async () => {
    await using node = await startJsonRpcServer(
      withBlocks({ 10: withHeader({ parentHash: hashOf('fork') }) }),
    );
    const { error } = await blocksOf([node], startAt('sample 9'));
    expect(error).toBeInstanceOf(NoEndpointError);
    expect(error).toMatchObject({ message: expect.stringContaining('ETHEREUM block 10: its parent is') });
  });

  test('is one that was given on the way, too', async () => {
    // One node goes over from a fork to the chain after it has given blocks 8 to 10 of the fork.
    const onFork = sampleChain(times).map((block, number) =>
      number < 8 || number > 10 ? block : forked(block, number),
    );
    const asked = new Set<unknown>();
    const fork = answerFrom(onFork);
    await using node = await startJsonRpcServer((call) => {
      const question = JSON.stringify([call.method, call.params[0]]);
      const isNew = !asked.has(question);
      asked.add(question);
      return (isNew ? fork : answerWell)(call);
    });
    const { read, error } = await blocksOf([node]);
    expect(numbersOf(read)).toEqual(upTo(9));
    expect(error).toBeInstanceOf(OrphanedBlockError);
    expect(error).toMatchObject({ message: expect.stringContaining('ETHEREUM block 9, read as') });
  });
});

/** A whole block of a fork that begins with block 8. */
function forked({ header, receipts }: RawBlock, number: number): RawBlock {
  const hash = hashOf(`fork ${number}`);
  return {
    header: { ...header, hash, ...(number > 8 && { parentHash: hashOf(`fork ${number - 1}`) }) },
    receipts: receipts.map((receipt) => ({ ...receipt, blockHash: hash })),
  };
}

test('it ends with the reason of its signal', async () => {
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
