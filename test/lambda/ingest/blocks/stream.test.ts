import { chainOf } from '../../../../lambda/chains/chains.ts';
import { type BlockStream, openBlockStream } from '../../../../lambda/ingest/blocks/stream.ts';
import { hashOf } from '../../../support/builders.ts';
import { turns } from '../../../support/clock.ts';
import { type JsonRpcServer, startJsonRpcServer } from '../../../support/json-rpc-server.ts';
import { answerFrom, refAt, sampleChain } from '../../../support/sample-chain.ts';
import { sourceOf } from '../../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const sampleOf = (length: number) => sampleChain(Array.from({ length }, (_, index) => index * 10));
const blocks = sampleOf(10);
const startNode = (given = blocks) => startJsonRpcServer(answerFrom(given));

/** Returns the start after a block of the sample chain. */
const after = (number: number) => ({
  block: refAt(blocks, number),
  notBefore: number * 10,
});

const openAfter = async (node: JsonRpcServer, number: number) =>
  openBlockStream(await sourceOf(ethereum, [node]), after(number));

/** Returns the number of the next block, or the reason why the stream ended. */
async function peekAt(stream: BlockStream) {
  const next = await stream.peek();
  return next.kind === 'block' ? next.block.number : next.kind;
}

test('peek returns the same block until it is taken', async () => {
  await using node = await startNode();
  const stream = await openAfter(node, 4);
  expect(await peekAt(stream)).toBe(5);
  expect(await peekAt(stream)).toBe(5);
  stream.take();
  expect(await peekAt(stream)).toBe(6);
});

test('blocks come in order, and peek reports the head after the last', async () => {
  await using node = await startNode();
  const stream = await openAfter(node, 4);
  const numbers: number[] = [];
  for (let next = await stream.peek(); next.kind === 'block'; next = await stream.peek()) {
    numbers.push(next.block.number);
    stream.take();
  }
  expect(numbers).toEqual([5, 6, 7, 8, 9]);
  expect(await peekAt(stream)).toBe('head reached');
});

test('isAt follows the last block taken', async () => {
  await using node = await startNode();
  const stream = await openAfter(node, 4);
  expect([4, 5].map((number) => stream.isAt(after(number)))).toEqual([true, false]);
  await stream.peek();
  expect([4, 5].map((number) => stream.isAt(after(number)))).toEqual([true, false]);
  stream.take();
  expect([4, 5].map((number) => stream.isAt(after(number)))).toEqual([false, true]);
});

test('isAt compares hashes', async () => {
  await using node = await startNode();
  const stream = await openAfter(node, 4);
  expect(stream.isAt({ block: { number: 4, hash: hashOf('fork 4') }, notBefore: 40 })).toBe(false);
});

test('a stream can begin with genesis', async () => {
  await using node = await startNode();
  const stream = openBlockStream(await sourceOf(ethereum, [node]), { notBefore: 0 });
  expect(stream.isAt({ notBefore: 0 })).toBe(true);
  expect(await peekAt(stream)).toBe(0);
  stream.take();
  expect(stream.isAt({ notBefore: 0 })).toBe(false);
});

test('close stops the stream and reading ahead', async () => {
  await using node = await startNode(sampleOf(300));
  const stream = await openAfter(node, 4);
  await stream.peek();
  await stream.close();
  expect(await peekAt(stream)).toBe('head reached');
  await turns(500);
  const before = node.calls.length;
  await turns(500);
  expect(node.calls).toHaveLength(before);
  expect(before).toBeLessThan(200);
});
