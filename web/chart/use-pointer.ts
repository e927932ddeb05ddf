import type { HTMLAttributes, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { type Geometry, nearestIndex, type Point } from './geometry.ts';

/** Two edges of an area in CSS pixels, or two indexes of dates. */
export type Between = readonly [number, number];

/** A panel that pointers move over. Indexes are those of its dates. */
interface PointerTarget {
  readonly geometry: Geometry;
  readonly dates: readonly string[];
  readonly cursor: number | undefined;
  readonly selection: Between | undefined;
  readonly onCursor: (index: number | undefined) => void;
  /** Called with the selected area, or undefined when nothing is selected. */
  readonly onSelection: (edges: Between | undefined) => void;
  readonly onZoom: (indexes: Between) => void;
  /** Called on a click, or on a second tap on the same date, with its place. */
  readonly onPick: (index: number, at: Point) => void;
}

interface Gesture {
  readonly pointers: Map<number, Point>;
  /** The only pointer's place when it went down, and the cursor before. */
  start?: Point | undefined;
  cursorBefore?: number | undefined;
  isDragged?: boolean;
}

type PointerEventOf = TargetedPointerEvent<HTMLDivElement>;

/** In CSS pixels; less is a click. */
const DRAG_DISTANCE = 5;

/** Handles pointers: a mouse, or two fingers, select a range to zoom to, and one finger moves the cursor. */
export function usePointer(target: PointerTarget): HTMLAttributes<HTMLDivElement> {
  const { current: gesture } = useRef<Gesture>({ pointers: new Map() });
  return {
    onPointerDown: (event) => pressed(event, gesture, target),
    onPointerMove: (event) => moved(event, gesture, target),
    onPointerUp: (event) => released(event, gesture, target),
    onPointerCancel: (event) => {
      gesture.pointers.delete(event.pointerId);
      target.onSelection(undefined);
    },
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
  gesture.start = gesture.pointers.size === 1 ? point : undefined;
  if (!gesture.start) return;
  gesture.isDragged = false;
  gesture.cursorBefore = target.cursor;
  target.onCursor(nearestIndex(target.geometry, target.dates, point.x));
}

function moved(event: PointerEventOf, gesture: Gesture, target: PointerTarget): void {
  const point = pointOf(event);
  const { pointers, start } = gesture;
  const { left, right } = target.geometry;
  if (pointers.has(event.pointerId)) pointers.set(event.pointerId, point);
  if (pointers.size < 2) target.onCursor(nearestIndex(target.geometry, target.dates, point.x));
  if (start && Math.abs(point.x - start.x) >= DRAG_DISTANCE) gesture.isDragged = true;
  const isMouse = event.pointerType === 'mouse';
  const fingers = start ? (gesture.isDragged && isMouse ? [start, point] : []) : [...pointers.values()];
  const [from, to] = fingers.map(({ x }) => Math.max(left, Math.min(right, x))).toSorted((a, b) => a - b);
  if (from !== undefined && to !== undefined) target.onSelection([from, to]);
}

function released(event: PointerEventOf, gesture: Gesture, target: PointerTarget): void {
  const { pointers, start, isDragged, cursorBefore } = gesture;
  if (!pointers.delete(event.pointerId)) return;
  // A second finger that is still down has no effect.
  gesture.start = undefined;
  const indexAt = (x: number) => nearestIndex(target.geometry, target.dates, x);
  if (target.selection) {
    target.onSelection(undefined);
    const [first, last] = [indexAt(target.selection[0]), indexAt(target.selection[1])];
    if (first < last) target.onZoom([first, last]);
    return;
  }
  const at = pointOf(event);
  const index = indexAt(at.x);
  const isTapped = event.pointerType === 'mouse' || index === cursorBefore;
  if (start && !isDragged && isTapped) target.onPick(index, at);
}
