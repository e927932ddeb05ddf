import type { Line } from './chart-data.ts';
import type { Day } from './days.ts';
import { element } from './dom.ts';
import { chainLabel, groupThousands } from './labels.ts';
import { createSwatch } from './swatch.ts';

/** Rounds to six significant digits, but keeps every digit of the integer part. */
const rounded = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 6,
  maximumFractionDigits: 1,
  roundingPriority: 'morePrecision',
});
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

/** A chart's legend with the exact figures of the day under the cursor, or else of the last visible day. */
export interface Readout {
  readonly root: HTMLElement;
  /** Shows the day of an index, or the last visible one. */
  readonly show: (index: number | undefined) => void;
  /** Sets the last visible day, and shows it. */
  readonly setLast: (index: number) => void;
}

export function createReadout(days: readonly Day[], lines: readonly Line[]): Readout {
  const date = element('p', { class: 'date' });
  const figures = new Map(lines.map(({ chain }) => [chain, element('span', { class: 'row figure' })]));
  const entries = lines.map(({ chain }) =>
    element('li', {}, createSwatch(chain), element('span', {}, chainLabel(chain)), figures.get(chain) ?? ''),
  );
  let last = days.length - 1;
  const show = (index = last) => {
    const day = days[index];
    if (!day) return;
    date.textContent = `${weekday.format(new Date(day.date))} ${day.date}`;
    for (const { chain, column, average } of lines) {
      figures.get(chain)?.replaceChildren(...figureOf(day.values[column], average?.[index]));
    }
  };
  const setLast = (index: number) => {
    last = index;
    show();
  };
  show();
  const root = element(
    'div',
    { class: 'readout', 'aria-atomic': 'true' },
    date,
    element('ul', {}, ...entries),
  );
  return { root, show, setLast };
}

function figureOf(value: string | undefined, average: number | null = null): readonly Node[] {
  if (value === undefined) return [element('em', {}, 'no final figure')];
  const exact = element('strong', {}, groupThousands(value));
  if (average === null) return [exact];
  return [exact, element('span', { class: 'average' }, `7-day average ≈ ${rounded.format(average)}`)];
}
