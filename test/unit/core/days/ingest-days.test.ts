import { daysToRead, ingestDays, nextRestatement } from '#core/days/ingest-days.ts';
import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { getCheckpoint, requestRestatement, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { discardWaitingDay } from '#core/store/days/waiting-days.ts';
import { blockAt, dayFigures, header, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { startNodes } from '#test/support/nodes/several-nodes.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { putDay, putWaitingDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const [DAY, NEXT, DAY_AFTER] = ['2026-11-18', '2026-11-19', '2026-11-20'] as const;

const put = (day: string) => putDay(store(), dayFigures(day), provenance());

/** Runs a function that must not write. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  const writes = [jest.spyOn(table(), 'putIf'), jest.spyOn(table(), 'deleteItem')];
  const result = await read();
  for (const write of writes) {
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
  }
  return result;
}

describe('the days to read', () => {
  const FROM = '2026-11-16';
  const begin = (day: string) =>
    saveCheckpoint(store(), { day, sequence: 0 }, { progress: startDayProgress(day, blockAt(4)) });
  const wait = (day: string) =>
    putWaitingDay(store(), { progress: startDayProgress(day, blockAt(4)), next: blockAt(5), since: 0 });
  /** Collects the days while the anchor is of 20 November. */
  async function plan(
    onDay: (day: string) => Promise<unknown> = async () => {},
    from = FROM,
  ): Promise<string[]> {
    const days: string[] = [];
    for await (const day of daysToRead(store(), from, Date.parse('2026-11-20T12:00:00Z') / 1_000)) {
      days.push(day.slice(-2));
      await onDay(day);
    }
    return days;
  }

  test('are the newest complete day, the running day, then back to the first', async () => {
    expect(await reading(plan)).toEqual(['19', '20', '18', '17', '16']);
  });

  test('begin with the day before the newest when that has begun, so that a slow chain completes days', async () => {
    await begin('2026-11-18');
    await begin('2026-11-17');
    const onDay = async (day: string) => day === '2026-11-18' && put(day);
    expect(await plan(onDay)).toEqual(['18', '19', '20', '17', '16']);
  });

  test('do not begin with the day before the newest when a block of it was refused', async () => {
    await begin('2026-11-18');
    const checkpoint = await getCheckpoint(store(), '2026-11-18');
    const refusal = { reason: 'It forked.', at: '2026-11-20T12:00:00.000Z' };
    await saveCheckpoint(store(), checkpoint, { ...checkpoint, refusal });
    expect(await plan()).toEqual(['19', '20', '18', '17', '16']);
  });

  test('are none that became final, or began to wait, since the last', async () => {
    const onDay = async (day: string) => {
      if (day === '2026-11-20') await put('2026-11-18');
      if (day === '2026-11-17') await wait('2026-11-16');
    };
    expect(await plan(onDay)).toEqual(['19', '20', '17']);
  });

  test('end with the days before the first that must be read again, the latest first', async () => {
    for (const day of ['16', '17', '18', '19']) await put(`2026-11-${day}`);
    await refreshCoverage(store(), FROM);
    for (const day of ['14', '12', '17'])
      await store().table.commit([discardWaitingDay(store(), `2026-11-${day}`)]);
    expect(await reading(plan)).toEqual(['20', '14', '12']);
  });

  test.each([
    ['2026-11-19', ['19', '20']],
    ['2026-11-20', ['20']],
    ['2026-11-21', []],
  ])('begin with the first day %s', async (from, days) => {
    await begin('2026-11-18');
    expect(await plan(undefined, from)).toEqual(days);
  });
});

test('a run gives the proof of a day to the 40 days before it, the latest first, and the next run to more', async () => {
  const proof = { kind: 'sync committee', slot: 7, root: '0x12' } as const;
  for (let age = 41; age > 0; age--) await put(addDays(DAY, -age));
  await putDay(store(), dayFigures(DAY), provenance({ finality: proof }));
  const covered = async () => (await getCoverage(store()))?.days.split(' ')[1];
  expect(await covered()).toBe('p40Pp');
  using hosts = serveAnswers([]);
  const anchor = { ...header({ timestamp: startOfDay(NEXT) }), hosts: [] };
  // No day is left to read.
  const run = dayRunOf(hosts, anchor, table(), { store: store(), from: DAY_AFTER });
  expect(await ingestDays(run)).toEqual({ kind: 'up to date' });
  expect(await covered()).toBe('Pp41');
  await ingestDays(run);
  expect(await covered()).toBe('p42');
});

describe('a run', () => {
  const ethereum = useMemoryStore('ETHEREUM');

  test('reads older days though both the newest and the running one fail', async () => {
    const times = [at(-1, 0), at(0, 0), at(0, 9), at(1, 0), at(1, 9), at(1, 10), at(2, 0), at(2, 9)];
    const answer = answerFrom(sampleChain(times));
    const lost: NodeAnswer = (call) => {
      const isLost = call.method === 'eth_getBlockReceipts' && [5, 7].includes(Number(call.params[0]));
      return isLost ? { result: null } : answer(call);
    };
    await using started = await startNodes([lost, lost]);
    expect(await runIngest(ethereum.table(), started.nodes)).toMatchObject({
      outcome: 'failed',
      days: [DAY],
    });
  });
});

describe('nextRestatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const next = (day?: string) => reading(() => nextRestatement(store(), day));

  beforeEach(async () => {
    for (const day of [DAY, NEXT, DAY_AFTER]) await put(day);
  });

  test('is the latest that is open, with its progress', async () => {
    await requestRestatement(store(), DAY, restatement);
    await requestRestatement(store(), NEXT, restatement);
    const progress = startDayProgress(NEXT, blockAt(4));
    const requested = await next();
    if (requested) await saveCheckpoint(store(), requested, { progress });
    expect(await next()).toEqual({ day: NEXT, sequence: expect.any(Number), restatement, progress });
    expect(await next(DAY)).toMatchObject({ day: DAY });
    expect(await next(DAY_AFTER)).toBeUndefined();
  });
});
