import fc from 'fast-check';
import type { BlockHeader, SeenBlock } from '../../../../lambda/chains/block.ts';
import { findFirstBlock } from '../../../../lambda/ingest/blocks/first-of-day.ts';
import { fetched, noEndpoint } from '../../../../lambda/rpc/retry.ts';
import { hashOf, header } from '../../../support/builders.ts';

const headersAt = (times: readonly number[]): (BlockHeader & SeenBlock)[] =>
  times.map((timestamp, number) => ({
    ...header({ number, timestamp, hash: hashOf(number), parentHash: hashOf(number - 1) }),
    host: `${number}.example`,
  }));

async function search(times: readonly number[], time: number, headers = headersAt(times)) {
  const head = headers.at(-1);
  if (!head) throw new Error('a chain has at least one block');
  const reads: number[] = [];
  const found = await findFirstBlock('ETHEREUM', time, head, async (number, problemOf) => {
    reads.push(number);
    const read = headers[number] ?? head;
    const problem = problemOf(read);
    return problem === undefined ? fetched(read) : noEndpoint(`block ${number}`, [problem]);
  });
  return { found, reads };
}

async function find(times: readonly number[], time: number) {
  const { found, reads } = await search(times, time);
  if (found.kind !== 'found') throw new Error(found.reason);
  return {
    first: found.first.number,
    before: found.before?.number,
    hosts: [found.before?.host, found.first.host],
    reads,
  };
}

test('finds the first block at or after a time, and the one before it', async () => {
  expect(await find([10, 20, 30, 40, 50], 30)).toMatchObject({ first: 2, before: 1 });
  expect(await find([10, 20, 30, 40, 50], 31)).toMatchObject({ first: 3, before: 2 });
});

test('returns both with their hosts, for the cross-check', async () => {
  expect((await find([10, 20, 30, 40, 50], 30)).hosts).toEqual(['1.example', '2.example']);
});

test('finds the first of several blocks with the same timestamp', async () => {
  expect(await find([10, 20, 20, 20, 20, 30], 20)).toMatchObject({ first: 1, before: 0 });
});

test('finds genesis, without a block before, when the chain begins at or after the time', async () => {
  expect(await find([10, 20, 30], 10)).toMatchObject({ first: 0, before: undefined });
  expect(await find([10], 5)).toMatchObject({ first: 0, before: undefined });
});

test('needs about 2 log2(n) reads', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 0, max: 50 }), async (steps, time) => {
      const sorted = steps.toSorted((a, b) => a - b);
      fc.pre((sorted.at(-1) ?? 0) >= time);
      const { first, before, reads } = await find(sorted, time);
      expect(first).toBe(sorted.findIndex((timestamp) => timestamp >= time));
      expect(before ?? -1).toBe(first - 1);
      expect(reads.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(sorted.length + 1)) + 2);
      // Nodes that keep only recent blocks are not asked for much older ones.
      const distance = sorted.length - first;
      expect(Math.min(...reads)).toBeGreaterThanOrEqual(sorted.length - 2 * distance - 2);
    }),
  );
});

describe('when no endpoint has the blocks before a certain one', () => {
  const times = Array.from({ length: 100 }, (_, number) => number * 10);
  const head = headersAt(times)[99] as BlockHeader & SeenBlock;
  const findIn = (firstKept: number, time: number) =>
    findFirstBlock('ETHEREUM', time, head, async (number) =>
      number < firstKept
        ? noEndpoint(`block ${number}`, ['a.example: pruned'], true)
        : fetched(headersAt(times)[number] ?? head),
    );

  test.each([68, 69, 60, 0])('searches the blocks from %s on', async (firstKept) => {
    expect(await findIn(firstKept, 700)).toMatchObject({ first: { number: 70 }, before: { number: 69 } });
  });

  test('a day that begins before them fails with the reason of each endpoint', async () => {
    expect(await findIn(70, 700)).toMatchObject({
      kind: 'no endpoint',
      reason: 'No endpoint gave a valid response for block 69. a.example: pruned',
    });
  });

  test('but the failure is of another kind, the search fails', async () => {
    const broken = noEndpoint('block 98', ['a.example: HTTP status 500']);
    expect(await findFirstBlock('ETHEREUM', 700, head, async () => broken)).toBe(broken);
  });
});

test('disputes two blocks that are not parent and child', async () => {
  const headers = headersAt([10, 20, 30, 40]);
  const forked = headers.map((head) => (head.number === 2 ? { ...head, parentHash: hashOf('fork') } : head));
  expect((await search([10, 20, 30, 40], 30, forked)).found).toEqual({
    kind: 'disputed',
    reason: `ETHEREUM block 2: its parent is ${hashOf('fork')}, but block 1 was read as ${hashOf(1)}`,
  });
});

test.each([
  [
    'after a later block',
    1,
    51,
    'ETHEREUM block 1: its timestamp 51 is not between 0 and 40, those of blocks around it',
  ],
  [
    'before an earlier block',
    2,
    19,
    'ETHEREUM block 2: its timestamp 19 is not between 20 and 40, those of blocks around it',
  ],
])(
  'refuses a header with a timestamp %s, which would mislead the search',
  async (_, number, timestamp, reason) => {
    const times = [10, 20, 30, 40, 50];
    const wrong = headersAt(times).map((head) => (head.number === number ? { ...head, timestamp } : head));
    expect((await search(times, 30, wrong)).found).toMatchObject({ kind: 'no endpoint', reasons: [reason] });
  },
);
