import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import { addDays, countDays, endOfPeriod, type Interval } from '#core/figures/calendar.ts';
import { arbitraryShown, daysOf, sourceOf, TODAY } from '#test/support/generators/random/arbitrary-shown.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { formatExact, groupThousands } from '#web/model/amounts.ts';
import {
  absenceText,
  chartNotes,
  imageNotes,
  missingDayText,
  rankNote,
  readOut,
  runningNote,
  tableNote,
  totalText,
} from '#web/model/captions.ts';
import { amountIn, partIn } from '#web/model/cells.ts';
import { formatFigure } from '#web/model/figures.ts';
import { panelsOf } from '#web/model/panels.ts';
import { periodLabel } from '#web/model/periods.ts';
import { type Shown, shownOf } from '#web/model/shown.ts';
import { parseView } from '#web/model/view.ts';

const sentences = (text: string): readonly string[] =>
  text.match(/[^.]+(\.\d+[^.]*)*\./g)?.map((one) => one.trim()) ?? [];
const linesOf = (shown: Shown) => panelsOf(shown).flatMap(({ lines }) => lines);
const statesOf = (shown: Shown) => shown.chains.flatMap(({ cells }) => cells.map(({ state }) => state));
const evidencesOf = (shown: Shown) =>
  shown.chains.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell.state === 'figure' ? cell.row.evidence : [])),
  );
const isDrawn = (shown: Shown, index: number) => linesOf(shown).every(({ points }) => points[index] !== null);

/** Each sentence with the condition that it states, tested on the cells and the lines rather than on the code that wrote it. */
const claims: readonly (readonly [RegExp, (shown: Shown, match: RegExpExecArray) => boolean])[] = [
  [
    /^(.+) do not exist on (.+)\.$/,
    (shown) => shown.chains.length + shown.without.length === shown.view.chains.length,
  ],
  [
    /^A mark below the axis stands for (\w+?)s without a (complete )?figure, which is not 0(; .* have none)?\.$/,
    (shown, [, unit = '', complete, unmarked]) =>
      unit === shown.view.interval &&
      statesOf(shown).includes('outside') === (unmarked !== undefined) &&
      ['hour', 'day'].includes(unit) === (complete === undefined) &&
      statesOf(shown).some((state) => ['missing', 'pending', 'lacking'].includes(state)),
  ],
  [
    /^A dashed bar is an? (\w+) that lacks days \(missing, not final or after the range\): it adds up the others, and is in no total\.$/,
    (shown) =>
      shown.form === 'bars' &&
      shown.view.mode === 'lines' &&
      linesOf(shown).some(({ cells, parts }) =>
        cells.some(
          (cell, index) => cell.state !== 'figure' && parts?.[index] && parts[index].have < parts[index].of,
        ),
      ),
  ],
  [
    /^No (\w+) that lacks days is drawn\.$/,
    (shown) => linesOf(shown).every(({ parts }) => parts === undefined),
  ],
  [
    /^The stack is empty (?:on|in) ([\d,]+) (\w+?)s?, where a chain has no/,
    (shown, [, count]) =>
      shown.dates.filter((_, index) => !isDrawn(shown, index)).length === Number(count?.replace(',', '')) &&
      Number(count) > 0,
  ],
  [/^Each block is priced by the last price/, ({ view }) => view.figure === 'fees_usd'],
  [/^Whether the price was right/, ({ view }) => view.figure === 'fees_usd'],
  [
    /^The figures of (.+) are 100: it is the first date/,
    (shown, [, label]) => {
      const base = shown.dates.findIndex((date) => periodLabel(date, shown.view.interval) === label);
      const isHundred = (index: number) =>
        linesOf(shown).every(({ points }) => Math.abs((points[index] ?? 0) - 100) < 1e-9);
      const isBefore = (index: number) => index < base && linesOf(shown).every(({ points }) => points[index]);
      return isHundred(base) && ![...shown.dates.keys()].some(isBefore);
    },
  ],
  [
    /^Nothing is drawn, because/,
    (shown) => linesOf(shown).every(({ points }) => points.every((point) => point === null)),
  ],
  [/^Bold: the mean of a day/, (shown) => linesOf(shown).every(({ averages }) => averages !== undefined)],
  [
    /^The scale is logarithmic, so (\w+)s of 0 are left out\.$/,
    (shown) => shown.chains.some(({ cells }) => cells.some((cell) => amountIn(cell) === 0n)),
  ],
  [
    /^Proven from the hash of a finalized block: (\d+) of (\d+) figures?\.$/,
    (shown, [, proven, all]) =>
      evidencesOf(shown).filter((one) => one === 'proven').length === Number(proven) &&
      evidencesOf(shown).length === Number(all),
  ],
  [
    /^Passed consistency checks only: (\d+) figures?\.$/,
    (shown, [, checked]) => evidencesOf(shown).filter((one) => one === 'checked').length === Number(checked),
  ],
  [
    /^From an audited archive: (\d+) figures?\.$/,
    (shown, [, archived]) =>
      evidencesOf(shown).filter((one) => one === 'archived').length === Number(archived),
  ],
  [
    /^The scale is logarithmic\.$/,
    (shown) => shown.chains.every(({ cells }) => cells.every((cell) => amountIn(cell) !== 0n)),
  ],
];

test('every sentence about a chart is true of its model', () => {
  fc.assert(
    fc.property(arbitraryShown, (shown) => {
      for (const sentence of sentences(chartNotes(shown))) {
        const found = claims.find(([pattern]) => pattern.test(sentence));
        const match = found?.[0].exec(sentence);
        expect({ sentence, isKnown: match !== undefined }).toEqual({ sentence, isKnown: true });
        expect({ sentence, isTrue: found && match && found[1](shown, match) }).toEqual({
          sentence,
          isTrue: true,
        });
      }
    }),
    { numRuns: 500 },
  );
});

test('a stack is drawn on a date only if each chain has its figure or did not exist', () => {
  fc.assert(
    fc.property(arbitraryShown, (shown) => {
      const { mode, hasAverage } = shown.view;
      fc.pre((mode === 'stacked' || mode === 'share') && !hasAverage);
      for (const { lines } of panelsOf(shown))
        for (const index of shown.dates.keys()) {
          const states = lines.map(({ cells }) => cells[index]?.state);
          const isWhole = states.every((state) => state === 'figure' || state === 'before');
          expect(lines.map(({ points }) => points[index] !== null)).toEqual(
            lines.map(() => isWhole && states.includes('figure')),
          );
        }
    }),
  );
});

test('the table says that figures are rounded exactly if one of them is', () => {
  fc.assert(
    fc.property(arbitraryShown, (shown) => {
      const amounts = shown.chains.flatMap(({ cells }) =>
        cells.flatMap((cell) => amountIn(cell) ?? partIn(cell)?.amount ?? []),
      );
      const isRounded = amounts.some(
        (amount) => formatFigure(shown.view.figure, amount) !== groupThousands(formatExact(amount)),
      );
      expect(tableNote(shown).includes('rounded')).toBe(isRounded);
      for (const amount of amounts) {
        const digits = formatFigure(shown.view.figure, amount).replace(/[.,]/g, '').replace(/^0+/, '');
        const [whole = ''] = formatExact(amount).split('.');
        if (isRounded)
          expect(
            digits.length <= 5 ||
              digits.length === whole.length ||
              !formatFigure(shown.view.figure, amount).includes('.'),
          ).toBe(true);
      }
    }),
  );
});

test('chains in dollars are ranked by the figure that the note names', () => {
  fc.assert(
    fc.property(arbitraryShown, (shown) => {
      const ranked = shown.chains.flatMap(({ rank, total }) => (rank && total ? [{ ...rank, total }] : []));
      const note = rankNote(shown);
      expect(note === undefined).toBe(ranked.length === 0);
      const named = ranked.map(({ total }) =>
        note?.includes('total') ? total.sum : total.sum / BigInt(total.count),
      );
      expect(named).toEqual(named.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      if (note?.includes('total')) expect(new Set(ranked.map(({ total }) => total.count)).size).toBe(1);
    }),
  );
});

test('a total is named with the days that it adds up, unless they are those of the range', () => {
  fc.assert(
    fc.property(arbitraryShown, (shown) => {
      const { start_date, end_date, interval } = shown.view;
      for (const chain of shown.chains) {
        if (!chain.total) continue;
        const [, count, unit, first = start_date, last = end_date] =
          /^Total of ([\d,]+) (\w+?)s?(?: from (\S+) to (\S+))?$/.exec(totalText(shown, chain)) ?? [];
        const added = shown.dates.filter((_, index) => amountIn(chain.cells[index]) !== undefined);
        const days = added.flatMap((date) =>
          Array.from({ length: countDays(date, endOfPeriod(interval as Interval, date)) }, (_, day) =>
            addDays(date, day),
          ),
        );
        const own = days.filter((day) => day >= chainOf(chain.chain).firstDay);
        expect([Number(count), unit, first, last]).toEqual([added.length, interval, own[0], own.at(-1)]);
      }
    }),
  );
});

const viewOf = (query: string) => parseView(`?chains=BASE&${query}`, TODAY).view;
const days = daysOf(['none', 'full', 'none', 'bare', 'full']);
const shownIn = (query: string) => {
  const view = viewOf(`start_date=2026-11-17&end_date=2026-11-21&${query}`);
  return shownOf(view, [sourceOf('BASE', days, view)], TODAY);
};

test('reads out every chain of a date with its unit, or why it has no figure', () => {
  const shown = shownIn('metric=fees');
  expect(shown.dates.map((_, index) => readOut(shown, linesOf(shown), index))).toEqual([
    'Tue 2026-11-17: Base 1.5 ETH',
    'Wed 2026-11-18: Base 1.5 ETH',
    'Thu 2026-11-19: Base missing',
    'Fri 2026-11-20: Base 1.5 ETH',
    'Sat 2026-11-21: Base not final yet',
  ]);
  const typical = shownOf(
    viewOf('metric=median_fee&start_date=2026-11-20&end_date=2026-11-20'),
    [
      sourceOf(
        'BASE',
        [dayRow('2026-11-20', { median_fee: { from: '0.000213', to: '0.000221' } })],
        viewOf(''),
      ),
    ],
    TODAY,
  );
  expect(readOut(typical, linesOf(typical), 0)).toBe('Fri 2026-11-20: Base 0.000213 to 0.000221 ETH');
});

test('tells a final day that lacks a figure from one that is not final', () => {
  const shown = shownIn('metric=gas_used');
  const [base] = shown.chains;
  if (!base) throw new Error('Base is not shown.');
  expect(shown.dates.map((_, index) => absenceText(shown, base, index))).toEqual([
    '',
    'without this figure',
    'missing',
    '',
    'not final yet',
  ]);
});

test('says of a day without a figure whether it is late, lost, or before the first', () => {
  const status = { chain: 'BASE', first_final_day: '2026-11-01', last_final_day: '2026-11-20' } as const;
  expect(missingDayText('2026-11-21', status)).toMatch(/not final yet: the last final day is 2026-11-20/);
  expect(missingDayText('2026-11-10', status)).toMatch(/is missing, although later days are final/);
  expect(missingDayText('2026-10-31', status)).toMatch(/from 2026-11-01 on/);
  for (const unknown of [undefined, { ...status, last_final_day: null }])
    expect(missingDayText('2026-11-10', unknown)).toMatch(/no final day of this chain yet/);
});

test('says what the running day has so far, with the times and hours of each chain', () => {
  const view = { ...parseView(`?chains=ETHEREUM,BASE,BSC&range=7d`, TODAY).view };
  const sources = view.chains.map((chain, index) => {
    const through = { time: `${TODAY}T02:${10 + index}:00Z` };
    const hours = [{ date: `${TODAY}T00`, fees: '1.8' }];
    const of = chain === 'BSC' ? {} : { through, fees: '2.5', hours };
    const yesterday = chain === 'ETHEREUM' ? [dayRow('2026-11-21T00', { fees: '1.5' })] : [];
    return { ...sourceOf(chain, daysOf(['full']), view), running: { chain, date: TODAY, ...of }, yesterday };
  });
  const shown = shownOf(view, sources, TODAY);
  const note =
    'Hatched: 2026-11-22 so far, 02:10 to 02:12 UTC. It is in no total, average, peak, table or CSV. Ethereum 2.5 ETH, 20% more than yesterday until 01:00; Base 2.5 ETH.';
  expect(runningNote(shown)).toBe(note);
  expect(imageNotes(shown, 'here', new Date(0))).toContain(note);
  expect(readOut(shown, linesOf(shown), shown.dates.length)).toBe(
    'Sun 2026-11-22: Ethereum 2.5 ETH so far, 02:10 UTC, Base 2.5 ETH so far, 02:12 UTC, BSC no final block yet',
  );
  expect(runningNote(shownOf({ ...view, mode: 'share' }, sources, TODAY))).toBeUndefined();
});
