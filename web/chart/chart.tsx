import { area, line } from 'd3-shape';
import { toNumber } from '../model/amounts.ts';
import { eventsBetween } from '../model/events.ts';
import { chainLabel } from '../model/labels.ts';
import type { Line, Panel, Points } from '../model/panels.ts';
import { firstDayIn, startOf } from '../model/periods.ts';
import type { Shown } from '../model/shown.ts';
import { gapMarks } from './gap-marks.ts';
import { barWidth, type Geometry, isolatedIndexes, MARK, spreadLabels } from './geometry.ts';

interface Props {
  readonly geometry: Geometry;
  readonly panel: Panel;
  readonly shown: Shown;
}

/** Above this number of dates, lines are thinner. */
const MANY = 90;

/** Draws everything in a panel that does not follow the pointer. */
export function Chart({ geometry, panel: { lines }, shown }: Props) {
  const { dates, view, form } = shown;
  const bars = form === 'bars' ? barWidth(geometry, view.interval) : 0;
  const chosen = dates.find((date) => firstDayIn(date) === view.day?.date);
  return (
    <>
      <Grid geometry={geometry} />
      {view.hasEvents && <Events {...{ geometry, lines, dates }} />}
      {lines.map((each, order) =>
        form === 'lines' ? (
          <ChainLine key={each.chain} line={each} {...{ geometry, shown }} />
        ) : (
          <Bars key={each.chain} line={each} {...{ geometry, dates }} slot={slotOf(bars, lines, order)} />
        ),
      )}
      {gapMarks(geometry, lines, dates, view.interval).map(({ chain, first, x, y, width }) => (
        <g class={`chain-${chain}`} key={`${chain} ${first}`}>
          <rect class="gap" x={x} y={y} width={width} height={MARK.height}>
            <title>{`${chainLabel(chain)}: no final figure`}</title>
          </rect>
        </g>
      ))}
      <LineNames geometry={geometry} lines={lines} />
      {chosen && view.day && lines.some(({ chain }) => chain === view.day?.chain) && (
        <line class={`chosen chain-${view.day.chain}`} {...verticalAt(geometry, chosen)} />
      )}
    </>
  );
}

function verticalAt({ x, top, bottom }: Geometry, date: string) {
  const at = x(startOf(date));
  return { x1: at, x2: at, y1: top, y2: bottom };
}

function Grid({ geometry }: { readonly geometry: Geometry }) {
  const { left, right, top, bottom, x, y, timeTicks, valueTicks } = geometry;
  return (
    <>
      {valueTicks.map(({ value, label }) => (
        <g key={value}>
          <line class="grid" x1={left} x2={right} y1={y(value)} y2={y(value)} />
          <text class="tick" x={left - 8} y={y(value) + 4} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      {timeTicks.map(({ seconds, label }) => (
        <g key={seconds}>
          <line class="grid" x1={x(seconds)} x2={x(seconds)} y1={top} y2={bottom} />
          <text class="tick" x={x(seconds)} y={geometry.height - 6} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
    </>
  );
}

interface LineProps extends Pick<Props, 'geometry' | 'shown'> {
  readonly line: Line;
}

function ChainLine({ line: drawn, geometry: { x, y }, shown: { dates, view } }: LineProps) {
  const { chain, cells, points, floor, band, faint } = drawn;
  const at = (index: number) => x(startOf(dates[index] ?? ''));
  const dayAt = (index: number) => firstDayIn(dates[index] ?? '');
  const pathOf = (of: Points) =>
    line<number | null>(
      (_, index) => at(index),
      (point) => y(point ?? 0),
    ).defined((point) => point !== null)(of) ?? '';
  const dots = (indexes: readonly number[], name: string, radius: number) =>
    indexes.map((index) => (
      <circle key={index} class={name} cx={at(index)} cy={y(points[index] ?? 0)} r={radius} />
    ));
  const restated = [...cells.keys()].filter((index) => {
    const cell = cells[index];
    // One ring for all hours of a day.
    return (
      cell?.state === 'figure' &&
      cell.row.revision > 1 &&
      points[index] != null &&
      dayAt(index) !== dayAt(index - 1)
    );
  });
  const width = faint ? 2.5 : dates.length > MANY ? 1.4 : 2;
  return (
    <g class={`series chain-${chain}`}>
      {band && <path class="area band" d={areaOf(band[1], band[0], at, y)} />}
      {/* The outline of a stacked area would cover the areas below it wherever the stack is empty. */}
      {floor && <path class="area" data-chain={chain} d={areaOf(points, floor, at, y)} />}
      {faint && <path class="line faint" d={pathOf(faint)} stroke-width={1} />}
      {!floor && <path class="line" data-chain={chain} d={pathOf(points)} stroke-width={width} />}
      {dots(isolatedIndexes(points), 'dot', 2.5)}
      {view.hasEvents && dots(restated, 'restated', 4)}
    </g>
  );
}

/** The place of a chain's bars: from the middle of a period, in CSS pixels. */
interface Slot {
  readonly from: number;
  readonly width: number;
}

/** Bars stand beside each other, or on each other where they are stacked. */
function slotOf(width: number, lines: readonly Line[], order: number): Slot {
  const own = lines[order]?.floor ? width : width / lines.length;
  return { from: lines[order]?.floor ? -width / 2 : order * own - width / 2, width: own };
}

interface BarsProps {
  readonly geometry: Geometry;
  readonly line: Line;
  readonly dates: readonly string[];
  readonly slot: Slot;
}

/** Draws a bar for each period, and a dashed one for what a period has that lacks days. */
function Bars({
  line: { chain, points, floor, parts = [] },
  geometry: { x, y, bottom },
  dates,
  slot,
}: BarsProps) {
  const bar = (index: number, top: number, base: number, name: string) => (
    <rect
      key={`${dates[index]} ${name}`}
      class={name}
      x={x(startOf(dates[index] ?? '')) + slot.from}
      y={top}
      width={slot.width}
      height={Math.max(0, base - top)}
    />
  );
  return (
    <g class={`series chain-${chain}`}>
      {parts.map((part, index) => part && bar(index, y(toNumber(part.amount)), bottom, 'column partial'))}
      {points.map((point, index) =>
        point === null ? null : bar(index, y(point), floor ? y(floor[index] ?? 0) : bottom, 'column'),
      )}
    </g>
  );
}

const areaOf = (points: Points, floor: Points, at: (index: number) => number, y: Geometry['y']): string =>
  area<number | null>()
    .defined((point) => point !== null)
    .x((_, index) => at(index))
    .y0((_, index) => y(floor[index] ?? 0))
    .y1((point) => y(point ?? 0))(points) ?? '';

/** Writes each chain's name at the end of its line, or in its area. */
function LineNames({ geometry, lines }: { readonly geometry: Geometry; readonly lines: readonly Line[] }) {
  const { right, top, bottom, y } = geometry;
  const ends = lines.map(({ points, floor }) => {
    const index = points.findLastIndex((point) => point !== null);
    const upper = y(points[index] ?? 0);
    return Math.max(top, floor ? (upper + y(floor[index] ?? 0)) / 2 : upper);
  });
  const places = spreadLabels(ends, 14, bottom);
  return (
    <>
      {lines.map(({ chain }, index) => (
        <text key={chain} class={`name chain-${chain}`} x={right + 8} y={(places[index] ?? 0) + 4}>
          {chainLabel(chain)}
        </text>
      ))}
    </>
  );
}

/** Draws a line with its name at each event, where there is room before the next name. */
function Events({ geometry, lines, dates }: Pick<BarsProps, 'geometry' | 'dates'> & Pick<Panel, 'lines'>) {
  const { x, top, bottom, right } = geometry;
  const chains = lines.map(({ chain }) => chain);
  const events = eventsBetween(chains, dates[0] ?? '', dates.at(-1) ?? '');
  let end = Number.NEGATIVE_INFINITY;
  return (
    <g class="events">
      {events.map(({ date, name, chains }) => {
        const at = x(startOf(date));
        const width = name.length * 6.2 + 8;
        const isNamed = at - 3 > end && at + width < right + 40;
        // The list below has those without room for their name.
        if (!isNamed) return null;
        end = at + width;
        return (
          <g key={`${name} ${chains.join()}`}>
            <line x1={at} x2={at} y1={top - 6} y2={bottom} />
            <text x={at + 3} y={top - 8}>
              {name}
            </text>
          </g>
        );
      })}
    </g>
  );
}
