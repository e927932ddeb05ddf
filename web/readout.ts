import { element } from './dom.ts';
import type { Line } from './drawings.ts';
import type { Day } from './figures.ts';
import { swatchOf } from './swatch.ts';
import { grouped, nameOf } from './words.ts';

/** Six digits, and more where a whole number has more. */
const rounded = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 6,
  maximumFractionDigits: 1,
  roundingPriority: 'morePrecision',
});
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

/** The legend of a chart, which tells one day exactly: the one that is pointed at, or else the last that is seen. */
export interface Readout {
  readonly root: HTMLElement;
  /** @param index of the day among those that are drawn */
  readonly tell: (index: number | undefined) => void;
  /** @param index of the last day that is zoomed to */
  readonly endAt: (index: number) => void;
}

export function readoutOf(days: readonly Day[], lines: readonly Line[]): Readout {
  const date = element('p', { class: 'date' });
  const figures = new Map(lines.map(({ chain }) => [chain, element('span', { class: 'figure' })]));
  const entries = lines.map(({ chain }) =>
    element('li', {}, swatchOf(chain), element('span', {}, nameOf(chain)), figures.get(chain) ?? ''),
  );
  let last = days.length - 1;
  const tell = (index = last) => {
    const day = days[index];
    if (!day) return;
    date.textContent = `${weekday.format(new Date(day.date))} ${day.date}`;
    for (const { chain, column, average } of lines) {
      const figure = figureOf(day.values[column], average?.[index]);
      figures.get(chain)?.replaceChildren(...figure);
    }
  };
  const endAt = (index: number) => {
    last = index;
    tell();
  };
  tell();
  return {
    root: element('div', { class: 'readout', 'aria-atomic': 'true' }, date, element('ul', {}, ...entries)),
    tell,
    endAt,
  };
}

function figureOf(value: string | undefined, average: number | null = null): readonly Node[] {
  if (value === undefined) return [element('em', {}, 'no final figure')];
  const exact = element('strong', {}, grouped(value));
  if (average === null) return [exact];
  return [exact, element('span', { class: 'average' }, `7-day average ≈ ${rounded.format(average)}`)];
}
