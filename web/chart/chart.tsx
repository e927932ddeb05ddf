import { area, line } from 'd3-shape';
import { toNumber } from '../model/amounts.ts';
import { eventsBetween } from '../model/events.ts';
import { chainLabel } from '../model/labels.ts';
import { firstDayIn, type ShownInterval, startOf } from '../model/periods.ts';
import { chainsIn, type Line, type Panel, type Points } from '../model/plot.ts';
import type { ChosenDay } from '../model/view.ts';
import { gapMarks } from './gap-marks.ts';
import { barWidth, type Geometry, isolatedIndexes, MARK, spreadLabels } from './geometry.ts';
import { formatTickValue } from './ticks.ts';

interface Props {
  readonly geometry: Geometry;
  readonly panel: Panel;
  readonly dates: readonly string[];
  readonly interval: ShownInterval;
  /** True where a figure of a period is the sum of its days. */
  readonly isSum: boolean;
  readonly hasEvents: boolean;
  /** Day that is shown in full. */
  readonly chosen: ChosenDay | undefined;
}

/** Above this number of dates, lines are thinner. */
const MANY = 90;

/** Draws everything in a panel that does not follow the pointer. */
export function Chart({ geometry, panel, dates, interval, isSum, hasEvents, chosen }: Props) {
  const width = dates.length > MANY ? 1.4 : 2;
  const bars = isSum ? barWidth(geometry, interval) : undefined;
  const chosenDate = chosen && dates.find((date) => firstDayIn(date) === chosen.date);
  return (
    <>
      <Grid geometry={geometry} />
      {hasEvents && <Events {...{ geometry, panel, dates }} />}
      {panel.lines.map((each, order) =>
        bars === undefined ? (
          <ChainLine key={each.chain} line={each} {...{ geometry, dates, width, hasEvents }} />
        ) : (
          <Bars
            key={each.chain}
            line={each}
            {...{ geometry, dates }}
            slot={slotOf(bars, panel.lines, order)}
          />
        ),
      )}
      {gapMarks(geometry, panel.lines, dates, interval).map(({ chain, first, x, y, width }) => (
        <g class={`chain-${chain}`} key={`${chain} ${first}`}>
          <rect class="gap" x={x} y={y} width={width} height={MARK.height}>
            <title>{`${chainLabel(chain)}: no final figure`}</title>
          </rect>
        </g>
      ))}
      <LineNames geometry={geometry} lines={panel.lines} />
      {chosenDate && chainsIn(panel.lines).includes(chosen.chain) && (
        <line class={`chosen chain-${chosen.chain}`} {...verticalAt(geometry, chosenDate)} />
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
      {valueTicks.map((value) => (
        <g key={value}>
          <line class="grid" x1={left} x2={right} y1={y(value)} y2={y(value)} />
          <text class="tick" x={left - 8} y={y(value) + 4} text-anchor="end">
            {formatTickValue(value)}
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

interface LineProps extends Pick<Props, 'geometry' | 'dates' | 'hasEvents'> {
  readonly line: Line;
  readonly width: number;
}

function ChainLine({ line: drawn, geometry: { x, y }, dates, hasEvents, width }: LineProps) {
  const { chain, points, floor, band, faint, isRestated } = drawn;
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
  const restated = [...isRestated.keys()].filter(
    // One ring for all hours of a day.
    (index) => isRestated[index] && points[index] != null && dayAt(index) !== dayAt(index - 1),
  );
  return (
    <g class={`series chain-${chain}`}>
      {band && <path class="area band" d={areaOf(band[1], band[0], at, y)} />}
      {floor && <path class="area" d={areaOf(points, floor, at, y)} />}
      {faint && <path class="line faint" d={pathOf(faint)} stroke-width={1} />}
      <path class="line" data-chain={chain} d={pathOf(points)} stroke-width={faint ? 2.5 : width} />
      {dots(isolatedIndexes(points), 'dot', 2.5)}
      {hasEvents && dots(restated, 'restated', 4)}
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

interface BarsProps extends Pick<LineProps, 'geometry' | 'dates' | 'line'> {
  readonly slot: Slot;
}

/** Draws a bar for each period, since a sum is of all its days and not of its first. */
function Bars({ line, geometry: { x, y, bottom }, dates, slot }: BarsProps) {
  const { chain, points, floor, partials = [] } = line;
  return (
    <g class={`series chain-${chain}`}>
      {!floor &&
        partials.map((partial, index) => {
          if (!partial) return null;
          const top = y(toNumber(partial.amount));
          const at = x(startOf(dates[index] ?? '')) + slot.from;
          const height = Math.max(0, bottom - top);
          return (
            <rect
              key={partial.date}
              class="column partial"
              x={at}
              y={top}
              width={slot.width}
              height={height}
            />
          );
        })}
      {points.map((point, index) => {
        if (point === null) return null;
        const base = floor ? y(floor[index] ?? 0) : bottom;
        const at = x(startOf(dates[index] ?? '')) + slot.from;
        const height = Math.max(0, base - y(point));
        return (
          <rect key={dates[index]} class="column" x={at} y={y(point)} width={slot.width} height={height} />
        );
      })}
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
function Events({ geometry, panel, dates }: Pick<Props, 'geometry' | 'panel' | 'dates'>) {
  const { x, top, bottom, right } = geometry;
  const events = eventsBetween(chainsIn(panel.lines), dates[0] ?? '', dates.at(-1) ?? '');
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
