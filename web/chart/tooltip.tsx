import { formatRounded, toNumber } from '../model/amounts.ts';
import { eventsBetween } from '../model/events.ts';
import { formatFigure } from '../model/figures.ts';
import { chainLabel, partialText } from '../model/labels.ts';
import { lastDayIn, periodLabel, startOf } from '../model/periods.ts';
import { chainsIn, type Line, type Panel } from '../model/plot.ts';
import type { View } from '../model/view.ts';
import type { Geometry } from './geometry.ts';

/** A panel with the index of the date at the cursor. */
export interface CursorProps {
  readonly geometry: Geometry;
  readonly panel: Panel;
  readonly dates: readonly string[];
  readonly cursor: number;
  readonly view: View;
}

/** Shows the figures at the cursor, the highest first. */
export function Tooltip({ geometry, panel, dates, cursor, view }: CursorProps) {
  const date = dates[cursor] ?? '';
  const at = geometry.x(startOf(date));
  const isRight = at < (geometry.left + geometry.right) / 2;
  const style = isRight ? { left: `${at + 14}px` } : { right: `${geometry.width - at + 14}px` };
  const events = view.hasEvents
    ? eventsBetween(chainsIn(panel.lines), date, lastDayIn(date, view.interval))
    : [];
  const lines = panel.lines.toSorted((a, b) => height(b, cursor) - height(a, cursor));
  return (
    <div class="tooltip" style={style} aria-hidden="true">
      <strong>{periodLabel(date, view.interval)}</strong>
      <ul>
        {lines.map((line) => (
          <li key={line.chain} class={`chain-${line.chain}`}>
            <span>{chainLabel(line.chain)}</span>
            <Value line={line} index={cursor} view={view} />
          </li>
        ))}
      </ul>
      {events.map(({ name, effect }) => (
        <p key={name}>
          <b>{name}</b> {effect}
        </p>
      ))}
    </div>
  );
}

const height = ({ amounts }: Line, index: number): number => toNumber(amounts[index] ?? -1n);

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

function Value({ line, index, view }: { readonly line: Line; readonly index: number; readonly view: View }) {
  const amount = line.amounts[index];
  if (amount === undefined)
    return <em>{partialText(view.figure, line.partials?.[index]) ?? 'no final figure'}</em>;
  const average = line.averages?.[index];
  const point = line.points[index];
  const share = (point ?? 0) - (line.floor?.[index] ?? 0);
  return (
    <span class="value">
      {formatFigure(view.figure, amount)}
      {average !== undefined && <small> ⌀ {formatRounded(average)}</small>}
      {view.mode === 'share' && point != null && <small> {percent.format(share)} %</small>}
      {view.mode === 'indexed' && point != null && <small> {percent.format(point)}</small>}
      {line.isRestated[index] && <small> restated</small>}
    </span>
  );
}
