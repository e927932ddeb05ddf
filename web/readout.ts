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

/** Creates a chart's legend with the exact figures of the day under the cursor, or else of the last visible day. */
export function createReadout(days: readonly Day[], lines: readonly Line[]) {
  const date = element('p', { class: 'date' });
  const figures = lines.map(() => element('span', { class: 'row figure' }));
  const entries = lines.map(({ chain }, index) =>
    element('li', {}, createSwatch(chain), element('span', {}, chainLabel(chain)), figures[index] ?? ''),
  );
  const list = element('ul', {}, ...entries);
  const root = element('div', { class: 'readout', 'aria-atomic': 'true' }, date, list);
  let last = days.length - 1;
  /** Shows the day of an index, or the last visible one. */
  const show = (index = last) => {
    const day = days[index];
    if (!day) return;
    date.textContent = `${weekday.format(new Date(day.date))} ${day.date}`;
    lines.forEach(({ column, average }, line) => {
      figures[line]?.replaceChildren(...figureOf(day.values[column], average?.[index]));
    });
  };
  /** Sets the last visible day, and shows it. */
  const setLast = (index: number) => {
    last = index;
    show();
  };
  show();
  return { root, show, setLast };
}

function figureOf(value: string | undefined, average: number | null = null): readonly Node[] {
  if (value === undefined) return [element('em', {}, 'no final figure')];
  const exact = element('strong', {}, groupThousands(value));
  if (average === null) return [exact];
  return [exact, element('span', { class: 'average' }, `7-day average ≈ ${rounded.format(average)}`)];
}
