import type { SummedBlock } from '#core/figures/block.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { noDollars } from '#core/figures/dollars.ts';
import { advance, isAfter, NO_PARENT, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { blockAt, hashOf, header } from '#test/support/generators/blocks/builders.ts';

const DAY = '2026-11-20';
const MIDNIGHT = startOfDay(DAY);

/** A proven block with one transaction, some seconds after midnight. */
const block = (number: number, seconds: number, given: Partial<SummedBlock> = {}): SummedBlock => ({
  ...header({ ...blockAt(number), parentHash: hashOf(number - 1), timestamp: MIDNIGHT + seconds }),
  totals: { ...NO_TOTALS, blocks: 1, transactions: 1 },
  feeBuckets: [7],
  isProven: true,
  host: 'b.example',
  ...given,
});

const withFees = (fees: Partial<typeof NO_TOTALS.fees>) => ({
  totals: { ...NO_TOTALS, blocks: 1, fees: { ...NO_TOTALS.fees, ...fees } },
});

describe('the progress of a day', () => {
  test('begins after the last block of the day before, or with genesis', () => {
    const before = { ...blockAt(9), host: 'a.example' };
    expect(startDayProgress(DAY, before)).toMatchObject({
      parentHash: hashOf(9),
      last: before,
      notBefore: MIDNIGHT,
      hours: Array(24).fill(NO_TOTALS),
      provenBlocks: 0,
    });
    expect(startDayProgress(DAY, undefined)).toMatchObject({ parentHash: NO_PARENT, last: undefined });
  });

  test('ends with the first block at or after the next midnight', () => {
    const begun = startDayProgress(DAY, blockAt(9));
    expect(isAfter(begun, block(10, 86_399))).toBe(false);
    expect(isAfter(begun, block(10, 86_400))).toBe(true);
  });

  test('sums blocks by hour, with their hosts, and keeps the first and the last', () => {
    const blocks = [
      block(10, 0),
      block(11, 3_599, { isProven: false, host: 'a.example' }),
      block(12, 3_600),
      block(13, 86_399),
    ];
    const progress = blocks.reduce(advance, startDayProgress(DAY, blockAt(9)));
    expect(progress).toMatchObject({
      first: blockAt(10),
      last: { ...blockAt(13), host: 'b.example' },
      notBefore: MIDNIGHT + 86_399,
      totals: { blocks: 4, transactions: 4 },
      feeCounts: new Map([[7, 4]]),
      provenBlocks: 3,
      hosts: ['a.example', 'b.example'],
    });
    const byHour = progress.hours.map(({ blocks }) => blocks);
    expect(byHour).toEqual([2, 1, ...Array(21).fill(0), 1]);
  });

  test.each<[string, Partial<SummedBlock>, number | undefined]>([
    ['with fees for blobs', withFees({ blob: 1n }), 11],
    ['with fees for L1 data', withFees({ l1Data: 1n }), 11],
    ['whose receipt states the price', { ...withFees({ blob: 1n }), isPriceStated: true }, undefined],
    ['with other fees', withFees({ execution: 1n, operator: 1n }), 10],
    ['that is not proven', { ...withFees({ blob: 1n }), isProven: false }, 10],
  ])('names the last block whose price no receipt has confirmed: after one %s', (_, given, number) => {
    const before = advance(startDayProgress(DAY, blockAt(9)), block(10, 0, withFees({ blob: 1n })));
    expect(before.priceToCompare).toBe(10);
    expect(advance(before, block(11, 1, given)).priceToCompare).toBe(number);
  });

  test('has no dollars once one of its blocks has none', () => {
    const dollars = noDollars({ aggregator: '0x12', maxAge: 100 });
    const priced = { ...startDayProgress(DAY, blockAt(9)), dollars };
    const whole = advance(priced, block(10, 0, { dollars: { ...dollars, unpriced: 5n } }));
    expect(whole.dollars).toMatchObject({ unpriced: 5n, doubt: undefined });
    const doubtful = [11, 12].map((number) => block(number, 1)).reduce(advance, whole);
    expect(doubtful.dollars?.doubt).toBe('not proven: block 11');
    expect(advance(startDayProgress(DAY, blockAt(9)), block(10, 0)).dollars).toBeUndefined();
  });
});
