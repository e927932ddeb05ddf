import { createBlockReader } from '#core/blocks/block-stream.ts';
import type { ChainPosition } from '#core/blocks/link-problems.ts';
import { nodeBlocks } from '#core/blocks/nodes/node-blocks.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { SummedBlock } from '#core/figures/block.ts';
import { turns } from '#test/support/clock.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type RawBlock, sealBlock, withHeader } from '#test/support/generators/blocks/seal.ts';
import { sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { answerFrom, blockAt, refAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at } from '#test/support/generators/chains/sample-days.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { sourceOf } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const LAST = 29;
const sampleOf = (length: number) => sampleChain(Array.from({ length }, (_, number) => number * 10));
const blocks = sampleOf(LAST + 1);
const answerWell = answerFrom(blocks);
const genesis: ChainPosition = { notBefore: 0 };
const end = refAt(blocks, LAST);

const placeAfter = (number: number, hash = refAt(blocks, number).hash): ChainPosition => ({
  block: { number, hash },
  notBefore: number * 10,
});
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, index) => index);
const hashAt = (number: number) => refAt(blocks, number).hash;

/** Collects the blocks and the reason why they end. */
async function blocksOf(nodes: readonly JsonRpcServer[], start = genesis, last = end) {
  const faults: string[] = [];
  const onFault = (_: string, kind: string) => void faults.push(kind);
  // The nodes tell the same final block.
  const stream = nodeBlocks(await sourceOf(ethereum, nodes, { onFault })).blocks(start, last);
  const read: SummedBlock[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return { read, numbers: read.map(({ number }) => number), end: value, faults };
    read.push(value);
  }
}

async function readFrom(answer: Answer, start?: ChainPosition) {
  await using node = await startJsonRpcServer(answer);
  const { numbers, end } = await blocksOf([node], start);
  return { numbers, end };
}

const REACHED = { kind: 'end reached' };
const broken = (reason: string, isContradicted = true) =>
  expect.objectContaining({
    kind: 'no endpoint',
    reason: expect.stringContaining(reason),
    contradictedBy: isContradicted ? [expect.any(String)] : [],
  });

type Change = (block: RawBlock) => RawBlock;

/** Returns other bodies of some blocks, with the right headers for the anchor. */
const withBlocks = (changes: Readonly<Record<number, Change>>) => {
  const badly = answerFrom(blocks.map((block, number) => changes[number]?.(block) ?? block));
  const isVote = ({ method, params }: Call) => method === 'eth_getBlockByNumber' && params[1] === false;
  return (call: Call) => (isVote(call) ? answerWell(call) : badly(call));
};
/** The same block with other header fields and the hash that follows from them. */
const resealed =
  (header: object): Change =>
  (block) =>
    sealBlock(ethereum, withHeader(block, { ...header }));
const orphaned = resealed({ stateRoot: hashOf('orphan') });

test('linked blocks come in order up to the end, whatever the order of the responses', async () => {
  const lateOnes = async (call: Call) => {
    await turns(call.params[0] === '0x2' ? 500 : 0);
    return answerWell(call);
  };
  expect(await readFrom(lateOnes)).toEqual({ numbers: upTo(LAST), end: REACHED });
});

describe('from a single node, the stream breaks', () => {
  const parent = (number: number, parentHash: string, read: string) =>
    `ETHEREUM block ${number}: its parent is ${parentHash}, but block ${number - 1} was read as ${read}`;

  test('at a first block that does not continue the start', async () => {
    expect(await readFrom(answerWell, placeAfter(9, hashOf('fork')))).toEqual({
      numbers: [],
      end: broken(parent(10, hashAt(9), hashOf('fork'))),
    });
  });

  test('at a block older than its parent, or than its day', async () => {
    expect(await readFrom(withBlocks({ 7: resealed({ timestamp: '0x1' }) }))).toEqual({
      numbers: upTo(5),
      end: broken('ETHEREUM block 7: its timestamp 1 is before 60', false),
    });
    const late = { ...placeAfter(9), notBefore: 101 };
    expect((await readFrom(answerWell, late)).end).toEqual(
      broken('ETHEREUM block 10: its timestamp 100 is before 101'),
    );
  });

  test.each<[string, Change, string]>([
    ['is not proven', (block) => ({ ...block, receipts: [] }), '0 receipts of 1 transactions'],
    [
      'has a header that does not hash',
      (block) => withHeader(block, { timestamp: '0xff' }),
      'the header does not hash',
    ],
  ])('without a contradiction at a block that %s', async (_, change, reason) => {
    expect(await readFrom(withBlocks({ 7: change }))).toEqual({
      numbers: upTo(5),
      end: broken(reason, false),
    });
  });
});

describe('reads again from another endpoint', () => {
  test.each<[string, Readonly<Record<number, Change>>]>([
    ['an orphaned block', { 9: orphaned }],
    ['an orphaned first block', { 0: orphaned }],
    ['an orphaned last block', { 29: orphaned }],
    ['several orphaned blocks in a row', { 9: orphaned, 10: orphaned, 11: orphaned }],
    ['a block that names another parent', { 9: resealed({ parentHash: hashOf('fork') }) }],
    ['a block that is older than its parent', { 7: resealed({ timestamp: '0x1' }) }],
  ])('%s', async (_, changes) => {
    await using bad = await startJsonRpcServer(withBlocks(changes));
    await using good = await startJsonRpcServer(answerWell);
    const { read, end } = await blocksOf([bad, good]);
    expect(end).toEqual(REACHED);
    expect(read.map(({ hash }) => hash)).toEqual(blocks.map(({ header }) => header.hash));
    for (const number of Object.keys(changes)) expect(read[Number(number)]?.host).toBe(good.host);
    expect(bad.calls.length + good.calls.length).toBeLessThan(100);
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

  test('and breaks where no endpoint gives blocks that continue each other, which contradicts no block', async () => {
    await using bad = await startJsonRpcServer(withBlocks({ 9: orphaned }));
    await using alsoBad = await startJsonRpcServer(withBlocks({ 9: resealed({ timestamp: '0x1' }) }));
    const { numbers, end } = await blocksOf([bad, alsoBad]);
    expect(numbers).toEqual(upTo(8));
    expect(end).toMatchObject({
      contradictedBy: [],
      reasons: [
        expect.stringContaining(`${bad.host}: ETHEREUM block 10: its parent is`),
        expect.stringContaining(`${alsoBad.host}: ETHEREUM block 9: its timestamp 1 is before 80`),
      ],
    });
    await using silent = await startJsonRpcServer(
      withBlocks({ 10: (block) => ({ ...block, receipts: [] }) }),
    );
    await using other = await startJsonRpcServer(withBlocks({ 10: orphaned }));
    expect((await blocksOf([other, silent])).end).toMatchObject({ contradictedBy: [] });
  });
});

test('a stream is not at a place with another hash or another end', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const reader = createBlockReader(nodeBlocks(await sourceOf(ethereum, [node])));
  const stream = await reader.from(placeAfter(4), end);
  expect(stream.isAt(placeAfter(4), end)).toBe(true);
  expect(stream.isAt(placeAfter(4, hashOf('fork')), end)).toBe(false);
  expect(stream.isAt(placeAfter(4), refAt(blocks, 28))).toBe(false);
  expect(stream.isAt(placeAfter(4), { ...end, hash: hashOf('fork') })).toBe(false);
  expect((await reader.from(genesis, end)).isAt(genesis, end)).toBe(true);
});

test('a stream that has ended is not where its last block was, so that another one is opened there', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const reader = createBlockReader(nodeBlocks(await sourceOf(ethereum, [node])));
  const stream = await reader.from(placeAfter(LAST - 1), end);
  await stream.peek();
  stream.take();
  expect(stream.isAt(placeAfter(LAST), end)).toBe(true);
  expect(await stream.peek()).toEqual(REACHED);
  expect(stream.isAt(placeAfter(LAST), end)).toBe(false);
});

test('createBlockReader continues a stream that stands at the place, and closes one that does not', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const source = await sourceOf(ethereum, [node]);
  const reader = createBlockReader(nodeBlocks(source));
  const first = await reader.from(placeAfter(3), source.anchor);
  await first.peek();
  first.take();
  expect(await reader.from(placeAfter(4), source.anchor)).toBe(first);
  expect(await first.peek()).toMatchObject({ block: { number: 5 } });

  const second = await reader.from(placeAfter(5), source.anchor);
  expect(second).not.toBe(first);
  expect(await first.peek()).toEqual({ kind: 'end reached' });
  expect(await second.peek()).toMatchObject({ block: { number: 6 } });

  await reader[Symbol.asyncDispose]();
  expect(await second.peek()).toEqual({ kind: 'end reached' });
  await createBlockReader(nodeBlocks(source))[Symbol.asyncDispose]();
});

describe('a new schedule of blobs, which no other member of a block shows', () => {
  const { rules } = ethereum;
  if (!('blobSchedule' in rules)) throw new Error('no blobs');
  const NEW = at(0, 50);
  const [last] = rules.blobSchedule.slice(-1);
  const later = { ...last, from: NEW, target: 28, max: 42, updateFraction: 23_369_342 };
  const forked = {
    ...ethereum,
    rules: { ...rules, blobSchedule: [...rules.blobSchedule, later as typeof last & object] },
  };
  const excess = 40 * 11_684_671;
  const header = {
    baseFeePerGas: '0x1',
    withdrawalsRoot: hashOf('withdrawals'),
    blobGasUsed: '0x0',
    excessBlobGas: hex(excess),
  };
  const told = sealedChain(
    forked,
    Array.from({ length: 9 }, (_, number) => ({ header: { ...header, timestamp: hex(at(0, 10 * number)) } })),
  );
  const startAt = (number: number): ChainPosition => ({
    block: refAt(told, number),
    notBefore: Number(blockAt(told, number).header.timestamp),
  });

  test.each([
    ['reads on from genesis', 0, [1, 2, 3]],
    ['begins with the first block of it', 4, []],
  ])('shows in its first block when a run %s, and blames no endpoint', async (_, number, numbers) => {
    await using node = await startJsonRpcServer(answerFrom(told));
    const { faults, ...got } = await blocksOf([node], startAt(number), refAt(told, 8));
    expect(got.numbers).toEqual(numbers);
    expect(got.end).toEqual(broken('ETHEREUM block 5: excessBlobGas', false));
    expect(new Set(faults)).toEqual(new Set(['unknown rule']));
  });
});
