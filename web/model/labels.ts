import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { type Figure, figures, formatFigure, hasFigure, isSum } from './figures.ts';
import { inDays, periodLabel } from './periods.ts';
import { chainsIn, type Panel } from './plot.ts';
import type { PartialPeriod } from './summary.ts';
import { isStacked, type View } from './view.ts';

/** Formats a chain's name: `ETHEREUM` is Ethereum, `BSC` stays an abbreviation. */
export const chainLabel = (chain: ChainName): string =>
  chain.length <= 3 ? chain : `${chain[0]}${chain.slice(1).toLowerCase()}`;

/** Returns the heading of the charts: `Fees per day, 2026-08-24 to 2026-11-21`. */
export function viewTitle({ figure, interval, start_date, end_date }: View): string {
  const days = start_date === end_date ? start_date : `${start_date} to ${end_date}`;
  return `${figures[figure]} per ${interval}, ${days}`;
}

/** Returns the title of a view with its chains: `Ethereum, Base: Fees per day, 2026-08-24 to 2026-11-21`. */
export const fullTitle = (view: View): string =>
  `${view.chains.map(chainLabel).join(', ') || 'No chain'}: ${viewTitle(view)}`;

/** Returns the description of a panel for screen readers. */
export const panelDescription = ({ unit, lines }: Panel, view: View): string =>
  `${viewTitle(view)}, in ${unit}: ${chainsIn(lines).map(chainLabel).join(', ')}`;

/** Formats a change of 0.051 as `+5.1 %`. */
export function formatChange(change: number | undefined): string {
  if (change === undefined) return '–';
  const percent = Math.abs(change * 100);
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  return `${sign}${percent >= 1_000 ? Math.round(percent).toLocaleString('en') : percent.toFixed(1)}\u00a0%`;
}

/** Formats what a period that lacks days has: `12.3 (28 of 31 days)`. */
export const partialText = (figure: Figure, partial: PartialPeriod | undefined): string | undefined =>
  partial && `${formatFigure(figure, partial.amount)} (${partial.have} of ${partial.of} days)`;

/** Reads out the figures of one date of a panel, for screen readers. */
export function readOut({ lines, unit }: Panel, date: string, index: number, view: View): string {
  const read = lines.map(({ chain, amounts, partials = [] }) => {
    const amount = amounts[index];
    if (amount === undefined)
      return `${chainLabel(chain)} ${partialText(view.figure, partials[index]) ?? 'no final figure'}`;
    const coin = unit === chainOf(chain).coin || unit === 'USD' ? ` ${unit}` : '';
    return `${chainLabel(chain)} ${formatFigure(view.figure, amount)}${coin}`;
  });
  return `${periodLabel(date, view.interval)}: ${read.join(', ')}`;
}

/** Explains gaps, modes and the scale of the charts. */
export function chartNotes({ chains, figure, mode, isLog, hasAverage, interval }: View): string {
  const without = chains.filter((chain) => !hasFigure(chain, figure)).map(chainLabel);
  const notes = [
    without.length > 0 && `${figures[figure]} do not exist on ${without.join(', ')}.`,
    inDays(interval) === 'day' || !isSum(figure)
      ? `A gap is ${interval === 'hour' ? 'an hour' : 'a day'} without a final figure, marked below the axis; it is not 0.`
      : `A dashed bar is a ${interval} that lacks days. It has the sum of the others, and is in no total.`,
    !isSum(figure) &&
      'Half of the transactions paid at most the typical fee, which is known within 4 %. In a chart of one chain, a band spans the middle 80 %.',
    figure === 'fees_usd' &&
      'Each block is priced by the last price that a Chainlink feed had recorded on the same chain. The price is the word of its operators.',
    isStacked(mode) && 'Where a chain has no figure, the others are stacked without it.',
    mode === 'indexed' && 'The first figures that all chains have on the same date are 100.',
    hasAverage && 'Bold: the mean of a day and the six before it, where all seven have a figure.',
    isLog && 'The scale is logarithmic, so days of 0 are left out.',
  ];
  return notes.filter(Boolean).join(' ');
}

/** Returns the name of a download: its view, without the scale. */
export const fileName = ({ figure, interval, chains, start_date, end_date }: View, type: string): string =>
  `${['chain-insights', figure, ...(interval === 'day' ? [] : [interval]), ...chains, start_date, end_date].join('_')}.${type}`;

/** Wraps a text into lines of a number of characters at most. A longer word has a line of its own. */
export function wrapText(text: string, max: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= max)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
