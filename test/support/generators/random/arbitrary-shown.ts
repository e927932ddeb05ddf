import fc from 'fast-check';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { addDays, countDays, endOfPeriod, startOfPeriod } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import type { DayRow } from '#web/data/rows.ts';
import type { ChainSource } from '#web/model/cells.ts';
import { hasFigure } from '#web/model/figures.ts';
import { type Shown, shownOf } from '#web/model/shown.ts';
import { drawableView, modes, parseView, type View } from '#web/model/view.ts';

export const TODAY = '2026-11-22';
const YESTERDAY = '2026-11-21';

/** The fate of a day: final with all figures, checked or archived without the optional ones, or not final. */
type Fate = 'full' | 'bare' | 'archived' | 'none';

/** Days of a chain up to yesterday, the latest first. */
export function daysOf(fates: readonly Fate[], amounts: readonly number[] = [1]): readonly DayRow[] {
  return fates
    .flatMap((fate, ago) => {
      const amount = amounts[ago % amounts.length] ?? 1;
      const figures = { fees: `${amount}.5`, transaction_count: amount, user_transaction_count: amount };
      const optional = { fees_usd: `${amount * 3}.125`, gas_used: String(amount * 21_000) };
      if (fate === 'none') return [];
      const more = fate === 'full' ? optional : { evidence: fate === 'bare' ? ('checked' as const) : fate };
      return [dayRow(addDays(YESTERDAY, -ago), { ...figures, ...more })];
    })
    .toReversed();
}

/** Returns what the API answers for a view: its days, or the periods that have all their days. */
export function sourceOf(
  chain: ChainName,
  days: readonly DayRow[],
  { interval, start_date, end_date }: View,
): ChainSource {
  const own = days.filter(({ date }) => date >= chainOf(chain).firstDay);
  const status = { chain, first_final_day: own[0]?.date ?? null, last_final_day: own.at(-1)?.date ?? null };
  const source = { chain, days: own, status };
  if (interval === 'day' || interval === 'hour')
    return { ...source, rows: own.filter(({ date }) => date >= start_date && date <= end_date) };
  const groups = Map.groupBy(own, ({ date }) => startOfPeriod(interval, date));
  const rows = [...groups].flatMap(([date, group]) => {
    const last = endOfPeriod(interval, date);
    if (date < start_date || last > end_date || group.length < countDays(date, last)) return [];
    const sum = group.reduce((total, row) => total + (row.transaction_count ?? 0), 0);
    const gas = group.reduce((total, row) => total + BigInt(row.gas_used ?? 0), 0n);
    const isFull = group.every((row) => row.gas_used !== undefined);
    return [
      dayRow(date, {
        transaction_count: sum,
        fees: `${sum}.5`,
        ...(isFull && { gas_used: String(gas), fees_usd: `${sum * 3}.125` }),
      }),
    ];
  });
  return { ...source, rows };
}

const chains = ['ETHEREUM', 'BSC', 'BASE', 'POLYGON'] as const;

/** Any view of some chains whose days were lost, bare or late in any pattern. */
export const arbitraryShown: fc.Arbitrary<Shown> = fc
  .record({
    names: fc.subarray([...chains], { minLength: 1 }),
    figure: fc.constantFrom('fees', 'fees_usd', 'transaction_count', 'gas_used', 'l1_data_fees'),
    interval: fc.constantFrom('day', 'week', 'month'),
    mode: fc.constantFrom(...(Object.keys(modes) as (keyof typeof modes)[])),
    length: fc.integer({ min: 1, max: 80 }),
    end: fc.integer({ min: 0, max: 10 }),
    isLog: fc.boolean(),
    hasAverage: fc.boolean(),
    histories: fc.array(
      fc.record({
        fates: fc.array(
          fc.oneof(
            { weight: 8, arbitrary: fc.constant<Fate>('full') },
            fc.constantFrom<Fate>('bare', 'archived', 'none'),
          ),
          { maxLength: 80, size: 'max' },
        ),
        amounts: fc.array(fc.oneof(fc.nat(30), fc.nat(3_000_000)), { minLength: 1, maxLength: 5 }),
      }),
      { minLength: chains.length, maxLength: chains.length },
    ),
  })
  .map(({ names, figure, interval, mode, length, end, isLog, hasAverage, histories }) => {
    const view = drawableView({
      ...parseView('', TODAY).view,
      ...{ chains: names, figure, interval, mode, isLog, hasAverage },
      end_date: addDays(YESTERDAY, -end),
      start_date: addDays(YESTERDAY, -end - length + 1),
    } as View);
    const sources = names
      .filter((name) => hasFigure(name, view.figure))
      .map((name) => {
        const { fates = [], amounts = [] } = histories[chains.indexOf(name)] ?? {};
        return sourceOf(name, daysOf(fates, amounts), view);
      });
    return shownOf(view, sources, TODAY);
  });
