import fc from 'fast-check';
import { addDays } from '../../../lambda/chains/utc-day.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { type DayEvent, dayEvent, type SendEvent, sendDueEvents } from '../../../lambda/ingest/day-events.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { StoredDay } from '../../../lambda/store/day-item.ts';
import { requestRestatement } from '../../../lambda/store/restatements.ts';
import { getStoredDay, putStoredDay } from '../../../lambda/store/stored-days.ts';
import type { Table } from '../../../lambda/store/table.ts';
import { listUnsentEvents, saveUnsentEvent } from '../../../lambda/store/unsent-events.ts';
import { startInProcessTable } from '../../support/in-process-table.ts';
import { startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { type GivenRun, runIngest } from '../../support/run-ingest.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { completeDays, DAY, publishWrongly, sampleBlocks } from '../../support/sample-days.ts';
import { anyStoredDay, restatedDay, storedDay, storedDays } from '../../support/stored-days.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'BSC');
const signal = new AbortController().signal;

/** A receiver that refuses the events of some days. */
function receiver(refuses: (date: string) => boolean = () => false) {
  const events: DayEvent[] = [];
  const send: SendEvent = async (event) => {
    if (refuses(event.detail.date)) throw new Error('the receiver is closed');
    events.push(event);
  };
  return { send, events, ids: () => events.map(({ detail }) => `${detail.date}#${detail.revision}`) };
}

const sendDue = (send: SendEvent, now = Date.now) => sendDueEvents(store(), send, { signal, now });
const unsent = async () => (await listUnsentEvents(store())).map(({ day, revision }) => `${day}#${revision}`);
const write = async (...days: readonly StoredDay[]) => {
  for (const day of days) expect(await putStoredDay(table(), day, 0)).toBe(true);
};

/** Returns a day as the table holds it: integers are bigint. */
const itemOf = async (day: StoredDay) => {
  await write(day);
  return (await table().getItem({ chain: day.chain, date: day.date })) ?? {};
};

describe('the event of a day', () => {
  test('has the chain and the row, and is called final at revision 1', async () => {
    expect(dayEvent('BSC', await itemOf(storedDay()), 1)).toMatchObject({
      source: 'chain-insights',
      'detail-type': 'Day Final',
      detail: { chain: 'BSC', date: '2025-11-18', fees: '1.000000000000000008', revision: 1 },
    });
  });

  test('is called restated at a later revision, and has the replaced figures', async () => {
    const day = restatedDay();
    const [old] = day.restated ?? [];
    expect(dayEvent('BSC', await itemOf(day), 2)).toMatchObject({
      'detail-type': 'Day Restated',
      detail: { revision: 2, restatements: [{ revision: 1, reason: old?.reason, transaction_count: 9 }] },
    });
  });

  test('cuts a reason that was stored before reasons had a limit', async () => {
    const [old] = restatedDay().restated ?? [];
    const day = storedDay({ revision: 2, restated: old && [{ ...old, reason: 'x'.repeat(100_000) }] });
    const event = dayEvent('BSC', await itemOf(day), 2);
    expect(event?.detail.restatements?.[0]?.reason).toBe('x'.repeat(500));
  });

  test('never names hosts', async () => {
    expect(JSON.stringify(dayEvent('BSC', await itemOf(restatedDay()), 2))).not.toContain('.example');
  });

  test('shows a day that was restated since as it was', async () => {
    const first = storedDay();
    const event = dayEvent('BSC', await itemOf(first), 1);
    const { chain: _chain, date: _date, ...kept } = first;
    const times = { requested_at: '2025-11-22T08:00:00Z', restated_at: '2025-11-22T09:00:00.000Z' };
    const restated = [{ ...kept, reason: 'a node lied', ...times }];
    await putStoredDay(table(), storedDay({ transaction_count: 1, revision: 2, restated }), 1);
    const item = (await table().getItem({ chain: 'BSC', date: first.date })) ?? {};
    expect(dayEvent('BSC', item, 1)).toEqual(event);
  });

  test('is undefined for a revision that the day does not hold', async () => {
    expect(dayEvent('BSC', await itemOf(storedDay({ revision: 3 })), 2)).toBeUndefined();
  });
});

describe('sendDueEvents', () => {
  test('sends the earliest day first, each once, and then nothing', async () => {
    const days = storedDays(3);
    await write(...days.toReversed());
    const { send, ids } = receiver();
    expect(await sendDue(send)).toBeUndefined();
    expect(await sendDue(send)).toBeUndefined();
    expect(ids()).toEqual(['2025-11-18#1', '2025-11-19#1', '2025-11-20#1']);
    expect(await unsent()).toEqual([]);
  });

  test('sends more events than it reads at once', async () => {
    const days = storedDays(101);
    await write(...days);
    const { send, ids } = receiver();
    expect(await sendDue(send)).toBeUndefined();
    expect(ids()).toEqual(days.map(({ date }) => `${date}#1`));
  });

  test('sends the revisions of a day in order, beyond nine', async () => {
    await write(storedDay({ revision: 10, restated: [] }));
    await putStoredDay(table(), storedDay({ revision: 11, restated: [] }), 10);
    await putStoredDay(table(), storedDay({ revision: 2, restated: [] }), 11);
    expect(await unsent()).toEqual(['2025-11-18#2', '2025-11-18#10', '2025-11-18#11']);
  });

  test('sends no event after one that fails, names the reason, and continues there', async () => {
    await write(...storedDays(3));
    const closed = receiver((date) => date >= '2025-11-19');
    expect(await sendDue(closed.send)).toBe(
      'The event of BSC 2025-11-19 was not sent: the receiver is closed. The next run tries again.',
    );
    expect(closed.ids()).toEqual(['2025-11-18#1']);
    const open = receiver();
    await sendDue(open.send);
    expect(open.ids()).toEqual(['2025-11-19#1', '2025-11-20#1']);
  });

  test('waits for a day that is not written yet, and sends those after it', async () => {
    await saveUnsentEvent(store(), { day: '2025-11-17', revision: 1 });
    await write(...storedDays(1));
    const { send, ids } = receiver();
    await sendDue(send);
    expect(ids()).toEqual(['2025-11-18#1']);
    expect(await unsent()).toEqual(['2025-11-17#1']);
    await write(storedDay({ date: '2025-11-17' }));
    await sendDue(send);
    expect(ids()).toEqual(['2025-11-18#1', '2025-11-17#1']);
  });

  test('drops the event of a revision that an import replaced by a later one', async () => {
    await write(storedDay());
    await putStoredDay(table(), storedDay({ revision: 5 }), 1);
    const { send, ids } = receiver();
    await sendDue(send);
    expect(ids()).toEqual(['2025-11-18#5']);
    expect(await unsent()).toEqual([]);
  });

  test('sends an earlier day first that becomes final while it looks for later ones', async () => {
    const [early, late] = storedDays(2);
    if (!early || !late) throw new Error('there are two');
    await write(late);
    const { getItem } = table();
    jest.spyOn(table(), 'getItem').mockImplementationOnce(async (key) => {
      // Both are final before the first of them is known to be.
      await write(early);
      return getItem(key);
    });
    const { send, ids } = receiver();
    await sendDue(send);
    expect(ids()).toEqual(['2025-11-18#1', '2025-11-19#1']);
  });

  test('continues the ingest after ten seconds, and sends the rest later', async () => {
    await write(...storedDays(3));
    const times = [0, 0, 0, 9_999, 10_000];
    const { send, ids } = receiver();
    expect(await sendDue(send, () => times.shift() ?? 0)).toBeUndefined();
    expect(ids()).toEqual(['2025-11-18#1', '2025-11-19#1']);
    await sendDue(send);
    expect(ids()).toEqual(['2025-11-18#1', '2025-11-19#1', '2025-11-20#1']);
  });

  test('continues the ingest after ten seconds, although each look finds an earlier day', async () => {
    const days = storedDays(40).toReversed();
    let earliest = '';
    const writeNext = async () => {
      const next = days.splice(0, 1);
      await write(...next);
      earliest = next[0]?.date ?? '';
    };
    await writeNext();
    const { getItem } = table();
    const spy = jest.spyOn(table(), 'getItem').mockImplementation(async (key) => {
      if ('date' in key && key.date === earliest) await writeNext();
      return getItem(key);
    });
    let seconds = 0;
    const { send, ids } = receiver();
    expect(await sendDue(send, () => 1_000 * seconds++)).toBeUndefined();
    spy.mockRestore();
    expect(ids()).toEqual([]);
    expect(days.length).toBeGreaterThan(20);
  });

  test('ends with the signal’s reason, without a failure of the receiver', async () => {
    await write(storedDay());
    const end = new AbortController();
    const sending = sendDueEvents(
      store(),
      async () => {
        end.abort(new Error('out of time'));
        throw new Error('aborted');
      },
      { signal: end.signal, now: Date.now },
    );
    await expect(sending).rejects.toThrow('out of time');
    expect(await unsent()).toHaveLength(1);
  });

  test('sends any stored day', async () => {
    await fc.assert(
      fc.asyncProperty(anyStoredDay, async (day) => {
        await table().deleteItem({ chain: day.chain, date: day.date });
        await write(day);
        const { send, events } = receiver();
        await sendDueEvents(chainStore(table(), day.chain), send, { signal, now: Date.now });
        expect(events.at(-1)?.detail).toMatchObject({
          chain: day.chain,
          date: day.date,
          revision: day.revision,
        });
      }),
      { numRuns: 30 },
    );
  });
});

/** Thrown instead of the end of the process. */
class CrashError extends Error {}

describe('a run', () => {
  const ethereum = () => chainStore(table(), 'ETHEREUM');
  const answer = answerFrom(sampleBlocks);
  const dates = completeDays.map(({ day }) => day);
  const days = dates.map((day) => `${day}#1`);
  /** The newest complete day becomes final before the others. */
  const newestFirst = <T>(all: readonly T[]) => [...all.slice(-1), ...all.slice(0, -1)];
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };

  async function run(given: GivenRun, on: Table = table()) {
    await using node = await startJsonRpcServer(answer);
    // A fast clock would leave no time to send.
    return await runIngest(on, [node], { clock: systemClock, ...given });
  }

  test('sends the event of each day, after the day', async () => {
    const seen: unknown[] = [];
    const { send, ids } = receiver();
    const sendEvent: SendEvent = async (event, given) => {
      seen.push((await getStoredDay(ethereum(), event.detail.date))?.date);
      await send(event, given);
    };
    expect(await run({ sendEvent })).not.toHaveProperty('unsentEvents');
    expect(ids()).toEqual(newestFirst(days));
    expect(seen).toEqual(newestFirst(dates));
  });

  test('completes the days while the receiver is closed, and tries once a run', async () => {
    let tries = 0;
    const closed = receiver(() => {
      tries += 1;
      return true;
    });
    const report = await run({ sendEvent: closed.send });
    expect(report).toMatchObject({ outcome: 'up to date', days: newestFirst(dates) });
    expect(report.unsentEvents).toBe(
      `The event of ETHEREUM ${dates.at(-1)} was not sent: the receiver is closed. The next run tries again.`,
    );
    expect(tries).toBe(1);
    const open = receiver();
    await run({ sendEvent: open.send });
    expect(open.ids()).toEqual(days);
  });

  test('of a command leaves the event to the next run of the service', async () => {
    const day = addDays(DAY, 1);
    expect(await run({ day })).toMatchObject({ final: true });
    const { send, ids } = receiver();
    expect(await run({ sendEvent: send, day })).toMatchObject({ final: true, blocks: 0 });
    expect(ids()).toEqual([`${day}#1`]);
  });

  /** Returns a table that ends the process at a write: before it, or after it at half numbers. */
  function crashing(base: Table, at: number): Table {
    let writes = 0;
    const crashAt = async <T>(write: () => Promise<T>): Promise<T> => {
      writes += 1;
      if (writes === at) throw new CrashError();
      const result = await write();
      if (writes + 0.5 === at) throw new CrashError();
      return result;
    };
    return {
      ...base,
      putIf: (...given) => crashAt(() => base.putIf(...given)),
      deleteItem: (...given) => crashAt(() => base.deleteItem(...given)),
    };
  }

  /**
   * Crashes once at each write of a run, and lets the next run complete it. Returns the events of each pair of runs.
   * @param step 1 crashes before each write, 0.5 before and after it
   */
  async function crashEverywhere(
    given: GivenRun,
    step: number,
    prepare: (base: Table) => Promise<unknown> = async () => {},
  ): Promise<string[][]> {
    const all: string[][] = [];
    for (let at = 1; ; at += step) {
      const { table: base } = await startInProcessTable();
      await prepare(base);
      const { send: sendEvent, ids } = receiver();
      const first = run({ ...given, sendEvent }, crashing(base, at));
      const hasCrashed = await first.then(
        () => false,
        (error: unknown) => error instanceof CrashError,
      );
      await run({ ...given, sendEvent }, base);
      all.push(ids());
      if (!hasCrashed) return all;
    }
  }

  test.each([
    ['all days', {}, 1, newestFirst(days)],
    ['one day alone', { day: addDays(DAY, 1) }, 0.5, days.slice(1, 2)],
  ])('of %s sends each event in order, at whichever write it crashes', async (_, given, step, expected) => {
    const all = await crashEverywhere(given, step);
    // Each day has five writes: its note, the day, the checkpoint, the coverage, and the note again.
    expect(all.length).toBeGreaterThan((5 / step) * expected.length);
    for (const ids of all) expect([...new Set(ids)]).toEqual(expected);
    // A crash between sending and deleting the note repeats an event.
    expect(all.some((ids) => ids.length > expected.length)).toBe(true);
    expect(all.at(-1)).toEqual(expected);
  });

  test('that restates a day sends its event, at whichever write it crashes', async () => {
    const all = await crashEverywhere({}, 1, async (base) => {
      await publishWrongly(base, DAY, 1, 4);
      await run({ sendEvent: receiver().send }, base);
      await requestRestatement(chainStore(base, 'ETHEREUM'), DAY, restatement);
      expect(await listUnsentEvents(chainStore(base, 'ETHEREUM'))).toEqual([]);
    });
    expect(all.length).toBeGreaterThan(5);
    for (const ids of all) expect([...new Set(ids)]).toEqual([`${DAY}#2`]);
  });
});
