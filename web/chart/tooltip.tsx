import { formatRounded, toNumber } from '../model/amounts.ts';
import { absenceText } from '../model/captions.ts';
import { amountIn, isRestated } from '../model/cells.ts';
import { eventsBetween } from '../model/events.ts';
import { formatFigure, unitOf } from '../model/figures.ts';
import { chainLabel, colorOf } from '../model/labels.ts';
import type { Line, Panel } from '../model/panels.ts';
import { lastDayIn, periodLabel, startOf } from '../model/periods.ts';
import type { Shown } from '../model/shown.ts';
import type { Geometry } from './geometry.ts';

/** A panel with the index of the date at the cursor. */
export interface CursorProps {
  readonly geometry: Geometry;
  readonly panel: Panel;
  readonly shown: Shown;
  readonly cursor: number;
}

/** Shows the figures at the cursor with their unit, the highest first. */
export function Tooltip({ geometry, panel, shown, cursor }: CursorProps) {
  const { interval, hasEvents } = shown.view;
  const date = shown.dates[cursor] ?? '';
  const at = geometry.x(startOf(date));
  const isRight = at < (geometry.left + geometry.right) / 2;
  const style = isRight ? { left: `${at + 14}px` } : { right: `${geometry.width - at + 14}px` };
  const chains = panel.lines.map(({ chain }) => chain);
  const events = hasEvents ? eventsBetween(chains, date, lastDayIn(date, interval)) : [];
  const height = ({ cells }: Line) => toNumber(amountIn(cells[cursor]) ?? -1n);
  return (
    <div class="tooltip" style={style} aria-hidden="true">
      <strong>{periodLabel(date, interval)}</strong>
      <ul>
        {panel.lines
          .toSorted((a, b) => height(b) - height(a))
          .map((line) => (
            <li key={line.chain} style={colorOf(line.chain)}>
              <span>{chainLabel(line.chain)}</span>
              <Value {...{ line, cursor, shown }} />
            </li>
          ))}
      </ul>
      {events.map(({ name, effect }) => (
        <p key={name} class="muted">
          <b>{name}</b> {effect}
        </p>
      ))}
    </div>
  );
}

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

type ValueProps = Pick<CursorProps, 'shown' | 'cursor'> & { readonly line: Line };

function Value({ line, cursor, shown }: ValueProps) {
  const cell = line.cells[cursor];
  if (cell?.state !== 'figure') return <em>{absenceText(shown, line, cursor)}</em>;
  const { figure, mode } = shown.view;
  const average = line.averages?.[cursor];
  const point = line.points[cursor];
  const share = (point ?? 0) - (line.floor?.[cursor] ?? 0);
  return (
    <span>
      {formatFigure(figure, cell.amount)} <small>{unitOf(figure, line.chain)}</small>
      {average !== undefined && <small> ⌀ {formatRounded(average)}</small>}
      {mode === 'share' && point != null && <small> {percent.format(share)} %</small>}
      {mode === 'indexed' && point != null && <small> {percent.format(point)}</small>}
      {isRestated(cell) && <small> restated</small>}
    </span>
  );
}
