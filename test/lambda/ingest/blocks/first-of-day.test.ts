import fc from 'fast-check';
import type { BlockHeader, SeenBlock } from '../../../lambda/chains/block.ts';
import { BlockError } from '../../../lambda/chains/block-error.ts';
import { findFirstBlock } from '../../../lambda/ingest/first-block.ts';
import { NoEndpointError } from '../../../lambda/rpc/retry.ts';
import { hashOf, header } from '../../support/builders.ts';

const headersAt = (times: readonly number[]): (BlockHeader & SeenBlock)[] =>
  times.map((timestamp, number) => ({
    ...header({ number, timestamp, hash: hashOf(number), parentHash: hashOf(number - 1), transactions: [] }),
    host: `${number}.example`,
  }));

async function find(times: readonly number[], time: number, headers = headersAt(times)) {
  const head = headers.at(-1);
  if (!head) throw new Error('a chain has at least one block');
  const reads: number[] = [];
  const found = await findFirstBlock('ETHEREUM', time, head, async (number, check) => {
    reads.push(number);
    const read = headers[number] ?? head;
    check(read);
    return read;
  });
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
  const findIn = (firstKept: number, time: number) =>
    findFirstBlock('ETHEREUM', time, headersAt(times)[99] ?? never(), async (number) => {
      if (number < firstKept) throw new NoEndpointError(`block ${number}`, ['a.example: pruned'], true);
      return headersAt(times)[number] ?? never();
    });

  test.each([68, 69, 60, 0])('searches the blocks from %s on', async (firstKept) => {
    expect(await findIn(firstKept, 700)).toMatchObject({ first: { number: 70 }, before: { number: 69 } });
  });

  test('a day that begins before them fails with the reason of each endpoint', async () => {
    const reasons = 'no endpoint returned a valid response for block 69. a.example: pruned';
    await expect(findIn(70, 700)).rejects.toThrow(reasons);
  });

  test('but the failure is of another kind, the search fails', async () => {
    const broken = new NoEndpointError('block 98', ['a.example: HTTP status 500']);
    const found = findFirstBlock('ETHEREUM', 700, headersAt(times)[99] ?? never(), () =>
      Promise.reject(broken),
    );
    await expect(found).rejects.toBe(broken);
  });
});

function never(): never {
  throw new Error('there is one');
}

test('refuses two blocks that are not parent and child', async () => {
  const headers = headersAt([10, 20, 30, 40]);
  const forked = headers.map((head) => (head.number === 2 ? { ...head, parentHash: hashOf('fork') } : head));
  await expect(find([10, 20, 30, 40], 30, forked)).rejects.toThrow(
    `ETHEREUM block 2: its parent is ${hashOf('fork')}, but block 1 is ${hashOf(1)}`,
  );
});

test.each([
  [
    'after a later block',
    1,
    51,
    'ETHEREUM block 1: its timestamp 51 is not between 0 and 40, the timestamps of the blocks around it',
  ],
  [
    'before an earlier block',
    2,
    19,
    'ETHEREUM block 2: its timestamp 19 is not between 20 and 40, the timestamps of the blocks around it',
  ],
])(
  'refuses a header with a timestamp %s, which would mislead the search',
  async (_, number, timestamp, message) => {
    const times = [10, 20, 30, 40, 50];
    const wrong = headersAt(times).map((head) => (head.number === number ? { ...head, timestamp } : head));
    const found = find(times, 30, wrong);
    await expect(found).rejects.toThrow(BlockError);
    await expect(found).rejects.toThrow(message);
  },
);
