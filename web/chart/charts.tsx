import type { HTMLAttributes } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChainName } from '../../core/chains/chains.ts';
import { readOut } from '../model/captions.ts';
import { chainLabel, colorOf, viewTitle } from '../model/labels.ts';
import { type Line, type Panel, panelsOf } from '../model/panels.ts';
import { type DateRange, rangeOfDates } from '../model/periods.ts';
import { drawnDates, type Shown } from '../model/shown.ts';
import { Chart, verticalAt } from './chart.tsx';
import { chartKeyAction } from './chart-keys.ts';
import { type Geometry, gapMarkAt, gapMarks, geometryOf, type Point } from './geometry.ts';
import { type CursorProps, Tooltip } from './tooltip.tsx';
import { type Between, usePointer } from './use-pointer.ts';

interface Props {
  readonly shown: Shown;
  readonly onSelect: (chain: ChainName, date: string) => void;
  /** Called with a narrower or wider range. */
  readonly onZoom: (range: DateRange) => void;
  readonly onReset: () => void;
}

/** Draws one panel for each unit. They share the cursor and the range. */
export function Charts(props: Props) {
  const { shown } = props;
  const [{ date, isShown }, setCursor] = useState({ date: '', isShown: false });
  const panels = useMemo(() => panelsOf(shown), [shown]);
  const dates = drawnDates(shown);
  const index = dates.indexOf(date);
  const place = index < 0 ? undefined : index;
  return (
    <div class="panels" id="charts">
      {panels.map((panel, order) => (
        <PanelFrame
          key={panel.unit}
          {...props}
          panel={panel}
          id={order === 0 ? 'plot' : undefined}
          isOne={panels.length === 1}
          place={place}
          cursor={isShown ? place : undefined}
          setCursor={(at) => setCursor({ date: dates[at ?? -1] ?? date, isShown: at !== undefined })}
        />
      ))}
    </div>
  );
}

interface PanelProps extends Props {
  readonly panel: Panel;
  readonly id: string | undefined;
  readonly isOne: boolean;
  /** Index of the date that keys move from. It is kept while the cursor is hidden. */
  readonly place: number | undefined;
  readonly cursor: number | undefined;
  readonly setCursor: (index: number | undefined) => void;
}

/** In CSS pixels. */
const heights = { single: 400, several: 260, narrow: 290 } as const;

function PanelFrame(props: PanelProps) {
  const { panel, shown, cursor, isOne } = props;
  const { view } = shown;
  const dates = drawnDates(shown);
  const [frame, width] = useWidth();
  const [selection, setSelection] = useState<Between>();
  const height = isOne ? (width < 560 ? heights.narrow : heights.single) : heights.several;
  const geometry = useMemo(
    () => geometryOf(shown.dates, panel.lines, { width, height }, view),
    [shown, panel, width, height],
  );
  const chart = useMemo(
    () => <Chart {...{ geometry, panel, shown }} />,
    [geometry, panel, view.day, view.hasEvents],
  );
  const pointer = usePointer({
    geometry,
    dates,
    cursor,
    selection,
    onCursor: props.setCursor,
    onSelection: setSelection,
    onZoom: ([first, last]) =>
      props.onZoom(rangeOfDates(dates[first] ?? '', dates[last] ?? '', view.interval)),
    onPick: (index, at) => pick(props, geometry, index, at),
  });
  const current = cursor !== undefined && { geometry, panel, cursor, shown };
  // On a phone, where it stands below, it is always there: otherwise a touch would move the panels below it.
  const isBelow = matchMedia('(width < 600px)').matches;
  const reading = current || (isBelow && { geometry, panel, cursor: shown.dates.length - 1, shown });
  return (
    <figure class="panel" ref={frame} translate={false}>
      <figcaption>{panel.unit}</figcaption>
      <div class="plot" {...sliderOf(props, (event) => onKey(event, props, geometry))} {...pointer}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {chart}
          {current && <CursorLine {...current} />}
          {selection && <rect fill="var(--accent)" opacity={0.18} {...areaBetween(geometry, selection)} />}
        </svg>
      </div>
      {reading && <Tooltip {...reading} />}
    </figure>
  );
}

const areaBetween = ({ top, bottom }: Geometry, [from, to]: Between) => ({
  x: from,
  width: to - from,
  y: top,
  height: bottom - top,
});

/** Returns an element's reference and its current width in CSS pixels. */
export function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}

/** Lets screen readers read out the date at the cursor: a slider says its value when it changes. */
function sliderOf(
  { id, panel: { unit, lines }, shown, place }: PanelProps,
  onKeyDown: (event: KeyboardEvent) => void,
): HTMLAttributes<HTMLDivElement> {
  const count = drawnDates(shown).length;
  const index = place ?? count - 1;
  return {
    id,
    role: 'slider',
    tabIndex: 0,
    onKeyDown,
    'aria-label': `${viewTitle(shown.view)}, in ${unit}: ${lines.map(({ chain }) => chainLabel(chain)).join(', ')}`,
    'aria-valuemin': 1,
    'aria-valuemax': count,
    'aria-valuenow': index + 1,
    'aria-valuetext': readOut(shown, lines, index),
  };
}

function onKey(event: KeyboardEvent, props: PanelProps, geometry: Geometry): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = chartKeyAction(event.key, drawnDates(props.shown).length, props.place);
  if (!action) return;
  event.preventDefault();
  if (action === 'reset') {
    props.setCursor(undefined);
    props.onReset();
  } else if ('cursor' in action) props.setCursor(action.cursor);
  else pick(props, geometry, action.pick);
}

/** Selects a date of the chain whose gap mark or line is nearest to a place; without a place, of the chain that is shown already. */
function pick(
  { panel, shown: { dates, view }, onSelect }: PanelProps,
  geometry: Geometry,
  index: number,
  at?: Point,
): void {
  const mark = at && gapMarkAt(gapMarks(geometry, panel.lines, dates, view.interval), at);
  const chain =
    mark?.chain ??
    chainNear(panel, index, (line) => {
      if (!at) return line.chain === view.day?.chain ? 0 : 1;
      return Math.abs(geometry.y(line.points[index] ?? 0) - at.y);
    });
  const date = dates[mark ? Math.min(Math.max(index, mark.first), mark.last) : index];
  if (date && chain) onSelect(chain, date);
}

/** Returns the chain at the least distance that has a figure at a date, or at the least distance of all if none has. */
function chainNear({ lines }: Panel, index: number, distance: (line: Line) => number): ChainName | undefined {
  const withFigure = lines.filter(({ cells }) => cells[index]?.state === 'figure');
  const [nearest] = (withFigure.length > 0 ? withFigure : lines).toSorted(
    (a, b) => distance(a) - distance(b),
  );
  return nearest?.chain;
}

function CursorLine({ geometry, panel, shown, cursor }: CursorProps) {
  const line = verticalAt(geometry, drawnDates(shown)[cursor] ?? '');
  return (
    <>
      <line stroke="var(--edge)" {...line} />
      {panel.lines.map(({ chain, points }) => {
        const point = points[cursor];
        return point == null ? null : (
          <circle
            key={chain}
            class="dot"
            style={colorOf(chain)}
            cx={line.x1}
            cy={geometry.y(point)}
            r={4}
            stroke="var(--card)"
          />
        );
      })}
    </>
  );
}
