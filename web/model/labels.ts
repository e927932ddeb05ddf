import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { figures } from './figures.ts';
import { isInvented } from './offered.ts';
import type { View } from './view.ts';

/** Formats a chain's name: `INK` is Ink, its title, `WORLD_CHAIN` is World Chain, `BSC` stays an abbreviation. */
export function chainLabel(chain: ChainName): string {
  const { title } = chainOf(chain);
  if (title.toUpperCase() === chain) return title;
  if (chain.length <= 3) return chain;
  return chain
    .toLowerCase()
    .replaceAll(/(^|_)(.)/g, (_, space, first) => (space && ' ') + first.toUpperCase());
}

export const colorOf = (chain: ChainName) => {
  const { light, dark } = chainOf(chain).color;
  return { '--chain': `light-dark(${light}, ${dark})` };
};

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Lists chains: `Ethereum, Base, and Optimism`. */
export const listLabels = (chains: readonly ChainName[]): string => list.format(chains.map(chainLabel));

/** Returns the heading of the charts: `Fees per day, 2026-08-24 to 2026-11-21`. */
export function viewTitle({ figure, interval, start_date, end_date }: View): string {
  const days = start_date === end_date ? start_date : `${start_date} to ${end_date}`;
  return `${figures[figure]} per ${interval}, ${days}`;
}

/** Returns the title of a view with its chains: `Ethereum, Base: Fees per day, 2026-08-24 to 2026-11-21`. */
export const fullTitle = (view: View): string =>
  `${view.chains.map(chainLabel).join(', ') || 'No chain'}: ${viewTitle(view)}`;

/** Returns the title of a page or an image, which says when figures are invented. */
export const markedTitle = (view: View): string =>
  `${view.chains.some(isInvented) ? 'Sample data: ' : ''}${fullTitle(view)}`;

/** Formats a change of 0.051 as `+5.1%`. */
export function formatChange(change: number | undefined): string {
  if (change === undefined) return '–';
  const percent = Math.abs(change * 100);
  const text = percent >= 1_000 ? Math.round(percent).toLocaleString('en') : percent.toFixed(1);
  return `${text === '0.0' ? '±' : change > 0 ? '+' : '−'}${text}%`;
}

/** Returns the name of a download: its view, without the scale. */
export const fileName = ({ figure, interval, chains, start_date, end_date }: View, type: string): string =>
  `${chains.some(isInvented) ? 'sample-' : ''}${['chain-insights', figure, ...(interval === 'day' ? [] : [interval]), ...chains, start_date, end_date].join('_')}.${type}`;
