import { chainOf } from '../../../lambda/chains/chains.ts';
import { openBlockStream } from '../../../lambda/ingest/block-stream.ts';
import { hashOf } from '../../support/builders.ts';
import { turns } from '../../support/clock.ts';
import { type JsonRpcServer, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import { sourceOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const sampleOf = (length: number) => sampleChain(Array.from({ length }, (_, index) => index * 10));
const startNode = (length = 10) => startJsonRpcServer(answerFrom(sampleOf(length)));

/** Returns the start after a block of the sample chain. */
const after = (number: number) => ({
  block: { number, hash: hashOf(`sample ${number}`) },
  notBefore: number * 10,
});

const openAfter = async (node: JsonRpcServer, number: number) =>
  openBlockStream(await sourceOf(ethereum, [node]), after(number));

test('peek returns the same block until it is taken', async () => {
  await using node = await startNode();
  const stream = await openAfter(node, 4);
  expect((await stream.peek())?.number).toBe(5);
  expect((await stream.peek())?.number).toBe(5);
  stream.take();
  expect((await stream.peek())?.number).toBe(6);
});

test('blocks come in order, and peek returns undefined after the head', async () => {
  await using node = await startNode();
  const stream = await openAfter(node, 4);
  const numbers: number[] = [];
  for (let block = await stream.peek(); block; block = await stream.peek()) {
    numbers.push(block.number);
    stream.take();
  }
  expect(numbers).toEqual([5, 6, 7, 8, 9]);
  expect(await stream.peek()).toBeUndefined();
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
  expect((await stream.peek())?.number).toBe(0);
  stream.take();
  expect(stream.isAt({ notBefore: 0 })).toBe(false);
});

test('close stops the stream and reading ahead', async () => {
  await using node = await startNode(300);
  const stream = await openAfter(node, 4);
  await stream.peek();
  await stream.close();
  stream.take();
  expect(await stream.peek()).toBeUndefined();
  await turns(500);
  const before = node.calls.length;
  await turns(500);
  expect(node.calls).toHaveLength(before);
  expect(before).toBeLessThan(200);
});
