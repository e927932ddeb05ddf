import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { discardWaitingDay, putWaitingDay } from '#core/store/days/waiting-days.ts';
import { InvalidItemError } from '#core/store/table/decode-item.ts';
import { isRead, readProgressOf, readState } from '#core/transitions/state.ts';
import { blockAt, dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance } from '#test/support/generators/rows/archived-days.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves which state a day has by its items, and how long items that no state has are read again. */

const { table, store } = useMemoryStore('BSC');
const DAY = '2026-11-18';
const progress: DayProgress = startDayProgress(DAY, blockAt(3));
const save = () => saveCheckpoint(store(), { day: DAY, sequence: 0 }, { progress });
const wait = () => table().commit([putWaitingDay(store(), { progress, next: blockAt(4), since: 0 })]);
const discard = () => table().commit([discardWaitingDay(store(), DAY)]);
const archive = () => putDay(store(), dayFigures(DAY), archivedProvenance());
const publish = () => putDay(store(), dayFigures(DAY), provenance());

describe('readState', () => {
  test.each([
    ['unread', [], 'unread'],
    ['reading', [save], 'reading'],
    ['waiting', [wait], 'waiting'],
    ['waiting, also with a checkpoint', [save, wait], 'waiting'],
    ['discarded', [discard], 'discarded'],
    ['discarded, also with a checkpoint', [save, discard], 'discarded'],
    ['archived, and not read', [archive], 'archived', 'unread'],
    ['archived, and being read to prove it', [archive, save], 'archived', 'reading'],
    ['final', [publish], 'final'],
  ])('is %s', async (_, prepare, kind, reading = kind) => {
    for (const step of prepare) await step();
    expect((await readState(store(), DAY)).kind).toBe(kind);
    expect(await readProgressOf(store(), DAY)).toBe(reading);
  });

  const withPause = (pause: () => Promise<unknown>) => ({
    ...store(),
    table: { ...table(), pause: async () => void (await pause()) },
  });

  test('waits for nothing if a state has the items', async () => {
    await publish();
    const refusing = withPause(() => Promise.reject(new Error('it waits')));
    expect(await readState(refusing, DAY)).toMatchObject({ kind: 'final' });
  });

  test('reads again while a commit is being applied to the items', async () => {
    // A run that is late saves a checkpoint, which a commit deletes together with the publication of the day.
    await save();
    await publish();
    const deleteCheckpoint = () => table().deleteItem({ chain: 'BSC', date: `progress#${DAY}` });
    expect(await readState(withPause(deleteCheckpoint), DAY)).toMatchObject({ kind: 'final' });
  });

  test('names the item of a final day that stays beside saved progress', async () => {
    await save();
    await publish();
    let pauses = 0;
    const read = readState(
      withPause(async () => {
        pauses += 1;
      }),
      DAY,
    );
    await expect(read).rejects.toThrow(InvalidItemError);
    await expect(read).rejects.toThrow(`The item BSC ${DAY} cannot be read: the day is final, but progress#`);
    expect(pauses).toBe(59);
  });
});

test('nothing is left to read of a day that waits or is final', () => {
  const states = ['unread', 'reading', 'waiting', 'discarded', 'final'] as const;
  expect(states.filter(isRead)).toEqual(['waiting', 'final']);
});
