import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { describeScheduled } from '../../core/chains/scheduled-fork.ts';
import { later, type UtcDay } from '../../core/figures/calendar.ts';
import type { StatusOfChain } from '../data/api-client.ts';
import type { DayRow } from '../data/rows.ts';
import { type Amount, formatExact, formatRounded, groupThousands } from './amounts.ts';
import { amountIn, isRestated, partIn } from './cells.ts';
import { absences, countOf, coverageText } from './coverage.ts';
import { figures, formatFigure, isSum, unitOf } from './figures.ts';
import { chainLabel, listLabels } from './labels.ts';
import { isInvented } from './offered.ts';
import { hasBand, indexBase, type Line, marksOf, panelsOf } from './panels.ts';
import { firstDayIn, inDays, lastDayIn, periodLabel } from './periods.ts';
import { changeText, soFarText } from './running.ts';
import { drawnDates, hasFigures, type Shown, type ShownChain } from './shown.ts';
import { isStacked, type View } from './view.ts';

/* Every sentence about a view. Each follows from the model alone, and is left out where the model gives no cause for it. */

export const join = (sentences: readonly (string | false | undefined)[]): string =>
  sentences.filter(Boolean).join(' ');

/** Explains what is drawn: gaps, modes, the scale and the evidence. */
export function chartNotes(shown: Shown): string {
  const { view, without, chains } = shown;
  const lines = panelsOf(shown).flatMap((panel) => panel.lines);
  const isCut = lines.some(({ cells }) => cells.some(({ state }) => state === 'outside'));
  return join([
    without.length > 0 && `${figures[view.figure]} do not exist on ${listLabels(without)}.`,
    lines.some((line) => marksOf(line).length > 0) &&
      `A mark below the axis stands for ${view.interval}s without a ${inDays(view.interval) === 'day' ? '' : 'complete '}figure, which is not 0${isCut ? `; ${view.interval}s that are not over, or are only partly in the range, have none` : ''}.`,
    partNote(shown, lines),
    isStacked(view.mode) && stackNote(shown, lines),
    !isSum(view.figure) &&
      'Of the transactions that paid a fee, half paid at most the typical one, which is known within 4%.',
    hasBand(shown) && chains.length === 1 && 'The band spans the fees of the middle 80% of them.',
    view.figure === 'fees_usd' &&
      'Each block is priced by the last price that a Chainlink feed had recorded on the same chain. Whether the price was right depends on the feed’s operators.',
    view.mode === 'indexed' && indexNote(shown),
    view.hasAverage && 'Bold: the mean of a day and the six before it, where all seven have a figure.',
    view.isLog && logNote(shown),
    evidenceNote(shown),
  ]);
}

/** Says why a day has no figure. That never means 0. */
export function missingDayText(date: UtcDay, status: StatusOfChain | undefined): string {
  const { first_final_day: first, last_final_day: last } = status ?? {};
  if (!first || !last) return 'This service has no final day of this chain yet.';
  if (date < first) return `This service has figures of this chain from ${first} on.`;
  return date > last
    ? `This day is not final yet: the last final day is ${last}.`
    : 'This day is missing, although later days are final: the service has not finished it. That does not mean 0.';
}

/** Says which forks hosts have announced for the chains that are shown. */
export const forkNotes = (chains: readonly ChainName[], statuses: readonly StatusOfChain[]): string =>
  join(
    statuses
      .filter(({ chain }) => chains.includes(chain))
      .flatMap(({ chain, scheduled = [] }) =>
        scheduled.map(
          ({ name, ...fork }) =>
            `${chainLabel(chain)}: ${describeScheduled({ ...fork, name: name ?? undefined })}`,
        ),
      ),
  );

/** Says why nothing can be drawn; undefined where something can, or where it is still loaded. */
export function emptyText(view: View, shown: Shown | undefined, failed: readonly ChainName[]) {
  if (view.chains.length === 0) return 'Select at least one chain.';
  if (view.start_date > view.end_date) return 'The first day is after the last day.';
  if (!shown || hasFigures(shown)) return undefined;
  if (shown.without.length === shown.view.chains.length)
    return `${figures[shown.view.figure]} do not exist on these chains.`;
  // Nothing is known about the figures of a chain that was not loaded.
  if (failed.length > 0) return `${listLabels(failed)} not loaded.`;
  const reasons = shown.chains.map((chain) => `${chainLabel(chain.chain)} ${coverageText(shown, chain)}`);
  return `No figure in this range. ${reasons.join(' ')}`;
}

const article = (unit: string): string => `${unit === 'hour' ? 'an' : 'a'} ${unit}`;

function partNote(shown: Shown, lines: readonly Line[]): string | undefined {
  const { interval } = shown.view;
  if (lines.some(({ parts }) => parts))
    return `A dashed bar is ${article(interval)} that lacks days (missing, not final or after the range): it adds up the others, and is in no total.`;
  const hasParts = shown.chains.some(({ cells }) => cells.some((cell) => partIn(cell)));
  return hasParts ? `No ${interval} that lacks days is drawn.` : undefined;
}

/** Says on how many dates a stack is empty, because a chain has no figure. */
function stackNote({ view, dates }: Shown, lines: readonly Line[]): string | undefined {
  const empty = dates.filter((_, index) => lines.some(({ points }) => points[index] === null)).length;
  if (empty === 0) return undefined;
  const what = view.hasAverage
    ? '7-day average'
    : inDays(view.interval) === 'day'
      ? 'figure'
      : 'whole figure';
  const on = inDays(view.interval) === 'day' && view.interval !== 'hour' ? 'on' : 'in';
  return `The stack is empty ${on} ${countOf(empty, view.interval)}, where a chain has no ${what}: without it, the others would look like the whole.`;
}

function indexNote(shown: Shown): string {
  const date = shown.dates[indexBase(shown)];
  return date === undefined
    ? 'Nothing is drawn, because there is no date on which all chains have a figure above 0.'
    : `The figures of ${periodLabel(date, shown.view.interval)} are 100: it is the first date on which all chains have one.`;
}

function logNote({ chains, view }: Shown): string {
  const hasZero = chains.some(({ cells }) => cells.some((cell) => amountIn(cell) === 0n));
  return `The scale is logarithmic${hasZero ? `, so ${view.interval}s of 0 are left out` : ''}.`;
}

/** Says how many of the figures are proven, and what the others rest on. */
function evidenceNote({ chains }: Shown): string | undefined {
  const rows = chains.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell.state === 'figure' ? [cell.row] : [])),
  );
  const count = (kind: DayRow['evidence']) => rows.filter(({ evidence }) => evidence === kind).length;
  const [checked, archived] = [count('checked'), count('archived')];
  return join([
    rows.length > 0 &&
      `${chains.some(({ chain }) => isInvented(chain)) ? 'Of this sample data, proven' : 'Proven'} from the hash of a finalized block: ${count('proven').toLocaleString('en')} of ${countOf(rows.length, 'figure')}.`,
    checked > 0 && `Passed consistency checks only: ${countOf(checked, 'figure')}.`,
    archived > 0 && `From an audited archive: ${countOf(archived, 'figure')}.`,
  ]);
}

/** Says what the running day has so far, and how its hours compare with those of yesterday; undefined where it is not drawn. */
export function runningNote({ chains, view: { figure }, runningDay }: Shown): string | undefined {
  if (runningDay === undefined) return undefined;
  const texts = chains.flatMap(({ chain, running }) => {
    if (!running) return [];
    const change = running.change ? `, ${changeText(running.change)}` : '';
    return [`${chainLabel(chain)} ${formatFigure(figure, running.amount)} ${unitOf(figure, chain)}${change}`];
  });
  const soFar = soFarText(chains.flatMap(({ running }) => running ?? []));
  return `Hatched: ${runningDay} ${soFar}. It is in no total, average, peak, table or CSV. ${texts.join('; ')}.`;
}

/** Returns the lines below an image: its source and time, gaps and notes. */
export function imageNotes(shown: Shown, source: string, now: Date): string[] {
  const gaps = shown.chains.flatMap((chain) => {
    const text = coverageText(shown, chain);
    return text === 'complete.' ? [] : [`${chainLabel(chain.chain)} ${text}`];
  });
  return [
    `Source: Chain Insights, ${source}, ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    gaps.length === 0 ? 'Every chain is complete.' : gaps.join(' '),
    runningNote(shown) ?? '',
    chartNotes(shown),
  ];
}

/** Says how the figures of the table are rounded, and what a file leaves out of it. */
export function tableNote({ view: { figure, interval }, chains }: Shown): string {
  const cells = chains.flatMap((chain) => chain.cells);
  const amounts = cells.flatMap((cell) => amountIn(cell) ?? partIn(cell)?.amount ?? []);
  const isRounded = amounts.some((amount) => formatRounded(amount) !== groupThousands(formatExact(amount)));
  const rounding = isSum(figure)
    ? ', rounded to five digits, or to whole numbers from 10,000 on.'
    : ' as two bounds, at most 4% apart.';
  return join([
    `${figures[figure]}${isRounded || !isSum(figure) ? `${rounding} Copy and CSV have` : ' with'} every digit.`,
    cells.some(partIn) && `Copy and CSV leave out ${interval}s that lack days.`,
  ]);
}

/** Says why the cards stand in this order; undefined where they are not ranked. */
export function rankNote({ chains, view }: Shown): string | undefined {
  const rank = chains.find((chain) => chain.rank)?.rank;
  if (!rank) return undefined;
  return rank.basis === 'sum'
    ? 'Ranked by the total.'
    : `Ranked by the mean of ${article(view.interval)}, because some chains lack ${view.interval}s that others have.`;
}

/** Says what a total adds up, with its days where they are not all of the range: weeks and months begin and end apart from it. */
export function totalText({ view, dates }: Shown, { chain, cells }: ShownChain): string {
  const known = dates.filter((_, index) => cells[index]?.state === 'figure');
  const first = later(firstDayIn(known[0] ?? ''), chainOf(chain).firstDay);
  const last = lastDayIn(known.at(-1) ?? '', view.interval);
  const days = first > view.start_date || last < view.end_date ? ` from ${first} to ${last}` : '';
  return `Total of ${countOf(known.length, view.interval)}${days}`;
}

/** Says of a cell without a figure why it has none, and what a period has instead. */
export function absenceText(shown: Shown, { cells }: Pick<ShownChain, 'cells'>, index: number): string {
  const cell = cells[index];
  const { figure, interval } = shown.view;
  if (!cell || cell.state === 'figure') return '';
  if (cell.part)
    return `${formatFigure(figure, cell.part.amount)} (${cell.part.have} of ${cell.part.of} days)`;
  if (cell.state === 'missing' && inDays(interval) !== 'day') return `incomplete ${interval}`;
  return cell.state === 'lacking' && figure === 'fees_usd' ? 'no dollars' : absences[cell.state];
}

/** Returns every digit of a figure with its unit: `1.5 ETH`, `1,316 transactions`. */
export const exactText = ({ view: { figure } }: Shown, chain: ChainName, amount: Amount): string =>
  `${groupThousands(formatFigure(figure, amount, formatExact))} ${unitOf(figure, chain)}`;

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** Says what a line shows at a date: its figure with its unit, and its average, share or index; or why it has none. */
export function valueText(shown: Shown, line: Line, index: number): string {
  const { figure, mode } = shown.view;
  const { running } = line;
  const isRunning = index === shown.dates.length;
  if (isRunning && running)
    return `${formatFigure(figure, running.amount)} ${unitOf(figure, line.chain)} ${soFarText([running])}`;
  if (isRunning) return 'no final block yet';
  const cell = line.cells[index];
  if (cell?.state !== 'figure') return absenceText(shown, line, index);
  const [average, point] = [line.averages?.[index], line.points[index] ?? undefined];
  return join([
    `${formatFigure(figure, cell.amount)} ${unitOf(figure, line.chain)}`,
    average !== undefined && `7-day avg. ${formatRounded(average)}`,
    mode === 'share' && point !== undefined && `${percent.format(point - (line.floor?.[index] ?? 0))}%`,
    mode === 'indexed' && point !== undefined && percent.format(point),
    isRestated(cell) && 'restated',
  ]);
}

/** Reads out one date, for screen readers. */
export const readOut = (shown: Shown, lines: readonly Line[], index: number): string =>
  `${periodLabel(drawnDates(shown)[index] ?? '', shown.view.interval)}: ${lines
    .map((line) => `${chainLabel(line.chain)} ${valueText(shown, line, index)}`)
    .join(', ')}`;
