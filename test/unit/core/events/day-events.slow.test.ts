import { systemClock } from '#core/clock.ts';
import { type DayEvent, type SendEvent, sendDueEvents } from '#core/events/day-events.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { getCheckpoint, requestRestatement } from '#core/store/days/checkpoints.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { listUnsentEvents } from '#core/store/days/notes.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import {
  completeDays,
  DAY,
  publishWrongly,
  sampleBlocks,
} from '#test/support/generators/chains/sample-days.ts';
import { storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { type GivenRun, runIngest } from '#test/support/processes/run-ingest.ts';
import { crashingTable, hasCrashed } from '#test/support/tables/crashing-table.ts';
import { putStoredDay } from '#test/support/tables/put-day.ts';
import { memoryTable, useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
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
  for (const day of days) expect(await putStoredDay(table(), day, undefined)).toBe(true);
};

describe('sendDueEvents', () => {
  test('sends events in the order in which their days became final, each once, and then nothing', async () => {
    const [one, two, three] = storedDays(3) as [StoredDay, StoredDay, StoredDay];
    await write(three, one, two);
    const { send, ids } = receiver();
    expect(await sendDue(send)).toBeUndefined();
    expect(await sendDue(send)).toBeUndefined();
    expect(ids()).toEqual(['2025-11-20#1', '2025-11-18#1', '2025-11-19#1']);
    expect(await unsent()).toEqual([]);
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

  test('continues the ingest after ten seconds, and sends the rest later', async () => {
    await write(...storedDays(3));
    const times = [0, 0, 9_999, 10_000];
    const { send, ids } = receiver();
    expect(await sendDue(send, () => times.shift() ?? 0)).toBeUndefined();
    expect(ids()).toEqual(['2025-11-18#1', '2025-11-19#1']);
    await sendDue(send);
    expect(ids()).toEqual(['2025-11-18#1', '2025-11-19#1', '2025-11-20#1']);
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
});

describe('a run', () => {
  const answer = answerFrom(sampleBlocks);
  /** The days become final from the newest one back. */
  const dates = completeDays.map(({ day }) => day).toReversed();
  const days = dates.map((day) => `${day}#1`);
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };

  async function run(given: GivenRun = {}, on: Table = table()) {
    await using node = await startJsonRpcServer(answer);
    // A fast clock would leave no time to send.
    return await runIngest(on, [node], { clock: systemClock, ...given });
  }

  test('completes the days while the receiver is closed, and tries once a run', async () => {
    let tries = 0;
    const closed = receiver(() => {
      tries += 1;
      return true;
    });
    const report = await run({ sendEvent: closed.send });
    expect(report).toMatchObject({ outcome: 'up to date', days: dates });
    expect(report.unsentEvents).toBe(
      `The event of ETHEREUM ${dates[0]} was not sent: the receiver is closed. The next run tries again.`,
    );
    expect(tries).toBe(1);
    const open = receiver();
    await run({ sendEvent: open.send });
    expect(open.ids()).toEqual(days);
  });

  test('of a command leaves the event to the next run of the service', async () => {
    expect(await run()).toMatchObject({ days: dates });
    const { send, ids } = receiver();
    expect(await run({ sendEvent: send, day: DAY })).toMatchObject({ final: true, blocks: 0 });
    expect(ids()).toEqual(days);
  });

  /**
   * Crashes once before each write of a run, and lets the next run complete it. Returns the events of each pair of runs.
   */
  async function crashEverywhere(
    prepare: (base: Table) => Promise<unknown> = async () => {},
  ): Promise<string[][]> {
    const all: string[][] = [];
    for (let at = 1; ; at += 1) {
      const base = memoryTable();
      await prepare(base);
      const { send: sendEvent, ids } = receiver();
      const crashed = await hasCrashed(run({ sendEvent }, crashingTable(base, at)));
      await run({ sendEvent }, base);
      const ethereum = chainStore(base, 'ETHEREUM');
      expect(await getCoverage(ethereum)).toMatchObject({ through_day: dates[0], waiting_days: 0 });
      for (const day of dates) expect(await getCheckpoint(ethereum, day)).toEqual({ day, sequence: 0 });
      all.push(ids());
      if (!crashed) return all;
    }
  }

  test('sends each event in order, at whichever write it crashes', async () => {
    const all = await crashEverywhere();
    // Each day has its checkpoint, the commit, and the deletion of the sent note.
    expect(all.length).toBeGreaterThan(3 * days.length);
    for (const ids of all) expect([...new Set(ids)]).toEqual(days);
    // A crash between sending and deleting the note repeats an event.
    expect(all.some((ids) => ids.length > days.length)).toBe(true);
    expect(all.at(-1)).toEqual(days);
  });

  test('that restates a day sends its event, at whichever write it crashes', async () => {
    const all = await crashEverywhere(async (base) => {
      await publishWrongly(base, DAY, 1, 4);
      await run({ sendEvent: receiver().send }, base);
      await requestRestatement(chainStore(base, 'ETHEREUM'), DAY, restatement);
      expect(await listUnsentEvents(chainStore(base, 'ETHEREUM'))).toEqual([]);
    });
    expect(all.length).toBeGreaterThan(5);
    for (const ids of all) expect([...new Set(ids)]).toEqual([`${DAY}#2`]);
  });
});
