import { dayRow, type PublicDay } from '#core/rows/day-row.ts';
import { comparedCells, comparisonOf, type DayCells } from '#lambda/public/compare-days.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';

const cells = (given: Partial<PublicDay> = {}, changes: DayCells = {}): DayCells => ({
  ...comparedCells(dayRow({ ...withDetails(storedDay()).day, ...given } as PublicDay)),
  ...changes,
});

const equal = { equal: 1, differing: [], only_here: [], only_there: [], not_compared: [] };

test('finds one changed wei, with both sides and both evidences', () => {
  const theirs = cells({ execution_fees: 1_000_000_000_000_000_002n, evidence: 'checked' });
  const { differing, ...rest } = comparisonOf([cells()], [theirs]);
  expect(rest).toMatchObject({ equal: 0, not_compared: [] });
  expect(differing).toEqual([
    {
      date: '2025-11-18',
      parts: {
        fees: { here: '1.000000000000000008', there: '1.000000000000000009' },
        execution_fees: { here: '1.000000000000000001', there: '1.000000000000000002' },
        base_fees: { here: '0.999999999999999996', there: '0.999999999999999997' },
      },
      evidence: { here: 'proven', there: 'checked' },
    },
  ]);
});

test('takes days as equal that two services learned of at other times, from other hosts and with other evidence', () => {
  const theirs = cells({ evidence: 'checked', revision: 2, ingested_at: '2026-01-01T00:00:00.000Z' });
  expect(comparisonOf([cells()], [theirs])).toEqual(equal);
});

test('compares no part of a day of another definition, and names it', () => {
  const theirs = cells({ transaction_count: 8 }, { definition_version: '2', measures_version: '2' });
  expect(comparisonOf([cells()], [theirs])).toEqual({
    ...equal,
    equal: 0,
    not_compared: [{ date: '2025-11-18', version: 'definition_version', here: '1', there: '2' }],
  });
});

test('compares all but the measures and the typical fees where only those follow other definitions', () => {
  const theirs = cells(
    {},
    { measures_version: '', gas_used: '1', distribution_version: '2', p90_fee_to: '9' },
  );
  expect(comparisonOf([cells()], [theirs])).toEqual({
    ...equal,
    not_compared: [
      { date: '2025-11-18', version: 'measures_version', here: '1', there: '' },
      { date: '2025-11-18', version: 'distribution_version', here: '1', there: '2' },
    ],
  });
  const wrong = { ...theirs, last_block_hash: '0x1' };
  expect(Object.keys(comparisonOf([cells()], [wrong]).differing[0]?.parts ?? {})).toEqual([
    'last_block_hash',
  ]);
});

test.each([
  ['', 0],
  ['3.1', 1],
  ['3', 0],
])('with the dollars %j of the other service beside 3, %i days differ', (there, count) => {
  const { differing } = comparisonOf([cells({}, { fees_usd: '3' })], [cells({}, { fees_usd: there })]);
  expect(differing).toHaveLength(count);
});

test('counts a figure that the other service leaves out as a difference', () => {
  const { transaction_count: _, ...theirs } = cells();
  expect(comparisonOf([cells()], [theirs]).differing[0]?.parts).toEqual({
    transaction_count: { here: '9', there: '' },
  });
});

test('lists the days that only one of the services has', () => {
  const on = (...dates: string[]) => dates.map((date) => cells({ date }));
  expect(comparisonOf(on('2025-11-01', '2025-11-02'), on('2025-11-02', '2025-11-03'))).toEqual({
    ...equal,
    only_here: ['2025-11-01'],
    only_there: ['2025-11-03'],
  });
});
