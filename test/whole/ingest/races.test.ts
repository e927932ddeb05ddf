import { publishDay as publishInRun } from '#core/days/publish-day.ts';
import { type DayEvent, sendDueEvents } from '#core/events/day-events.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import type { DayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { deleteCheckpoint, listRestatements, requestRestatement } from '#core/store/days/checkpoints.ts';
import { isContiguous } from '#core/store/days/compare-figures.ts';
import { getDay, getFinalDay } from '#core/store/days/days.ts';
import { listUnsentEvents } from '#core/store/days/notes.ts';
import { discardWaitingDay } from '#core/store/days/waiting-days.ts';
import { chainStore, type Item } from '#core/store/table/table.ts';
import { setPrice } from '#core/transitions/price.ts';
import { dayProgress, figuresIn, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom, refAt, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { publishDay, putStoredDay, refreshCoverage, replaceDay } from '#test/support/tables/put-day.ts';
import { racingTable } from '#test/support/tables/racing-table.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Two writers at once. */

const { table, store } = useMemoryStore('ETHEREUM');
const [NEXT, _AFTER] = [addDays(DAY, 1), addDays(DAY, 2)];
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
const _crash = async () => {
  throw new Error('crash');
};

describe('a restatement', () => {
  const finalize = async (progress: DayProgress, on = table()) => {
    using hosts = serveAnswers([well, well]);
    const run = dayRunOf(hosts, { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [] }, on);
    return await publishInRun(run, { progress, finality }, restatement);
  };
  beforeEach(async () => {
    await publish(wrong.day);
    await publish(wrong.next);
    await requestRestatement(store(), NEXT, restatement);
  });

  test.each([
    ['another run does it first', () => finalize(rightNext), [DAY]],
    ['its request ends', () => deleteCheckpoint(store(), { day: NEXT, restatement }), []],
  ])('is done at most once if %s', async (_, before, requested) => {
    const on = racingTable(table(), isWrite(NEXT), { before });
    expect(await finalize(rightNext, on)).toMatchObject({ kind: 'overtaken' });
    expect((await listRestatements(store())).map(({ day }) => day)).toEqual(requested);
  });

  test('of the day after, while a day is restated to its old end, leaves no silent gap', async () => {
    await requestRestatement(store(), DAY, restatement);
    const before = () => finalize(rightNext);
    const totals = { ...NO_TOTALS, transactions: 9 };
    await finalize({ ...wrong.day, totals }, racingTable(table(), isWrite(DAY), { before }));
    const [one, two] = [await getDay(store(), DAY), await getDay(store(), NEXT)];
    const open = [...(await listRestatements(store(), DAY)), ...(await listConflicts(store()))];
    expect((one && two && isContiguous(one, two)) || open.length > 0).toBe(true);
  });

  test('while a day is being priced leaves no event of dollars that the revision lacks', async () => {
    const dollars = {
      fees_usd: '2.5',
      price: { first: '1', last: '1', updates: 1, aggregator: '0x1', evidence: 'proven' as const },
      unpriced_reason: undefined,
    };
    const price = async (read: Awaited<ReturnType<typeof getFinalDay>>) =>
      read && setPrice(store(), read.version, dollars);
    const first = await getFinalDay(store(), DAY);
    const other = figuresIn({ ...wrong.day, totals: { ...NO_TOTALS, transactions: 9 } });
    await replaceDay(store(), other, provenance(), restatement);
    expect(await price(first)).toBe(false);
    expect(await price(await getFinalDay(store(), DAY))).toBe(true);
    const events: DayEvent[] = [];
    const send = async (event: DayEvent) => void events.push(event);
    await sendDueEvents(store(), send, { signal: new AbortController().signal, now: Date.now });
    const priced = events.filter((event) => event['detail-type'] === 'Day Priced');
    expect(priced.map(({ detail }) => [detail.revision, detail.fees_usd])).toEqual([[2, '2.5']]);
    expect(await listUnsentEvents(store())).toEqual([]);
  });
});

test('an archived day that no node can read again fails no run', async () => {
  await using node = await startJsonRpcServer(well);
  await runIngest(table(), [node]);
  const item = await table().getItem({ chain: 'ETHEREUM', date: DAY });
  await table().putIf({ ...item, evidence: 'archived', archived_from: archiveOrigin() });
  await refreshCoverage(store(), DAY);
  await table().commit([discardWaitingDay(store(), DAY)]);
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
