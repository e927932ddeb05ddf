import fc from 'fast-check';
import type { BlockHeader } from '../../../lambda/chains/block.ts';
import { findFirstBlock } from '../../../lambda/ingest/first-block.ts';
import { hashOf, header } from '../../support/builders.ts';

const headersAt = (times: readonly number[]): BlockHeader[] =>
  times.map((timestamp, number) =>
    header({ number, timestamp, hash: hashOf(number), parentHash: hashOf(number - 1), transactions: [] }),
  );

async function find(times: readonly number[], time: number, headers = headersAt(times)) {
  const head = headers.at(-1);
  if (!head) throw new Error('a chain has at least one block');
  const reads: number[] = [];
  const found = await findFirstBlock('ETHEREUM', time, head, async (number) => {
    reads.push(number);
    return headers[number] ?? head;
  });
  return { first: found.first.number, before: found.before?.number, reads };
}

test('the first block at or after the time is found, and the one before it', async () => {
  expect(await find([10, 20, 30, 40, 50], 30)).toMatchObject({ first: 2, before: 1 });
  expect(await find([10, 20, 30, 40, 50], 31)).toMatchObject({ first: 3, before: 2 });
});

test('of blocks that share a second it is the first', async () => {
  expect(await find([10, 20, 20, 20, 20, 30], 20)).toMatchObject({ first: 1, before: 0 });
});

test('it is genesis, with none before, when the chain begins at or after the time', async () => {
  expect(await find([10, 20, 30], 10)).toMatchObject({ first: 0, before: undefined });
  expect(await find([10], 5)).toMatchObject({ first: 0, before: undefined });
});

test('any chain is searched in about as many reads as its length has binary digits', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 0, max: 50 }), async (steps, time) => {
      const sorted = steps.toSorted((a, b) => a - b);
      fc.pre((sorted.at(-1) ?? 0) >= time);
      const { first, before, reads } = await find(sorted, time);
      expect(first).toBe(sorted.findIndex((timestamp) => timestamp >= time));
      expect(before ?? -1).toBe(first - 1);
      expect(reads.length).toBeLessThanOrEqual(Math.ceil(Math.log2(sorted.length + 1)) + 1);
    }),
  );
});

test('two blocks that are not parent and child are refused as a boundary', async () => {
  const headers = headersAt([10, 20, 30, 40]);
  const forked = headers.map((head) => (head.number === 2 ? { ...head, parentHash: hashOf('fork') } : head));
  await expect(find([10, 20, 30, 40], 30, forked)).rejects.toThrow(
    `ETHEREUM block 2: its parent is ${hashOf('fork')}, but block 1 was read as ${hashOf(1)}`,
  );
});
