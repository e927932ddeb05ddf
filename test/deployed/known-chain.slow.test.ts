import { formatEther, parseEther } from 'viem';
import { dayProblems } from '#cli/import/validate-rows.ts';
import { addDays } from '#core/figures/calendar.ts';
import { isContiguous } from '#core/store/days/compare-figures.ts';
import { figuresOf } from '#core/store/days/day-item.ts';
import {
  BACKFILL_DAYS,
  expectedRows,
  expectedWeeks,
  falseDay,
  knownChain,
  storedDay,
} from './known-chain.ts';

const TODAY = '2026-11-22';
const chains = () => Promise.all((['ETHEREUM', 'BSC'] as const).map((name) => knownChain(name, TODAY)));

test('the days end two days before today, and follow each other', async () => {
  for (const { days } of await chains()) {
    expect(days.at(-1)).toBe('2026-11-20');
    expect(days.slice(1)).toEqual(days.slice(0, -1).map((day) => addDays(day, 1)));
  }
});

test('the rows have exact decimals of the coin, and some are not zero', async () => {
  for (const chain of await chains()) {
    const { fees, transaction_count } = expectedRows(chain, chain.days);
    expect(transaction_count.some((row) => row.transaction_count > 0)).toBe(true);
    expect(fees.every((row) => /^\d+(\.\d{0,17}[1-9])?$/.test(row.fees))).toBe(true);
    expect(fees.some((row) => row.fees.includes('.'))).toBe(true);
  }
});

test('import accepts the stored days and the false day', async () => {
  for (const chain of await chains()) {
    const stored = chain.days.map((day) => storedDay(chain, day));
    expect(stored.flatMap((day) => dayProblems(day, TODAY))).toEqual([]);
    expect(dayProblems(falseDay(chain, chain.days[1] ?? ''), TODAY)).toEqual([]);
  }
});

test('the false day continues into the next day, but the day before does not continue into it', async () => {
  for (const chain of await chains()) {
    const [before = '', wrong = '', after = ''] = chain.days.slice(BACKFILL_DAYS - 2);
    const figures = (day: string) => figuresOf(storedDay(chain, day));
    const fake = figuresOf(falseDay(chain, wrong));
    expect(isContiguous(fake, figures(after))).toBe(true);
    expect(isContiguous(figures(before), fake)).toBe(false);
    expect(isContiguous(figures(before), figures(wrong))).toBe(true);
  }
});

test('sums up complete ISO weeks only', async () => {
  // Saturday 2026-11-14 to Tuesday 2026-11-24.
  const chain = await knownChain('BSC', '2026-11-26');
  const week = chain.days.slice(2, 9);
  const wei = expectedRows(chain, week).fees.map(({ fees }) => parseEther(fees));
  const sum = formatEther(wei.reduce((total, fees) => total + fees, 0n));
  expect(expectedWeeks(chain, chain.days)).toEqual([{ date: '2026-11-16', fees: sum }]);
  expect(expectedWeeks(chain, chain.days.slice(0, 8))).toEqual([]);
});
