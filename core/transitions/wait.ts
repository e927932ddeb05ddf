import type { UtcDay } from '../figures/calendar.ts';
import { commit } from '../store/chain/commit.ts';
import { deletedCheckpoint, isNotFinal } from '../store/days/checkpoints.ts';
import { discardWaitingDay, putWaitingDay, type WaitingDay } from '../store/days/waiting-days.ts';
import type { ChainReader, ChainStore, Write } from '../store/table/table.ts';
import { type Reading, readProgressOf } from './state.ts';

/** Returns the writes after which a day is read from its start. */
export const startOverWrites = (store: ChainReader, day: UtcDay): readonly Write[] => [
  discardWaitingDay(store, day),
  deletedCheckpoint(store, { day }),
];

/** Lets a day wait for the day after it, unless it is final by now. */
export const wait = (store: ChainStore, waiting: WaitingDay): Promise<void> =>
  changeReading(
    store,
    waiting.progress.day,
    [putWaitingDay(store, waiting)],
    ['unread', 'reading', 'waiting', 'discarded'],
  );

/** Lets a later run read a day again that waits. */
export const discardWaiting = (store: ChainStore, day: UtcDay): Promise<void> =>
  changeReading(store, day, [discardWaitingDay(store, day)], ['waiting']);

/** Discards what was read of a day, and lets a later run read it from its start. */
export const startOver = (store: ChainStore, day: UtcDay): Promise<void> =>
  changeReading(store, day, startOverWrites(store, day), ['reading', 'waiting', 'discarded']);

/** Writes this only in some states: by now, the day may be final. The check waits for a commit that makes it so and is not seen yet. */
const changeReading = (
  store: ChainStore,
  day: UtcDay,
  writes: readonly Write[],
  states: readonly (Reading | 'final')[],
): Promise<void> =>
  commit(store, async () => {
    const isAllowed = states.includes(await readProgressOf(store, day));
    return { writes: isAllowed ? [...writes, isNotFinal(store, day)] : [], result: undefined };
  });
