import type { ChainName } from '../../core/chains/chains.ts';
import { type Amount, sumAmounts, toNumber } from './amounts.ts';
import { amountIn, type Cell, isGap, type Part, partIn } from './cells.ts';
import { amountOf, isSum, type RowFigure } from './figures.ts';
import type { Running } from './running.ts';
import { type Shown, type ShownChain, stretchesOf } from './shown.ts';
import { weekAverages } from './sums.ts';
import { isStacked } from './view.ts';

/** Points of a line as the nearest floating-point numbers; null is a gap. */
export type Points = readonly (number | null)[];

/** One chain in a panel. All lists have an element for each date of the model. */
export interface Line {
  readonly chain: ChainName;
  readonly cells: readonly Cell[];
  readonly averages?: readonly (Amount | undefined)[];
  readonly points: Points;
  /** Lower edge of a stacked area; a line has none. */
  readonly floor?: Points;
  /** Edges of the band that holds the fees of most transactions, around a typical fee. */
  readonly band?: readonly [low: Points, high: Points];
  /** Drawn faintly behind an average. */
  readonly faint?: Points;
  /** Sums of periods that lack days, which are drawn apart. */
  readonly parts?: readonly (Part | undefined)[];
  /** The running day, which is drawn after the dates. */
  readonly running?: Running & { readonly point: number | null; readonly floor: number };
}

/** Lines that share an axis. */
export interface Panel {
  /** Unit of the axis: a coin, what is counted, or the unit of the mode. */
  readonly unit: string;
  readonly lines: readonly Line[];
}

/** Returns the panels of a view: one for each unit, because different coins share an axis only when indexed. */
export function panelsOf(shown: Shown): readonly Panel[] {
  const { mode } = shown.view;
  if (mode === 'indexed') return [{ unit: 'first common figure = 100', lines: indexed(shown) }];
  return Array.from(
    Map.groupBy(shown.chains, ({ unit }) => unit),
    ([unit, group]) => ({
      unit: mode === 'share' ? `% of ${unit}` : unit,
      lines: isStacked(mode)
        ? stacked(group, shown)
        : group.map((chain) => plain(chain, shown, group.length === 1)),
    }),
  );
}

const toPoint = (amount: Amount | undefined): number | null =>
  amount === undefined ? null : toNumber(amount);

/** A logarithmic scale has no 0. */
const scaled = (points: Points, { view }: Shown): Points =>
  view.isLog ? points.map((point) => point || null) : points;

const averagesOf = ({ cells }: ShownChain, { view }: Shown) =>
  view.hasAverage ? weekAverages(cells.map(amountIn)) : undefined;

/** The figures that a line follows. */
const amountsOf = (chain: ShownChain, shown: Shown): readonly (Amount | undefined)[] =>
  averagesOf(chain, shown) ?? chain.cells.map(amountIn);

const lineOf = (
  chain: ShownChain,
  shown: Shown,
  pointsOf: (amounts: readonly (Amount | undefined)[]) => Points,
): Line => {
  const averages = averagesOf(chain, shown);
  return {
    chain: chain.chain,
    cells: chain.cells,
    points: scaled(pointsOf(averages ?? chain.cells.map(amountIn)), shown),
    ...(averages && { averages, faint: scaled(pointsOf(chain.cells.map(amountIn)), shown) }),
  };
};

function plain(chain: ShownChain, shown: Shown, isAlone: boolean): Line {
  const edge = (of: RowFigure): Points =>
    chain.cells.map((cell) => (cell.state === 'figure' ? toPoint(amountOf(cell.row, of)) : null));
  const parts = drawnParts(chain, shown);
  return {
    ...lineOf(chain, shown, (amounts) => amounts.map(toPoint)),
    // Bands of several chains would hide each other.
    ...(hasBand(shown) && isAlone && { band: [edge('p10_fee'), edge('p90_fee')] }),
    ...(parts && { parts }),
    ...runningIn(chain, shown, 0n),
  };
}

/** @param below sum of the chains below it in a stack */
function runningIn({ running }: ShownChain, shown: Shown, below: Amount): Pick<Line, 'running'> {
  if (!running || shown.runningDay === undefined) return {};
  const [point = null] = scaled([toNumber(below + running.amount)], shown);
  return { running: { ...running, point, floor: toNumber(below) } };
}

export const hasBand = ({ view }: Shown): boolean => !isSum(view.figure) && view.mode === 'lines';

/** Returns the stretches of dates at which a line lacks a figure that it should have, to mark them below the axis. */
export const marksOf = ({ cells, parts }: Pick<Line, 'cells' | 'parts'>) =>
  stretchesOf(cells, (cell, index) => isGap(cell) && parts?.[index] === undefined);

/** Returns the parts of periods that are drawn as dashed bars: where nothing is added up or compared. */
function drawnParts(chain: ShownChain, { form, view }: Shown): readonly (Part | undefined)[] | undefined {
  if (form !== 'bars' || view.mode !== 'lines') return undefined;
  const parts = chain.cells.map(partIn).map((part) => (view.isLog && part?.amount === 0n ? undefined : part));
  return parts.some((part) => part !== undefined) ? parts : undefined;
}

/** Returns the first date on which every chain has a figure that is not 0; -1 if there is none, so that nothing can be compared. */
export function indexBase(shown: Shown): number {
  const columns = shown.chains.map((chain) => amountsOf(chain, shown));
  return shown.dates.findIndex((_, index) => columns.length > 0 && columns.every((column) => column[index]));
}

function indexed(shown: Shown): readonly Line[] {
  const base = indexBase(shown);
  return shown.chains.map((chain) => {
    const hundred = toPoint(amountsOf(chain, shown)[base]);
    return lineOf(chain, shown, (amounts) =>
      amounts
        .map(toPoint)
        .map((point) => (hundred === null || point === null ? null : (100 * point) / hundred)),
    );
  });
}

/** Stacks lines on each other, the first at the bottom. A date on which a chain lacks its figure is empty: its sum is not known. */
function stacked(chains: readonly ShownChain[], shown: Shown): readonly Line[] {
  const columns = chains.map((chain) => amountsOf(chain, shown));
  /** Each chain has a figure, or did not exist yet. */
  const isComplete = (index: number) =>
    columns.some((column) => column[index] !== undefined) &&
    chains.every(
      ({ cells }, order) => columns[order]?.[index] !== undefined || cells[index]?.state === 'before',
    );
  const totals = shown.dates.map((_, index) => sumAmounts(columns.map((column) => column[index] ?? 0n)));
  const edgeOf = (sums: readonly Amount[]): Points =>
    sums.map((sum, index) => {
      if (!isComplete(index)) return null;
      if (shown.view.mode === 'stacked') return toNumber(sum);
      const total = toNumber(totals[index] ?? 0n);
      return total === 0 ? 0 : (100 * toNumber(sum)) / total;
    });
  let sums: readonly Amount[] = shown.dates.map(() => 0n);
  let below = 0n;
  return chains.map((of, order) => {
    const { chain, cells } = of;
    const floor = edgeOf(sums);
    const running = runningIn(of, shown, below);
    below += of.running?.amount ?? 0n;
    sums = sums.map((sum, index) => sum + (columns[order]?.[index] ?? 0n));
    const line = { chain, cells, points: edgeOf(sums), floor, ...running };
    return shown.view.hasAverage ? { ...line, averages: columns[order] ?? [] } : line;
  });
}
