import type { HTMLAttributes, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { type DateRange, firstDayIn } from '../model/periods.ts';
import { type Geometry, nearestIndex, scaleRange } from './geometry.ts';

/** A panel that pointers move over. Indexes are those of its dates. */
interface PointerTarget {
  readonly geometry: Geometry;
  readonly dates: readonly string[];
  readonly cursor: number | undefined;
  readonly onCursor: (index: number | undefined) => void;
  /** Called with the edges of the selected area in CSS pixels, or undefined when nothing is selected. */
  readonly onSelection: (edges: readonly [number, number] | undefined) => void;
  readonly onZoom: (range: DateRange) => void;
  readonly onPreview: (range: DateRange | undefined) => void;
  /** Called on a click, or on a second tap on the same date, with its place. */
  readonly onPick: (index: number, at: Point) => void;
}

/** A place in a panel, in CSS pixels from its top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Gesture {
  readonly pointers: Map<number, Point>;
  /** The first pointer's place when it went down, and the cursor before. */
  start?: Point;
  cursorBefore?: number | undefined;
  isDragged?: boolean;
  pinch?: ReturnType<typeof pinchOf> | undefined;
}

type PointerEventOf = TargetedPointerEvent<HTMLDivElement>;

/** In CSS pixels; less is a click. */
const DRAG_DISTANCE = 5;

/** Handles pointers: a mouse selects a range to zoom to, one finger moves the cursor, two fingers zoom. */
export function usePointer(target: PointerTarget): HTMLAttributes<HTMLDivElement> {
  const { current: gesture } = useRef<Gesture>({ pointers: new Map() });
  const cancel = (event: PointerEventOf) => {
    gesture.pointers.delete(event.pointerId);
    if (gesture.pinch) target.onPreview(undefined);
    gesture.pinch = undefined;
    target.onSelection(undefined);
  };
  return {
    onPointerDown: (event) => pressed(event, gesture, target),
    onPointerMove: (event) => moved(event, gesture, target),
    onPointerUp: (event) => released(event, gesture, target),
    onPointerCancel: cancel,
    onPointerLeave: (event) => {
      if (event.pointerType === 'mouse' && gesture.pointers.size === 0) target.onCursor(undefined);
    },
  };
}

function pointOf(event: PointerEventOf): Point {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function pressed(event: PointerEventOf, gesture: Gesture, target: PointerTarget): void {
  if (event.button !== 0) return;
  const point = pointOf(event);
  event.currentTarget.setPointerCapture(event.pointerId);
  gesture.pointers.set(event.pointerId, point);
  if (gesture.pointers.size === 2) {
    gesture.pinch = pinchOf(gesture, target);
    return;
  }
  gesture.start = point;
  gesture.isDragged = false;
  gesture.cursorBefore = target.cursor;
  target.onCursor(nearestIndex(target.geometry, target.dates, point.x));
}

/** Returns the distance of two fingers in CSS pixels, and the place between them. */
function fingersOf({ pointers }: Gesture) {
  const [a = 0, b = 0] = [...pointers.values()].map(({ x }) => x);
  return { distance: Math.max(20, Math.abs(a - b)), middle: (a + b) / 2 };
}

/** Returns the distance of two fingers when they both were down, with the range of the panel and the day between them. */
function pinchOf(gesture: Gesture, { geometry, dates }: PointerTarget) {
  const { distance, middle } = fingersOf(gesture);
  const range = { start_date: firstDayIn(dates[0] ?? ''), end_date: firstDayIn(dates.at(-1) ?? '') };
  const center = firstDayIn(dates[nearestIndex(geometry, dates, middle)] ?? range.start_date);
  return { distance, range, center, latest: range };
}

function moved(event: PointerEventOf, gesture: Gesture, target: PointerTarget): void {
  const point = pointOf(event);
  const { pointers, start, pinch } = gesture;
  if (pointers.has(event.pointerId)) pointers.set(event.pointerId, point);
  if (pinch && pointers.size === 2) {
    pinch.latest = scaleRange(pinch.range, pinch.center, pinch.distance / fingersOf(gesture).distance);
    target.onPreview(pinch.latest);
    return;
  }
  if (gesture.pinch) return;
  target.onCursor(nearestIndex(target.geometry, target.dates, point.x));
  if (!start || pointers.size === 0 || Math.abs(point.x - start.x) < DRAG_DISTANCE) return;
  gesture.isDragged = true;
  if (event.pointerType === 'mouse') target.onSelection([clampX(start.x, target), clampX(point.x, target)]);
}

const clampX = (x: number, { geometry: { left, right } }: PointerTarget): number =>
  Math.max(left, Math.min(right, x));

function released(event: PointerEventOf, gesture: Gesture, target: PointerTarget): void {
  const { start, pinch, isDragged, cursorBefore } = gesture;
  if (!gesture.pointers.delete(event.pointerId)) return;
  if (pinch) {
    if (gesture.pointers.size > 0) return;
    gesture.pinch = undefined;
    target.onZoom(pinch.latest);
    return;
  }
  const at = pointOf(event);
  const isMouse = event.pointerType === 'mouse';
  target.onSelection(undefined);
  if (start && isDragged && isMouse) {
    const [first = 0, last = 0] = [start.x, at.x]
      .map((x) => nearestIndex(target.geometry, target.dates, x))
      .toSorted((a, b) => a - b);
    const [start_date, end_date] = [target.dates[first], target.dates[last]];
    if (start_date && end_date && first < last) target.onZoom({ start_date, end_date });
  }
  const index = nearestIndex(target.geometry, target.dates, at.x);
  if (!isDragged && (isMouse || index === cursorBefore)) target.onPick(index, at);
}
