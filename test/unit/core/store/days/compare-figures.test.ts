import { chainOf } from '#core/chains/chains.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { NO_TOTALS, type Totals } from '#core/figures/totals.ts';
import { describeChanges, describeContradiction, isContiguous } from '#core/store/days/compare-figures.ts';
import { blockAt, dayFigures, hashOf, UNKNOWN_MEASURES } from '#test/support/generators/blocks/builders.ts';

const DAY = '2025-11-18';
const figures = (totals: Partial<Totals>, given: Partial<DayFigures> = {}) =>
  dayFigures(DAY, { totals: { ...NO_TOTALS, ...totals }, ...given });

describe('describeChanges', () => {
  test('names each figure that differs, with both values', () => {
    const now = figures({ transactions: 4 }, { first: blockAt(8) });
    expect(describeChanges(figures({ transactions: 3 }), now)).toBe(
      `transaction_count 3 → 4, first_block none → 8 (${hashOf(8).slice(0, 10)}…)`,
    );
    expect(describeChanges(now, now)).toBe('');
  });

  test('finds no difference where one of them lacks a measure, in either order', () => {
    const [known, unknown] = [figures({}), figures({ measures: UNKNOWN_MEASURES })];
    expect([describeChanges(known, unknown), describeChanges(unknown, known)]).toEqual(['', '']);
    const other = figures({ measures: { ...NO_TOTALS.measures, gasUsed: 1n } });
    expect(describeChanges(known, other)).toBe('gas_used 0 → 1');
  });
});

describe('describeContradiction of an archive and a proof', () => {
  const polygon = chainOf('POLYGON');
  const typed = polygon.rules.family === 'polygon' ? polygon.rules.stateSyncTypeFrom : 0;
  const archived = (totals: Partial<Totals>) =>
    figures({ transactions: 6, protocolTransactions: 2, ...totals }, { last: blockAt(typed - 1) });
  const proven = (last: number) =>
    figures({ transactions: 5, protocolTransactions: 1 }, { last: blockAt(last) });

  test('leaves out the transactions of the protocol of Polygon until its state-sync transactions have a type', () => {
    expect(describeContradiction(polygon, archived({}), proven(typed - 1))).toBe('');
    expect(describeContradiction(polygon, archived({ transactions: 7 }), proven(typed - 1))).toBe(
      'transaction_count 7 → 6',
    );
    const since = { ...archived({}), last: blockAt(typed) };
    expect(describeContradiction(polygon, since, proven(typed))).toContain('transaction_count 6 → 5');
  });

  test('compares those of every other chain', () => {
    expect(describeContradiction(chainOf('BSC'), archived({}), proven(typed - 1))).toBe(
      'transaction_count 6 → 5, protocol_transaction_count 2 → 1',
    );
  });
});

describe('isContiguous', () => {
  const dayBefore = figures({}, { last: blockAt(9) });
  const dayWith = (given: Partial<DayFigures>) => figures({}, { parentHash: hashOf(9), ...given });

  test.each([
    ['begins with the next block', dayWith({ first: blockAt(10), last: blockAt(12) }), true],
    ['has no blocks, and the same last one', dayWith({ last: blockAt(9) }), true],
    ['leaves a block out', dayWith({ first: blockAt(11), last: blockAt(12) }), false],
    ['names another parent', dayWith({ parentHash: hashOf(8), first: blockAt(10) }), false],
    ['has no blocks, and another last one', dayWith({ last: blockAt(10) }), false],
  ])('a day that %s', (_, day, isNext) => {
    expect(isContiguous(dayBefore, day)).toBe(isNext);
  });
});
