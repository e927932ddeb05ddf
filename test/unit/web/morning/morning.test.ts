import type { ChainName } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import type { FullRow } from '#web/data/rows.ts';
import { parseAmount } from '#web/model/amounts.ts';
import type { ChainSource } from '#web/model/cells.ts';
import { morningRows } from '#web/morning/morning.ts';

const TODAY = '2026-11-22';

const DAYS = 395;

/** The days before today, without those for which nothing is given. */
const chainOfDays = (chain: ChainName, of: (ago: number) => Partial<FullRow> | undefined): ChainSource => {
  const rows = Array.from({ length: DAYS }, (_, index) => DAYS - index).flatMap((ago) => {
    const given = of(ago);
    return given ? [dayRow(addDays(TODAY, -ago), given)] : [];
  });
  const status = { first_final_day: null, last_final_day: rows.at(-1)?.date ?? null };
  return { chain, rows, days: rows, status };
};

const only = (chain: ChainName, of: (ago: number) => Partial<FullRow> | undefined) => {
  const [row] = morningRows([chainOfDays(chain, of)], 'fees', TODAY);
  if (!row) throw new Error('no row');
  return row;
};

test('compares yesterday, 7 and 30 days with as many before, and 30 days with those a year before', () => {
  const row = only('BASE', (ago) => ({ fees: ago === 1 ? '4' : ago <= 30 ? '2' : '1' }));
  expect(row.yesterday).toMatchObject({ mean: parseAmount('4'), have: 1, of: 1, change: 1 });
  expect(row.week).toMatchObject({ have: 7, of: 7, change: expect.closeTo(2 / 14, 5) });
  expect(row.month.change).toBeCloseTo(62 / 30 - 1, 5);
  expect(row.year.change).toBeCloseTo(62 / 30 - 1, 5);
  expect(row.toDate).toMatchObject({ sum: parseAmount('44'), have: 21, of: 21 });
});

test('a missing day is in no mean, and nothing is compared across it', () => {
  const row = only('BASE', (ago) => (ago === 3 ? undefined : { fees: '2' }));
  expect(row.week).toMatchObject({ mean: parseAmount('2'), have: 6, of: 7, change: undefined });
  expect(row.month).toMatchObject({ have: 29, change: undefined });
  expect(row.year.change).toBeUndefined();
  expect(row.toDate).toMatchObject({ have: 20, of: 21 });
  expect(row.line.filter((amount) => amount === undefined)).toHaveLength(1);
});

test('without yesterday there is no mean of yesterday, and never 0', () => {
  const row = only('BASE', (ago) => (ago === 1 ? undefined : { fees: '2' }));
  expect(row.yesterday).toMatchObject({ mean: undefined, have: 0, of: 1, change: undefined });
});

test('ranks chains of one coin, and none across coins', () => {
  const rows = morningRows(
    [
      chainOfDays('BASE', () => ({ fees: '1' })),
      chainOfDays('BSC', () => ({ fees: '9' })),
      chainOfDays('ETHEREUM', () => ({ fees: '5' })),
    ],
    'fees',
    TODAY,
  );
  expect(rows.map(({ chain, unit, place }) => [chain, unit, place])).toEqual([
    ['ETHEREUM', 'ETH', 1],
    ['BASE', 'ETH', 2],
    ['BSC', 'BNB', undefined],
  ]);
});

test('ranks all chains by transactions, and in dollars where each day has them', () => {
  const chains = [
    chainOfDays('BASE', () => ({ fees: '1', fees_usd: '3000', transaction_count: 5 })),
    chainOfDays('BSC', () => ({ fees: '9', fees_usd: '8100', transaction_count: 7 })),
  ];
  const placesOf = (figure: 'fees' | 'transactions' | 'average_fee') =>
    morningRows(chains, figure, TODAY).map(({ chain, unit, place }) => [chain, unit, place]);
  expect(placesOf('transactions')).toEqual([
    ['BSC', 'transactions', 1],
    ['BASE', 'transactions', 2],
  ]);
  expect(placesOf('fees')).toEqual([
    ['BSC', 'USD', 1],
    ['BASE', 'USD', 2],
  ]);
  expect(placesOf('average_fee')[0]).toEqual(['BSC', 'USD', 1]);
});
