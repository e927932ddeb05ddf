import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { reportedBy } from '#core/figures/block.ts';
import { HOURS_PER_DAY } from '#core/figures/calendar.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { getCheckpoint, requestRestatement, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { decodeStoredDay } from '#core/store/days/day-item.ts';
import { versionOf } from '#core/store/days/write-day.ts';
import { dayKey } from '#core/store/table/keys.ts';
import { type ChainStore, chainStore, type Item, type Table } from '#core/store/table/table.ts';
import { archive, markVoid } from '#core/transitions/archive.ts';
import { importDay } from '#core/transitions/import.ts';
import { inherit } from '#core/transitions/inherit.ts';
import { setPrice } from '#core/transitions/price.ts';
import { publish } from '#core/transitions/publish.ts';
import { restate } from '#core/transitions/restate.ts';
import { type DayState, readState } from '#core/transitions/state.ts';
import { discardWaiting, startOver, wait } from '#core/transitions/wait.ts';
import { blockAt, dayProgress, figuresIn, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { countingTable } from '#test/support/tables/counting-table.ts';
import { crashingTable, hasCrashed } from '#test/support/tables/crashing-table.ts';
import { racingTable } from '#test/support/tables/racing-table.ts';
import { memoryTable } from '#test/support/tables/table.ts';

/* docs/develop/day-states.md draws each change that a day can have in each state, and no other. Each is one request. */

const [DAY, NEXT] = ['2026-11-18', '2026-11-19'] as const;
const progressOf = (day: string) => (day === DAY ? dayProgress(DAY, 4, 6) : dayProgress(NEXT, 7, 9));
const hours = Array.from({ length: HOURS_PER_DAY }, () => NO_TOTALS);
const details = { hours, feeCounts: new Map(), dollars: undefined };
const contentOf = (day: string, finality = reportedBy([])) => ({
  figures: figuresIn(progressOf(day)),
  provenance: provenance({ finality }),
  details,
});
const ORIGIN = archiveOrigin();
const PROOF = { kind: 'sync committee', slot: 1, root: '0x1' } as const;
const REQUEST = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
const otherFigures = { ...progressOf(DAY), totals: { ...NO_TOTALS, transactions: 9 } };
const storedItem = (on: ChainStore) => on.table.getItem(dayKey(on, DAY));

async function copyOfDay() {
  const other = await begunStore();
  await publish(other, contentOf(DAY));
  return decodeStoredDay({ ...(await storedItem(other)) });
}

async function begunStore(): Promise<ChainStore> {
  const on = chainStore(memoryTable(), 'BSC');
  await beginCoverage(on, DAY);
  return on;
}

interface Change {
  readonly prepare?: (on: ChainStore) => Promise<unknown>;
  readonly apply: (on: ChainStore) => Promise<unknown>;
}

const changes: Readonly<Record<string, Change>> = {
  read: {
    apply: async (on) => saveCheckpoint(on, await getCheckpoint(on, DAY), { progress: progressOf(DAY) }),
  },
  wait: { apply: (on) => wait(on, { progress: progressOf(DAY), next: blockAt(99), since: 0 }) },
  discard: { apply: (on) => discardWaiting(on, DAY) },
  'start over': { apply: (on) => startOver(on, DAY) },
  publish: { apply: (on) => publish(on, contentOf(DAY)) },
  restate: {
    prepare: (on) => requestRestatement(on, DAY, REQUEST),
    apply: (on) => restate(on, { ...contentOf(DAY), figures: figuresIn(otherFigures) }, REQUEST),
  },
  inherit: {
    prepare: (on) => publish(on, { ...contentOf(NEXT), provenance: provenance({ finality: PROOF }) }),
    apply: (on) => inherit(on, DAY),
  },
  price: {
    apply: async (on) => {
      const item = await storedItem(on);
      const of = item && { day: DAY, ...versionOf(on, item) };
      return of && setPrice(on, of, { unpriced_reason: 'no price is known' });
    },
  },
  archive: { apply: (on) => archive(on, figuresIn(progressOf(DAY)), archivedProvenance(ORIGIN)) },
  'mark void': { apply: (on) => markVoid(on, DAY, ORIGIN.file_sha256, '2026-11-25T08:00:00.000Z') },
  import: {
    apply: async (on) => {
      const item = await storedItem(on);
      return importDay(on.table, await copyOfDay(), item && versionOf(on, item));
    },
  },
};

/** The changes that lead to each state from an empty table, in the ways that leave different items. */
const paths: Readonly<Record<DayState['kind'], readonly (readonly string[])[]>> = {
  unread: [[]],
  reading: [['read']],
  waiting: [['read', 'wait']],
  discarded: [['read', 'wait', 'discard']],
  archived: [['archive'], ['archive', 'read', 'wait']],
  final: [['publish']],
};

async function apply(on: ChainStore, name: string): Promise<void> {
  await changes[name]?.prepare?.(on);
  await changes[name]?.apply(on);
}

/** Returns all items of the chain but the coverage, as text. */
async function itemsOf(on: ChainStore): Promise<string> {
  const all = { KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last' };
  const values = { ':chain': 'BSC', ':first': '', ':last': '~' };
  const pages = await Array.fromAsync(on.table.queryPages({ ...all, ExpressionAttributeValues: values }));
  const items = pages
    .flat()
    .filter(({ date }) => date !== 'coverage' && !String(date).startsWith('restatement#'));
  return JSON.stringify(items, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

const drawn = [
  ...readFileSync('docs/develop/day-states.md', 'utf8').matchAll(/^ +(\w+ --> \w+): (.+)$/gm),
].flatMap(([, arrow, names = '']) => names.split(', ').map((name) => `${arrow}: ${name}`));

const everyPath = Object.entries(paths).flatMap(([from, all]) => all.map((path) => [from, path] as const));

/** Opens a table in which a day is in a state, and all is prepared for a change. */
async function openAt(from: string, name: string, path: readonly string[]): Promise<ChainStore> {
  const on = await begunStore();
  for (const before of path) await apply(on, before);
  await changes[name]?.prepare?.(on);
  expect((await readState(on, DAY)).kind).toBe(from);
  return on;
}

test('each change of a day is one request, drawn from and to the states between which it leads', async () => {
  const found = new Set<string>();
  for (const [from, path] of everyPath) {
    for (const [name, change] of Object.entries(changes)) {
      const on = await openAt(from, name, path);
      const before = await itemsOf(on);
      const { table, changes: requests } = countingTable(on.table);
      await change.apply(chainStore(table, 'BSC'));
      if ((await itemsOf(on)) === before) continue;
      found.add(`${from} --> ${(await readState(on, DAY)).kind}: ${name}`);
      expect([name, from, requests()]).toEqual([name, from, 1]);
    }
  }
  expect([...found].toSorted()).toEqual(drawn.toSorted());
});

test.each(drawn)('%s is all done or not at all, where the process ends before or after it', async (arrow) => {
  const [, from = '', to = '', name = ''] = /^(\w+) --> (\w+): (.+)$/.exec(arrow) ?? [];
  for (const at of [1, 1.5]) {
    const ended: unknown[] = [];
    for (const path of paths[from as DayState['kind']]) {
      const on = await openAt(from, name, path);
      const before = await itemsOf(on);
      const change = changes[name]?.apply(chainStore(crashingTable(on.table, at), 'BSC'));
      const crashed = await hasCrashed(Promise.resolve(change));
      const isDone = (await itemsOf(on)) !== before;
      expect((await readState(on, DAY)).kind).toBe(isDone ? to : from);
      ended.push([crashed, isDone]);
    }
    // After one of several ways to a state, a change may find nothing to change.
    expect(ended).toContainEqual([true, at > 1]);
  }
});

test('a day has one state after any changes', async () => {
  const names = fc.array(fc.constantFrom(...Object.keys(changes)), {
    minLength: 3,
    maxLength: 12,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const on = await begunStore();
      for (const name of all) {
        await apply(on, name);
        await expect(readState(on, DAY)).resolves.toBeDefined();
      }
    }),
    { numRuns: 60 },
  );
});

describe('nothing is saved of the reading of a final day', () => {
  const begin = (on: ChainStore) =>
    saveCheckpoint(on, { day: DAY, sequence: 0 }, { progress: progressOf(DAY) });

  test.each(['publish', 'import'])('after %s, if another run begins to read it meanwhile', async (name) => {
    const on = await begunStore();
    const isDay = ({ date }: Item) => date === DAY;
    const table = racingTable(on.table, isDay, { before: () => begin(on) });
    await apply(chainStore(table, 'BSC'), name);
    expect(await readState(on, DAY)).toMatchObject({ kind: 'final' });
  });

  /** Returns a table in which a part of the last commit is not seen by the first read. */
  const hiding = (base: Table, hidden: string): Table => {
    let isFirst = true;
    return {
      ...base,
      getItem: async (key) => {
        const isHidden = isFirst && 'date' in key && key.date === hidden;
        isFirst &&= !isHidden;
        return isHidden ? undefined : base.getItem(key);
      },
    };
  };

  test('after a commit that did not see that the day waits', async () => {
    const on = await begunStore();
    for (const name of ['read', 'wait']) await apply(on, name);
    await apply(chainStore(hiding(on.table, `waiting#${DAY}`), 'BSC'), 'publish');
    expect(await readState(on, DAY)).toMatchObject({ kind: 'final' });
  });

  test.each(['wait', 'discard', 'start over'])(
    'after %s that did not see that the day is final',
    async (name) => {
      const on = await begunStore();
      for (const before of ['read', 'wait']) await apply(on, before);
      const stale = hiding(on.table, DAY);
      const waiting = await on.table.getItem({ chain: 'BSC', date: `waiting#${DAY}` });
      await apply(on, 'publish');
      // The deletion of what was saved is not seen either.
      let isFirst = true;
      const getItem: Table['getItem'] = async (key) => {
        const isWaiting = isFirst && 'date' in key && key.date === `waiting#${DAY}`;
        isFirst &&= !isWaiting;
        return isWaiting ? waiting : stale.getItem(key);
      };
      await apply(chainStore({ ...stale, getItem }, 'BSC'), name);
      expect(await readState(on, DAY)).toMatchObject({ kind: 'final' });
    },
  );
});
