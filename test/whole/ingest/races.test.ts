import { finalizeDay, publishDay } from '#core/days/publish-day.ts';
import { reconcileFinalDays, reconcileRestatements } from '#core/days/reconcile.ts';
import { refreshCoverage } from '#core/days/refresh-coverage.ts';
import { type DayEvent, sendDueEvents } from '#core/events/day-events.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import type { DayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { listConflicts, saveConflict } from '#core/store/chain/conflicts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import {
  deleteCheckpoint,
  listRestatements,
  requestRestatement,
  saveCheckpoint,
} from '#core/store/days/checkpoints.ts';
import { isContiguous } from '#core/store/days/compare-figures.ts';
import { getDay, getFinalDay, putPrice } from '#core/store/days/days.ts';
import { listUnsentEvents, saveUnsentEvent } from '#core/store/days/notes.ts';
import { discardWaitingDay } from '#core/store/days/waiting-days.ts';
import { putDay, putStoredDay, replaceDay } from '#core/store/days/write-day.ts';
import { chainStore, type Item } from '#core/store/table/table.ts';
import { dayProgress, figuresIn, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom, refAt, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { racingTable } from '#test/support/tables/racing-table.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Two writers at once, or one that crashes between two writes. */

const { table, store } = useMemoryStore('ETHEREUM');
const [NEXT, AFTER] = [addDays(DAY, 1), addDays(DAY, 2)];
const NOW = Date.parse('2026-11-25T00:00:00Z');
const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
const finality = reportedBy([]);
const well = answerFrom(sampleBlocks);
const ref = (number: number) => refAt(sampleBlocks, number);
const dayOf = (day: UtcDay, first: number, last: number) => dayProgress(day, first, last, ref);
const wrong = { day: dayOf(DAY, 1, 3), next: dayOf(NEXT, 4, 7) };
const rightNext = dayOf(NEXT, 5, 7);
const publish = (progress: DayProgress, on = table()) =>
  publishDay(chainStore(on, 'ETHEREUM'), { progress, finality }, NOW);
const isWrite = (day: UtcDay) => (item: Item) => item.date === day;
const PRUNED = { error: { code: -32_000, message: 'pruned history unavailable' } };
const crash = async () => {
  throw new Error('crash');
};

describe('a restatement', () => {
  const finalize = async (progress: DayProgress, on = table()) => {
    using hosts = serveAnswers([well, well]);
    const run = dayRunOf(hosts, { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [] }, on);
    return await finalizeDay(run, { progress, finality }, restatement);
  };
  beforeEach(async () => {
    await publish(wrong.day);
    await publish(wrong.next);
    await refreshCoverage(store(), DAY);
    await requestRestatement(store(), NEXT, restatement);
  });

  test.each([
    ['another run has done it too', { after: () => finalize(rightNext) }],
    ['its request ended', { before: () => deleteCheckpoint(store(), { day: NEXT, restatement }) }],
  ])('is completed though %s', async (_, race) => {
    await finalize(rightNext, racingTable(table(), isWrite(NEXT), race));
    expect((await getCoverage(store()))?.changes.map(({ day }) => day)).toContain(NEXT);
    expect((await listRestatements(store())).map(({ day }) => day)).toEqual([DAY]);
  });

  test.each(['before', 'after'])(
    'of the day after, %s a day is restated to its old end, leaves no silent gap',
    async (when) => {
      await requestRestatement(store(), DAY, restatement);
      const other = async () => {
        await replaceDay(store(), figuresIn(rightNext), provenance(), restatement, rightNext);
        await reconcileRestatements(store(), DAY, NEXT);
      };
      const totals = { ...NO_TOTALS, transactions: 9 };
      const on = racingTable(table(), isWrite(DAY), { [when]: other });
      await finalize({ ...wrong.day, totals }, on);
      const [one, two] = [await getDay(store(), DAY), await getDay(store(), NEXT)];
      const open = [...(await listRestatements(store(), DAY)), ...(await listConflicts(store()))];
      expect((one && two && isContiguous(one, two)) || open.length > 0).toBe(true);
    },
  );

  test('of the day after, which ends late, leaves the conflict of a gap that another run has found', async () => {
    await requestRestatement(store(), DAY, restatement);
    await replaceDay(store(), figuresIn(rightNext), provenance(), restatement, rightNext);
    const after = () => finalize({ ...wrong.day, totals: { ...NO_TOTALS, transactions: 9 } });
    const on = racingTable(table(), isWrite(`restatement#${DAY}`), { after });
    await reconcileRestatements(chainStore(on, 'ETHEREUM'), DAY, NEXT);
    expect([await listRestatements(store(), DAY), await listConflicts(store())]).toMatchObject([
      [],
      [{ day: DAY }],
    ]);
  });

  test('of one day does not settle the gap between the two after it', async () => {
    const gap = { kind: 'conflict', day: NEXT, reason: 'not contiguous' } as const;
    await putDay(store(), figuresIn(dayOf(AFTER, 9, 9)), provenance());
    await saveConflict(store(), { ...gap, since: 1 });
    await requestRestatement(store(), DAY, restatement);
    await replaceDay(store(), figuresIn(wrong.day), provenance(), restatement);
    await reconcileRestatements(store(), DAY, DAY);
    expect(await listConflicts(store())).toMatchObject([{ day: NEXT }]);
  });

  test('while a day is being priced leaves no event of dollars that the revision lacks', async () => {
    const dollars = {
      fees_usd: '2.5',
      price: { first: '1', last: '1', updates: 1, aggregator: '0x1', evidence: 'proven' as const },
      unpriced_reason: undefined,
    };
    const priceOf = async (read: Awaited<ReturnType<typeof getFinalDay>>, revision: number) => {
      await saveUnsentEvent(store(), { day: DAY, revision, is_priced: true, amendment: 1 });
      return read && putPrice(store(), read.version, dollars);
    };
    const first = await getFinalDay(store(), DAY);
    await replaceDay(store(), figuresIn(wrong.day), provenance(), restatement);
    expect(await priceOf(first, 1)).toBe(false);
    expect(await priceOf(await getFinalDay(store(), DAY), 2)).toBe(true);
    const events: DayEvent[] = [];
    const send = async (event: DayEvent) => void events.push(event);
    await sendDueEvents(store(), send, { signal: new AbortController().signal, now: Date.now });
    const priced = events.filter((event) => event['detail-type'] === 'Day Priced');
    expect(priced.map(({ detail }) => [detail.revision, detail.fees_usd])).toEqual([[2, '2.5']]);
    expect(await listUnsentEvents(store())).toEqual([]);
  });
});

test('days that are not contiguous are a conflict, though the later writer crashed', async () => {
  await saveCheckpoint(
    store(),
    { day: DAY, sequence: 0 },
    { progress: wrong.day, anchored: undefined, anchoredBy: undefined },
  );
  const on = racingTable(table(), isWrite(DAY), { before: () => publish(rightNext), after: crash });
  await expect(publish(wrong.day, on)).rejects.toThrow('crash');
  await reconcileFinalDays(store(), DAY);
  expect(await listConflicts(store())).toMatchObject([{ day: DAY }]);
});

test('an archived day that no node can read again fails no run', async () => {
  await using node = await startJsonRpcServer(well);
  await runIngest(table(), [node]);
  const item = await table().getItem({ chain: 'ETHEREUM', date: DAY });
  await table().putIf({ ...item, evidence: 'archived', archived_from: archiveOrigin() });
  await refreshCoverage(store(), DAY);
  await discardWaitingDay(store(), DAY);
  await using pruned = await startJsonRpcServer((call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) <= 4 ? PRUNED : well(call),
  );
  expect(await runIngest(table(), [pruned])).toMatchObject({ outcome: 'up to date' });
});

test('the event of another copy of a day has the figures of that copy', async () => {
  await publish(wrong.day);
  const sent: unknown[] = [];
  const send = async ({ detail }: DayEvent) => void sent.push(detail.transaction_count);
  const sendEvents = () =>
    sendDueEvents(store(), send, { signal: new AbortController().signal, now: Date.now });
  await sendEvents();
  const before = await getStoredDay(store(), DAY);
  const on = racingTable(table(), isWrite(DAY), { before: sendEvents });
  if (before) await putStoredDay(on, { ...before, transaction_count: 77 }, before);
  await sendEvents();
  expect(sent).toEqual([3, 77]);
});

test('no cache keeps a day that inherited finality before a crash', async () => {
  await using node = await startJsonRpcServer(well);
  await runIngest(table(), [node]);
  const [one = '', two = ''] = completeDays.map(({ day }) => day);
  for (const [date, confirmed_by] of [
    [two, ['x.example', 'y.example']],
    [one, []],
  ] as const)
    await table().putIf({ ...(await table().getItem({ chain: 'ETHEREUM', date })), confirmed_by });
  expect(await refreshCoverage(store(), one)).toMatchObject({ summary: { heirs: 1 } });
  await expect(runIngest(racingTable(table(), isWrite(one), { after: crash }), [node])).rejects.toThrow(
    'crash',
  );
  expect(await refreshCoverage(store(), one)).toMatchObject({
    replacing_since: expect.any(String),
    summary: { heirs: 0 },
  });
});
