import type { DayProgress } from '#core/figures/progress.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { listConflicts, saveConflict } from '#core/store/chain/conflicts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import {
  getCheckpoint,
  listRestatements,
  requestRestatement,
  saveCheckpoint,
} from '#core/store/days/checkpoints.ts';
import { getDay } from '#core/store/days/days.ts';
import { getDetails } from '#core/store/days/details.ts';
import { listUnpriced, listUnsentEvents } from '#core/store/days/notes.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import { type ChainStore, chainStore } from '#core/store/table/table.ts';
import { inherit } from '#core/transitions/inherit.ts';
import { publish } from '#core/transitions/publish.ts';
import { restate } from '#core/transitions/restate.ts';
import { startOver, wait } from '#core/transitions/wait.ts';
import { blockAt, dayProgress, provenance } from '#test/support/generators/blocks/builders.ts';
import {
  contentOf,
  dayOfChain,
  emptyDetails,
  publishAll,
} from '#test/support/generators/rows/days-to-publish.ts';
import { countingTable } from '#test/support/tables/counting-table.ts';
import { crashingTable, hasCrashed } from '#test/support/tables/crashing-table.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { memoryTable, useMemoryStore } from '#test/support/tables/table.ts';

/* Each change of a day is one request that changes items. Before it nothing has changed, and after it nothing is left to do. */

const { store } = useMemoryStore('BSC');
const [BEFORE, DAY, NEXT] = ['2026-11-17', '2026-11-18', '2026-11-19'] as const;
const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
const begin = (on: ChainStore, progress: DayProgress) =>
  saveCheckpoint(on, { day: progress.day, sequence: 0 }, { progress, anchored: undefined, final: undefined });
const waitingFor = (progress: DayProgress) => ({ progress, next: blockAt(99), since: 0 });
const waitingIn = async (on: ChainStore) => (await listWaitingDays(on)).map(({ progress }) => progress.day);
const none = (day: string) => ({ day, sequence: 0 });

beforeEach(() => beginCoverage(store(), BEFORE));

interface Transition {
  readonly prepare?: (on: ChainStore) => Promise<unknown>;
  readonly change: (on: ChainStore) => Promise<unknown>;
  /** Checks a table in which the change is done. */
  readonly expectDone: (on: ChainStore) => Promise<void>;
}

const transitions: Readonly<Record<string, Transition>> = {
  'publishing a day that waited': {
    prepare: async (on) => {
      await begin(on, dayOfChain(DAY));
      await wait(on, waitingFor(dayOfChain(DAY)));
    },
    change: (on) => publish(on, contentOf(dayOfChain(DAY))),
    expectDone: async (on) => {
      expect(await getDay(on, DAY)).toBeDefined();
      expect(await getDetails(on, { day: DAY, revision: 1 })).toEqual(emptyDetails);
      expect(await listUnpriced(on)).toEqual([DAY]);
      expect(await listUnsentEvents(on)).toMatchObject([{ day: DAY, revision: 1 }]);
      expect(await getCoverage(on)).toMatchObject({ last_day: DAY, waiting_days: 0 });
      expect(await getCheckpoint(on, DAY)).toEqual(none(DAY));
      expect(await waitingIn(on)).toEqual([]);
    },
  },
  'a restatement after which its neighbors no longer fit': {
    prepare: async (on) => {
      await publishAll(on, BEFORE, DAY);
      await requestRestatement(on, DAY, restatement);
      const anotherStart = dayProgress(NEXT, 8, 9);
      await begin(on, anotherStart);
      await wait(on, waitingFor(anotherStart));
      await saveConflict(on, { day: DAY, reason: 'wrong', since: 0 });
    },
    change: (on) => restate(on, contentOf(dayProgress(DAY, 5, 6)), restatement),
    expectDone: async (on) => {
      expect(await getStoredDay(on, DAY)).toMatchObject({
        revision: 2,
        restated: [{ reason: 'a node lied' }],
      });
      expect((await listRestatements(on)).map(({ day }) => day)).toEqual([BEFORE]);
      expect(await getCheckpoint(on, NEXT)).toEqual(none(NEXT));
      expect(await waitingIn(on)).toEqual([]);
      expect(await listConflicts(on)).toEqual([]);
      expect((await listUnsentEvents(on)).at(-1)).toMatchObject({ day: DAY, revision: 2 });
      expect((await getCoverage(on))?.changes.at(-1)).toMatchObject({ day: DAY });
    },
  },
  'inheriting finality': {
    prepare: async (on) => {
      await publishAll(on, DAY);
      const proof = { kind: 'sync committee', slot: 1, root: '0x1' } as const;
      const next = contentOf(dayOfChain(NEXT));
      await publish(on, { ...next, provenance: provenance({ finality: proof }) });
    },
    change: (on) => inherit(on, DAY),
    expectDone: async (on) => {
      expect(await getStoredDay(on, DAY)).toMatchObject({ links_to: { slot: 1 }, amendments: 1 });
      expect((await getCoverage(on))?.days).toBe(`${DAY} p2`);
    },
  },
  waiting: {
    change: (on) => wait(on, waitingFor(dayOfChain(DAY))),
    expectDone: async (on) => {
      expect(await waitingIn(on)).toEqual([DAY]);
      expect(await getCoverage(on)).toMatchObject({ waiting_days: 1 });
    },
  },
  'starting over': {
    prepare: async (on) => {
      await begin(on, dayOfChain(DAY));
      await wait(on, waitingFor(dayOfChain(DAY)));
    },
    change: (on) => startOver(on, DAY),
    expectDone: async (on) => {
      expect(await getCheckpoint(on, DAY)).toEqual(none(DAY));
      expect(await getCoverage(on)).toMatchObject({ waiting_days: 0 });
    },
  },
};

describe.each(Object.entries(transitions))('%s', (_, { prepare, change, expectDone }) => {
  const open = async () => {
    const base = memoryTable();
    const on = chainStore(base, 'BSC');
    await beginCoverage(on, BEFORE);
    await prepare?.(on);
    return { base, on };
  };

  test('is one request', async () => {
    const { base } = await open();
    const { table, changes } = countingTable(base);
    await change(chainStore(table, 'BSC'));
    expect(changes()).toBe(1);
    await expectDone(chainStore(base, 'BSC'));
  });

  test.each([
    ['before', 1],
    ['after', 1.5],
  ])('is done, or can be done again, after a crash %s it', async (_when, at) => {
    const { base, on } = await open();
    const before = JSON.stringify(await getCoverage(on), (_key, value) => String(value));
    expect(await hasCrashed(change(chainStore(crashingTable(base, at), 'BSC')))).toBe(true);
    if (at === 1) {
      expect(JSON.stringify(await getCoverage(on), (_key, value) => String(value))).toBe(before);
      await change(on);
    }
    await expectDone(on);
  });
});

describe('publish', () => {
  test('leaves a final day as it is, and ends what a late run has saved of it', async () => {
    await publishAll(store(), DAY);
    const before = await getStoredDay(store(), DAY);
    expect(await publish(store(), contentOf(dayOfChain(DAY)))).toEqual({ kind: 'published' });
    expect(await getStoredDay(store(), DAY)).toEqual(before);
  });

  test('lets no late run begin a day that is final', async () => {
    await publishAll(store(), DAY);
    expect(await begin(store(), dayOfChain(DAY))).toBeUndefined();
    await wait(store(), waitingFor(dayOfChain(DAY)));
    await startOver(store(), DAY);
    expect(await getCheckpoint(store(), DAY)).toEqual(none(DAY));
    expect(await getCoverage(store())).toMatchObject({ waiting_days: 0 });
  });
});
