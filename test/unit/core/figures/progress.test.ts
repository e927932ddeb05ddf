import type { SummedBlock } from '#core/figures/block.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { advance, isAfter, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';

const DAY = '2026-11-20';
const MIDNIGHT = startOfDay(DAY);

const summed = (number: number, timestamp: number, host = 'a.example'): SummedBlock => ({
  number,
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp,
  host,
  isProven: true,
  totals: { ...NO_TOTALS, blocks: 1, transactions: number },
  feeBuckets: [number, 700],
});

const start = startDayProgress(DAY, { number: 9, hash: hashOf(9) });

const advanced = (...blocks: SummedBlock[]) => blocks.reduce(advance, start);

test('advance sums blocks and keeps the first and the last, the last with its host', () => {
  const progress = advanced(summed(10, MIDNIGHT), summed(11, MIDNIGHT), summed(12, MIDNIGHT + 86_399));
  expect(progress).toEqual({
    day: DAY,
    parentHash: hashOf(9),
    first: { number: 10, hash: hashOf(10) },
    last: { number: 12, hash: hashOf(12), host: 'a.example' },
    notBefore: MIDNIGHT + 86_399,
    totals: { ...NO_TOTALS, blocks: 3, transactions: 33 },
    hours: Array.from({ length: 24 }, (_, hour) =>
      hour === 0
        ? { ...NO_TOTALS, blocks: 2, transactions: 21 }
        : hour === 23
          ? { ...NO_TOTALS, blocks: 1, transactions: 12 }
          : NO_TOTALS,
    ),
    feeCounts: new Map([
      [10, 1],
      [700, 3],
      [11, 1],
      [12, 1],
    ]),
    provenBlocks: 3,
    hosts: ['a.example'],
  });
});

test('isAfter begins with the next midnight', () => {
  expect(isAfter(start, summed(10, MIDNIGHT + 86_400))).toBe(true);
  expect(isAfter(start, summed(10, MIDNIGHT + 86_399))).toBe(false);
  expect(isAfter(start, summed(10, MIDNIGHT))).toBe(false);
});
