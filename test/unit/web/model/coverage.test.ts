import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import { later } from '#core/figures/calendar.ts';
import { arbitraryShown, daysOf, sourceOf, TODAY } from '#test/support/generators/random/arbitrary-shown.ts';
import { coverageSummary, coverageText } from '#web/model/coverage.ts';
import { type Shown, shownOf } from '#web/model/shown.ts';
import { parseView } from '#web/model/view.ts';

type Fates = Parameters<typeof daysOf>[0];

/** Shows chains from the days of each up to yesterday, the latest first. */
function shownWith(query: string, fates: Readonly<Record<string, Fates>>): Shown {
  const { view } = parseView(`?chains=${Object.keys(fates).join()}&${query}`, TODAY);
  return shownOf(
    view,
    view.chains.map((chain) => sourceOf(chain, daysOf(fates[chain] ?? []), view)),
    TODAY,
  );
}
const WEEK = 'start_date=2026-11-15&end_date=2026-11-21';
const full = Array<'full'>(30).fill('full');
const late = [...Array<'none'>(3).fill('none'), ...full];
const summaryOf = (shown: Shown) => coverageSummary(shown).text;
const textsOf = (shown: Shown) => shown.chains.map((chain) => coverageText(shown, chain));

test('a complete range has no missing day', () => {
  const shown = shownWith(WEEK, { BASE: full });
  expect([coverageSummary(shown), textsOf(shown)]).toEqual([
    { text: 'No day missing', isMissing: false },
    ['complete.'],
  ]);
});

test('days of several chains are counted once, and the chains are named', () => {
  expect(summaryOf(shownWith(WEEK, { ETHEREUM: late, BSC: late, OPTIMISM: late, BASE: late }))).toBe(
    'No day missing, 3 days not final yet on 4 chains',
  );
  expect(summaryOf(shownWith(WEEK, { ETHEREUM: late, BSC: late, BASE: full }))).toBe(
    'No day missing, 3 days not final yet on Ethereum and BSC',
  );
  expect(summaryOf(shownWith(WEEK, { ETHEREUM: late, BASE: ['none', ...full] }))).toBe(
    'No day missing, up to 3 days not final yet on Ethereum and Base',
  );
});

test('tells missing days, days that lack the figure and later ones apart, and lists them', () => {
  const shown = shownWith(`${WEEK}&metric=gas_used`, {
    BASE: ['none', 'full', 'none', 'none', 'bare', ...full],
  });
  expect(coverageSummary(shown)).toEqual({
    text: '2 days missing, 1 day not final yet, 1 day without this figure',
    isMissing: true,
  });
  expect(textsOf(shown)).toEqual([
    'missing: 2026-11-18 to 2026-11-19; not final yet: 2026-11-21; without this figure: 2026-11-17.',
  ]);
});

test('a chain that the service reads only from a day on is named, and the others are not', () => {
  const shown = shownWith(WEEK, { ETHEREUM: full, BASE: full.slice(0, 3) });
  expect(summaryOf(shown)).toBe('No day missing, Base only from 2026-11-19');
  expect(textsOf(shown)).toEqual(['complete.', 'no figure before 2026-11-19.']);
});

test('a range before the chains, and one without a whole period, are named as such', () => {
  expect(summaryOf(shownWith('start_date=2020-01-01&end_date=2020-01-31', { BASE: full }))).toBe(
    'Before these chains began',
  );
  const short = shownWith('start_date=2026-11-17&end_date=2026-11-20&interval=week', { BASE: full });
  expect([summaryOf(short), textsOf(short)]).toEqual([
    'No complete week in this range',
    ['has no complete week in this range.'],
  ]);
});

test('a week that lacks a day is one with missing days', () => {
  const fates = [...full.slice(0, 8), 'none' as const, ...full];
  const shown = shownWith('start_date=2026-11-02&end_date=2026-11-21&interval=week', { BASE: fates });
  expect(coverageSummary(shown)).toEqual({ text: '1 week with missing days', isMissing: true });
});

test('the counts of the badge are those of the cells', () => {
  const reasons = [
    [/(\d+) (day|week|month)s? (missing|with missing days)/, 'missing'],
    [/(\d+) (day|week|month)s? not final yet/, 'pending'],
    [/(\d+) (day|week|month)s? without this figure/, 'lacking'],
  ] as const;
  fc.assert(
    fc.property(arbitraryShown, (shown) => {
      const { text, isMissing } = coverageSummary(shown);
      for (const [pattern, state] of reasons) {
        const counts = shown.chains.map(({ cells }) => cells.filter((cell) => cell.state === state).length);
        expect(Number(pattern.exec(text)?.[1] ?? 0)).toBe(Math.max(0, ...counts));
      }
      expect(isMissing).toBe(
        shown.chains.some(({ cells }) => cells.some(({ state }) => state === 'missing')),
      );
      for (const chain of shown.chains) {
        const { firstFinalDay = '' } = chain;
        const beginsLater = firstFinalDay > later(shown.view.start_date, chainOf(chain.chain).firstDay);
        const isAnyFigure = chain.cells.some(({ state }) => state === 'figure');
        if (beginsLater && isAnyFigure) expect(text).toContain(`only from ${firstFinalDay}`);
        expect(coverageText(shown, chain) === 'complete.').toBe(
          isAnyFigure &&
            !beginsLater &&
            chain.cells.every(({ state }) => ['figure', 'before', 'outside'].includes(state)),
        );
      }
    }),
  );
});
