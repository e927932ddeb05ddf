import fc from 'fast-check';
import type { ChainName } from '#core/chains/chains.ts';
import { arbitraryShown, daysOf, sourceOf, TODAY } from '#test/support/generators/random/arbitrary-shown.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { formatExact } from '#web/model/amounts.ts';
import { panelsOf } from '#web/model/panels.ts';
import { shownOf } from '#web/model/shown.ts';
import { parseView } from '#web/model/view.ts';

const full = Array<'full'>(40).fill('full');

function panelsWith(query: string, fates: Readonly<Record<string, Parameters<typeof daysOf>[0]>>) {
  const { view } = parseView(`?chains=${Object.keys(fates).join()}&${query}`, TODAY);
  const amounts = [4, 2];
  return panelsOf(
    shownOf(
      view,
      view.chains.map((chain) => sourceOf(chain, daysOf(fates[chain] ?? [], amounts), view)),
      TODAY,
    ),
  );
}
const DAYS = 'start_date=2026-11-18&end_date=2026-11-21';
const COUNTS = `${DAYS}&metric=transaction_count`;

test('different coins have a panel each, and dollars and indexes share one', () => {
  const all = { ETHEREUM: full, BSC: full, BASE: full };
  const unitsOf = (query: string) => panelsWith(`${DAYS}&${query}`, all).map(({ unit }) => unit);
  expect(unitsOf('metric=fees')).toEqual(['ETH', 'BNB']);
  expect(unitsOf('metric=fees_usd')).toEqual(['USD']);
  expect(unitsOf('metric=fees&mode=indexed')).toEqual(['first common figure = 100']);
  expect(unitsOf('metric=fees&mode=share')).toEqual(['% of ETH', '% of BNB']);
});

test('a day without a figure is a gap, never 0', () => {
  const [panel] = panelsWith(COUNTS, { BASE: ['full', 'none', ...full] });
  expect(panel?.lines[0]?.points).toEqual([2, 4, null, 4]);
});

test('chains are stacked on each other, or as shares of 100, and a day that one lacks is empty', () => {
  const late = { ETHEREUM: full, BASE: ['none' as const, ...full] };
  const [stacked] = panelsWith(`${COUNTS}&mode=stacked`, late);
  expect(stacked?.lines.map(({ points, floor }) => [points, floor])).toEqual([
    [
      [2, 4, 2, null],
      [0, 0, 0, null],
    ],
    [
      [4, 8, 4, null],
      [2, 4, 2, null],
    ],
  ]);
  const [share] = panelsWith(`${COUNTS}&mode=share`, late);
  expect(share?.lines.map(({ points }) => points.at(-1))).toEqual([null, null]);
  expect(share?.lines[1]?.points.slice(0, 3)).toEqual([100, 100, 100]);
});

test('a chain that had not begun leaves the stack of the others as it is', () => {
  const query = 'start_date=2023-06-13&end_date=2023-06-16&metric=transaction_count&mode=stacked';
  const { view } = parseView(`?chains=ETHEREUM,BASE&${query}`, TODAY);
  const rows = ['13', '14', '15', '16'].map((day) => dayRow(`2023-06-${day}`, { transaction_count: 5 }));
  const status = { first_final_day: null, last_final_day: '2023-06-16' };
  const source = (chain: 'ETHEREUM' | 'BASE') => ({ chain, rows, days: rows, status });
  const [panel] = panelsOf(shownOf(view, [source('ETHEREUM'), source('BASE')], TODAY));
  expect(panel?.lines[1]?.points).toEqual([5, 5, 10, 10]);
});

test('a 7-day average needs all seven figures, and the figures are faint behind it', () => {
  const [panel] = panelsWith('start_date=2026-11-10&end_date=2026-11-21&metric=transaction_count&average=7', {
    BASE: [...full.slice(0, 9), 'none', ...full],
  });
  const [line] = panel?.lines ?? [];
  // Of seven days, four have 2 transactions and three have 4, or the other way round.
  const averages = line?.averages?.map((one) => one && formatExact(one).slice(0, 4));
  expect(averages).toEqual([...Array(9).fill(undefined), '3.14', '2.85', '3.14']);
  expect(line?.points.filter((point) => point !== null)).toHaveLength(3);
  expect(line?.faint?.filter((point) => point !== null)).toHaveLength(11);
});

test('a logarithmic scale leaves zeros out', () => {
  const { view } = parseView(`?chains=BASE&${COUNTS}&scale=log`, TODAY);
  const days = daysOf(full, [0, 3]);
  const [panel] = panelsOf(shownOf(view, [sourceOf('BASE', days, view)], TODAY));
  expect(panel?.lines[0]?.points).toEqual([3, null, 3, null]);
});

test('weeks that lack days are drawn apart, and only where nothing is added up', () => {
  const fates = { BASE: [...full.slice(0, 8), 'none' as const, ...full] };
  const query = 'start_date=2026-11-02&end_date=2026-11-21&interval=week&metric=transaction_count';
  const partsOf = (mode: string) =>
    panelsWith(`${query}&mode=${mode}`, fates)[0]?.lines[0]?.parts?.map(
      (part) => part && [part.have, part.of],
    );
  expect(partsOf('lines')).toEqual([undefined, [6, 7], [6, 7]]);
  expect(partsOf('stacked')).toBeUndefined();
});

const runningIn = (query: string, counts: Readonly<Partial<Record<ChainName, number>>>) => {
  const { view } = parseView(`?chains=ETHEREUM,BASE&${COUNTS}&${query}`, TODAY);
  const sources = view.chains.map((chain) => {
    const count = counts[chain];
    const through = { time: `${TODAY}T07:37:00Z` };
    const running = { chain, date: TODAY, ...(count !== undefined && { through, transaction_count: count }) };
    return { ...sourceOf(chain, daysOf(full, [4]), view), running };
  });
  return panelsOf(shownOf(view, sources, TODAY))[0]?.lines.map(
    ({ running }) => running && [running.floor, running.point],
  );
};

test('the running day stands beside the dates, and on the chains below it in a stack', () => {
  const both = { ETHEREUM: 3, BASE: 2 };
  expect(runningIn('', both)).toEqual([
    [0, 3],
    [0, 2],
  ]);
  expect(runningIn('mode=stacked', both)).toEqual([
    [0, 3],
    [3, 5],
  ]);
  expect(runningIn('scale=log', { ETHEREUM: 0, BASE: 2 })).toEqual([
    [0, null],
    [0, 2],
  ]);
});

test('the running day is not drawn where a stack lacks a chain, nor as a share or an index', () => {
  expect(runningIn('', { BASE: 2 })).toEqual([undefined, [0, 2]]);
  expect(runningIn('mode=stacked', { BASE: 2 })).toEqual([undefined, undefined]);
  for (const mode of ['share', 'indexed'])
    expect(runningIn(`mode=${mode}`, { ETHEREUM: 3, BASE: 2 })).toEqual([undefined, undefined]);
});

test('shares of a date add up to 100, or to 0 where all figures are 0', () => {
  fc.assert(
    fc.property(arbitraryShown, (shown) => {
      fc.pre(shown.view.mode === 'share');
      for (const { lines } of panelsOf(shown))
        for (const [index, top] of (lines.at(-1)?.points ?? []).entries())
          if (top !== null)
            expect([0, 100]).toContain(Math.round((top - (lines[0]?.floor?.[index] ?? 0)) * 1e6) / 1e6);
    }),
  );
});
