import fc from 'fast-check';
import { chainNames, chainOf } from '#core/chains/chains.ts';
import { amountBounds } from '#core/figures/amounts.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { formatExact, parseAmount } from '#web/model/amounts.ts';
import { amountOf, type Figure, formatFigure, hasFigure } from '#web/model/figures.ts';

test('a figure that a row lacks is undefined, and 0 is not', () => {
  expect(amountOf(dayRow('2026-11-20'), 'gas_used')).toBeUndefined();
  expect(amountOf(dayRow('2026-11-20'), 'median_fee')).toBeUndefined();
  expect(amountOf(dayRow('2026-11-20', { gas_used: '0', blob_count: 0 }), 'gas_used')).toBe(0n);
  expect(amountOf(dayRow('2026-11-20', { gas_used: '0', blob_count: 0 }), 'blob_count')).toBe(0n);
});

test('gas has every digit of an integer above 2^53', () => {
  const row = dayRow('2026-11-20', { gas_used: '9007199254740993' });
  expect(amountOf(row, 'gas_used')).toBe(parseAmount('9007199254740993'));
});

test('a typical fee has the bounds that the API sent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_300 }), (bucket) => {
      const median_fee = amountBounds(bucket);
      const middle = amountOf(dayRow('2026-11-20', { median_fee }), 'median_fee') ?? 0n;
      expect(formatFigure('median_fee', middle, formatExact)).toBe(`${median_fee.from} to ${median_fee.to}`);
    }),
  );
});

test('a chain has the parts of fees that its family charges', () => {
  const chainsWith = (figure: Figure) => chainNames.filter((chain) => hasFigure(chain, figure));
  const of = (...families: readonly string[]) =>
    chainNames.filter((name) => families.includes(chainOf(name).rules.family));
  expect(chainsWith('l1_data_fees')).toEqual(of('op-stack'));
  expect(chainsWith('operator_fees')).toEqual(of('op-stack'));
  expect(chainsWith('blob_fees')).toEqual(of('ethereum', 'bsc'));
  expect(chainsWith('fees')).toEqual([...chainNames]);
});
