import type { UtcDay } from '../figures/calendar.ts';
import { isArchived } from '../store/days/days.ts';
import { decodeWaiting } from '../store/days/waiting-days.ts';
import { InvalidItemError } from '../store/table/decode-item.ts';
import { dayKey, itemKey } from '../store/table/keys.ts';
import { type ChainReader, type ChainStore, type Item, isNew, type Write } from '../store/table/table.ts';

/** The blocks of a day that are read. */
export type Reading =
  /** Nothing is saved. */
  | 'unread'
  /** A checkpoint has the sums of some blocks. */
  | 'reading'
  /** All blocks are counted, and the day after it is to confirm the end. There may be a checkpoint. */
  | 'waiting'
  /** The day is to be read again: its end or start was wrong, or its rules changed. There may be a checkpoint. */
  | 'discarded';

/**
 * The state of a day, which follows from its items. docs/develop/day-states.md draws it. Any day may also have an open conflict and a request
 * to restate it; neither changes the state.
 */
export type DayState = {
  /** The writes after which nothing is saved of the reading of the day. They refuse a commit that has not seen all that is saved. */
  readonly endOfReading: readonly Write[];
} & (
  | { readonly kind: Reading }
  /** The figures of an archive are served. Nothing follows from them, and the day may be read to prove it. */
  | { readonly kind: 'archived'; readonly item: Item; readonly proof: Reading }
  /** Nothing is saved of its reading any more. */
  | { readonly kind: 'final'; readonly item: Item }
);

interface DayItems {
  readonly day: Item | undefined;
  readonly progress: Item | undefined;
  readonly waiting: Item | undefined;
}

/** Returns the state that has these items; undefined if none has them. */
function decodeState(store: ChainReader, day: UtcDay, items: DayItems): DayState | undefined {
  const reading = readingOf(store, items);
  const endOfReading = (['progress', 'waiting'] as const).map((kind): Write => {
    const key = itemKey(store, kind, day);
    return items[kind] ? { delete: key } : { check: key, condition: isNew };
  });
  if (!items.day) return { kind: reading, endOfReading };
  if (isArchived(items.day)) return { kind: 'archived', item: items.day, proof: reading, endOfReading };
  return reading === 'unread' ? { kind: 'final', item: items.day, endOfReading } : undefined;
}

function readingOf(store: ChainReader, { progress, waiting }: DayItems): Reading {
  if (waiting) return decodeWaiting(store, waiting) ? 'waiting' : 'discarded';
  return progress ? 'reading' : 'unread';
}

/** Far longer than a commit takes until each of its items is seen. */
const MAX_READS = 60;
const PAUSE_MS = 100;

/**
 * Reads the state of a day. Items that no state has are read again: a commit is being applied to them.
 * @throws InvalidItemError if they stay so for seconds
 */
export async function readState(store: ChainStore, day: UtcDay): Promise<DayState> {
  const { table } = store;
  for (let reads = 0; reads < MAX_READS; reads++) {
    if (reads > 0) await table.pause(PAUSE_MS);
    const [stored, progress, waiting] = await Promise.all([
      table.getItem(dayKey(store, day)),
      table.getItem(itemKey(store, 'progress', day)),
      table.getItem(itemKey(store, 'waiting', day)),
    ]);
    const state = decodeState(store, day, { day: stored, progress, waiting });
    if (state) return state;
  }
  throw new InvalidItemError(
    dayKey(store, day),
    'the day is final, but progress# or waiting# of it is still stored',
  );
}

/** Returns whether a day is final, and else how far its blocks are read; archived days are read like others. */
export async function readProgressOf(store: ChainStore, day: UtcDay): Promise<Reading | 'final'> {
  const state = await readState(store, day);
  return state.kind === 'archived' ? state.proof : state.kind;
}

/** Returns whether nothing of a day is left to read. */
export const isRead = (state: Reading | 'final'): state is 'waiting' | 'final' =>
  state === 'waiting' || state === 'final';
