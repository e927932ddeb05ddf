import { toNumber } from '../model/amounts.ts';
import { valueText } from '../model/captions.ts';
import { amountIn } from '../model/cells.ts';
import { eventsBetween } from '../model/events.ts';
import { chainLabel, colorOf } from '../model/labels.ts';
import type { Line } from '../model/panels.ts';
import { lastDayIn, periodLabel, startOf } from '../model/periods.ts';
import { drawnDates } from '../model/shown.ts';
import type { ChartProps } from './chart.tsx';

/** No line breaks within the name of an average. */
const [AVERAGE, UNBROKEN] = ['7-day avg. ', '7\u2011day\u00a0avg.\u00a0'];

export interface CursorProps extends ChartProps {
  readonly cursor: number;
}

/** Shows the figures at the cursor with their unit, the highest first. */
export function Tooltip({ geometry, panel, shown, cursor }: CursorProps) {
  const { interval, hasEvents } = shown.view;
  const date = drawnDates(shown)[cursor] ?? '';
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
              <span>{valueText(shown, line, cursor).replace(AVERAGE, UNBROKEN)}</span>
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
