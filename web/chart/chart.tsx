import { area } from 'd3-shape';
import { toNumber } from '../model/amounts.ts';
import { isRestated } from '../model/cells.ts';
import { eventsBetween } from '../model/events.ts';
import { chainLabel, colorOf } from '../model/labels.ts';
import type { Line, Panel, Points } from '../model/panels.ts';
import { firstDayIn, startOf } from '../model/periods.ts';
import { soFarText } from '../model/running.ts';
import type { Shown } from '../model/shown.ts';
import { barWidth, type Geometry, gapMarks, isolatedIndexes, MARK, spreadLabels } from './geometry.ts';

/** A panel of what is shown, laid out. */
export interface ChartProps {
  readonly geometry: Geometry;
  readonly panel: Panel;
  readonly shown: Shown;
}

/** Above this number of dates, lines are thinner. */
const MANY = 90;

/** Draws everything in a panel that does not follow the pointer. */
export function Chart(props: ChartProps) {
  const { geometry, panel, shown } = props;
  const { lines } = panel;
  const { dates, view, form } = shown;
  const chosen = dates.find((date) => firstDayIn(date) === view.day?.date);
  return (
    <>
      <Grid geometry={geometry} />
      {view.hasEvents && <Events {...props} />}
      {lines.map((line, order) =>
        form === 'lines' ? (
          <ChainLine key={line.chain} {...{ line, geometry, shown }} />
        ) : (
          <Bars key={line.chain} {...{ line, geometry, shown, order }} count={lines.length} />
        ),
      )}
      {gapMarks(geometry, lines, dates, view.interval).map(({ chain, first, x, y, width }) => (
        <rect
          class="gap"
          style={colorOf(chain)}
          key={`${chain} ${first}`}
          {...{ x, y, width }}
          height={MARK.height}
        />
      ))}
      {geometry.running > 0 && <RunningDay geometry={geometry} lines={lines} />}
      <LineNames geometry={geometry} lines={lines} />
      {chosen && view.day && lines.some(({ chain }) => chain === view.day?.chain) && (
        <line class="chosen" style={colorOf(view.day.chain)} {...verticalAt(geometry, chosen)} />
      )}
    </>
  );
}

export function verticalAt({ x, top, bottom }: Geometry, date: string) {
  const at = x(startOf(date));
  return { x1: at, x2: at, y1: top, y2: bottom };
}

export function Grid({ geometry }: { readonly geometry: Geometry }) {
  const { left, end, top, bottom, x, y, timeTicks, valueTicks } = geometry;
  return (
    <>
      {valueTicks.map(({ value, label }) => (
        <g key={value}>
          <line stroke="var(--grid)" x1={left} x2={end} y1={y(value)} y2={y(value)} />
          <text class="tick" x={left - 8} y={y(value) + 4} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      {timeTicks.map(({ seconds, label }) => (
        <g key={seconds}>
          <line stroke="var(--grid)" x1={x(seconds)} x2={x(seconds)} y1={top} y2={bottom} />
          <text class="tick" x={x(seconds)} y={geometry.height - 6} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
    </>
  );
}

interface LineProps extends Pick<ChartProps, 'geometry' | 'shown'> {
  readonly line: Line;
}

function ChainLine({ line, geometry: { x, y }, shown: { dates, view } }: LineProps) {
  const { chain, cells, points, floor, band, faint } = line;
  const at = (index: number) => x(startOf(dates[index] ?? ''));
  const dayAt = (index: number) => firstDayIn(dates[index] ?? '');
  const shapeOn = (base: Points = []) =>
    area<number | null>()
      .defined((point) => point !== null)
      .x((_, index) => at(index))
      .y0((_, index) => y(base[index] ?? 0))
      .y1((point) => y(point ?? 0));
  const lineTo = (of: Points) => shapeOn().lineY1()(of) ?? '';
  const dots = (indexes: readonly number[], name: string, radius: number) =>
    indexes.map((index) => (
      <circle key={index} class={name} cx={at(index)} cy={y(points[index] ?? 0)} r={radius} />
    ));
  // One ring for all hours of a day.
  const restated = [...cells.entries()].flatMap(([index, cell]) =>
    isRestated(cell) && points[index] != null && dayAt(index) !== dayAt(index - 1) ? [index] : [],
  );
  const width = faint ? 2.5 : dates.length > MANY ? 1.4 : 2;
  return (
    <g style={colorOf(chain)}>
      {band && <path class="area band" opacity={0.2} d={shapeOn(band[0])(band[1]) ?? ''} />}
      {/* The outline of a stacked area would cover the areas below it wherever the stack is empty. */}
      {floor && <path class="area" opacity={0.55} data-chain={chain} d={shapeOn(floor)(points) ?? ''} />}
      {faint && <path class="line" opacity={0.45} d={lineTo(faint)} stroke-width={1} />}
      {!floor && <path class="line" data-chain={chain} d={lineTo(points)} stroke-width={width} />}
      {dots(isolatedIndexes(points), 'dot', 2.5)}
      {view.hasEvents && dots(restated, 'restated', 4)}
    </g>
  );
}

interface BarsProps extends LineProps {
  /** Place of the bars among those beside them, and the number of the latter. */
  readonly order: number;
  readonly count: number;
}

/** Draws a bar for each period, and a dashed one for what a period has that lacks days. */
function Bars({ line, geometry, shown: { dates, view }, order, count }: BarsProps) {
  const { chain, points, floor, parts = [] } = line;
  const { x, y, bottom } = geometry;
  const whole = barWidth(geometry, view.interval);
  // Stacked bars stand on each other.
  const width = floor ? whole : whole / count;
  const bar = (index: number, top: number, base: number, name: string) => (
    <rect
      key={`${dates[index]} ${name}`}
      class={name}
      x={x(startOf(dates[index] ?? '')) + (floor ? 0 : order * width) - whole / 2}
      y={top}
      width={width}
      height={Math.max(0, base - top)}
    />
  );
  return (
    <g style={colorOf(chain)}>
      {parts.map((part, index) => part && bar(index, y(toNumber(part.amount)), bottom, 'column partial'))}
      {points.map((point, index) =>
        point === null ? null : bar(index, y(point), floor ? y(floor[index] ?? 0) : bottom, 'column'),
      )}
    </g>
  );
}

/** Draws a hatched bar for each chain that has figures of the running day, and says until when. */
function RunningDay({ geometry, lines }: { readonly geometry: Geometry; readonly lines: readonly Line[] }) {
  const { y, end, running: all, width } = geometry;
  const counted = lines.flatMap(({ running }) => running ?? []);
  return (
    <>
      {lines.map(({ chain, floor, running }, order) => {
        if (!running || running.point === null) return null;
        const bar = floor ? all : all / lines.length;
        const [top, base] = [y(running.point), running.floor > 0 ? y(running.floor) : geometry.bottom];
        const id = `hatch-${chain}`;
        return (
          <g key={chain} class="running" style={colorOf(chain)} stroke="var(--chain)">
            <pattern {...{ id }} {...HATCH} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line x1={1} x2={1} y2={HATCH.height} stroke-width={2} />
            </pattern>
            <rect
              fill={`url(#${id})`}
              x={end - all + (floor ? 0 : order * bar)}
              y={top}
              width={bar}
              height={Math.max(0, base - top)}
            />
          </g>
        );
      })}
      <text x={width - 2} y={12} text-anchor="end">
        {soFarText(counted)}
      </text>
    </>
  );
}

/** Distance of the strokes, in CSS pixels. */
const HATCH = { width: 4, height: 4 } as const;

/** Writes each chain's name at the end of its line, or in its area. */
function LineNames({ geometry, lines }: { readonly geometry: Geometry; readonly lines: readonly Line[] }) {
  const { end, top, bottom, y } = geometry;
  const ends = lines.map(({ points, floor }) => {
    const index = points.findLastIndex((point) => point !== null);
    const upper = y(points[index] ?? 0);
    return Math.max(top, floor ? (upper + y(floor[index] ?? 0)) / 2 : upper);
  });
  const places = spreadLabels(ends, 14, bottom);
  return (
    <>
      {lines.map(({ chain }, index) => (
        <text key={chain} class="name" style={colorOf(chain)} x={end + 8} y={(places[index] ?? 0) + 4}>
          {chainLabel(chain)}
        </text>
      ))}
    </>
  );
}

/** Draws a line at each event, with its name where there is room before the next one. The list below has all names. */
function Events({ geometry, panel: { lines }, shown: { dates } }: ChartProps) {
  const { x, top, right } = geometry;
  const chains = lines.map(({ chain }) => chain);
  const events = eventsBetween(chains, dates[0] ?? '', dates.at(-1) ?? '');
  let end = Number.NEGATIVE_INFINITY;
  return (
    <g class="events">
      {events.map(({ date, name, chains }) => {
        const at = x(startOf(date));
        const width = name.length * 6.2 + 8;
        const isNamed = at - 3 > end && at + width < right + 40;
        if (isNamed) end = at + width;
        return (
          <g key={`${name} ${chains.join()}`}>
            <line {...verticalAt(geometry, date)} y1={top - 6} stroke="var(--edge)" stroke-dasharray="2 3" />
            {isNamed && (
              <text x={at + 3} y={top - 8}>
                {name}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
