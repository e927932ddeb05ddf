import { addDays } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { saveFinality } from '#core/store/chain/finality-state.ts';
import { getCheckpoint } from '#core/store/days/checkpoints.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import { realChain } from '#test/support/generators/chains/real-chain.ts';
import { answerFrom, refAt } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, ERA_TIMES, FILE_NAMES } from '#test/support/generators/files/era-scene.ts';
import { sumOf } from '#test/support/generators/files/small-era-files.ts';
import { FROM, useFileRuns } from '#test/support/processes/file-run.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';

const { store, scene, run, storedDays, daysOfScene } = useFileRuns();
const NEWEST_FIRST = ERA_DAYS.toReversed();
/** The files end within it. */
const CUT = addDays(ERA_DAYS[3] ?? '', 1);

const damaged = (name = FILE_NAMES[1] ?? ''): ReadonlyMap<string, Buffer> => {
  const bytes = Buffer.from(scene.files.get(name) ?? []);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
  return new Map([...scene.files, [name, bytes]]);
};

describe('days from era files', () => {
  test('become final across the ends of files, proven, with the host of the files', async () => {
    const { reports, closing } = await run(NEWEST_FIRST);
    // A day waits for the day after it, unless hosts have confirmed that one meanwhile.
    for (const { final, waiting } of reports) expect(final || waiting).toBe(true);
    expect([...reports, closing].flatMap(({ days }) => days).toSorted()).toEqual(ERA_DAYS);
    expect(closing.outcome).toBe('up to date');
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
    expect(await getStoredDay(store(), FROM)).toMatchObject({
      evidence: 'proven',
      proven_blocks: 3,
      endpoint_hosts: ['mirror.example'],
      confirmed_by: [expect.stringContaining('127.0.0.1'), expect.stringContaining('127.0.0.1')],
    });
    expect(await getCoverage(store())).toMatchObject({ through_day: ERA_DAYS[3], waiting_days: 0 });
  });

  test('that the files end within are read up to their end, and confirm the day before', async () => {
    // Nodes have no later block than the last one of the files.
    const { reports } = await run([CUT, ERA_DAYS[3] ?? '']);
    expect(reports[0]).toMatchObject({ outcome: 'up to date', final: false, blocks: 2 });
    expect((await getCheckpoint(store(), CUT)).anchored?.last?.number).toBe(ERA_TIMES.length - 1);
    expect(reports[1]).toMatchObject({ final: true });
  });
});

describe('a damaged file', () => {
  test('is not needed where another file has the same blocks', async () => {
    const name = FILE_NAMES[0] ?? '';
    const files = new Map([
      ...damaged(name),
      ['mainnet-00000-ffffffff.era1', scene.files.get(name) as Buffer],
    ]);
    await run(NEWEST_FIRST, { files });
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
  });

  test('leaves what was read before it in the checkpoint, from where a repaired one continues', async () => {
    const day = ERA_DAYS[1] ?? '';
    await run([day], { files: damaged() });
    expect((await getCheckpoint(store(), day)).progress?.last?.number).toBe(5);
    const { reports } = await run([day]);
    expect(reports).toMatchObject([{ waiting: true, blocks: 1 }]);
  });
});

describe('what hosts say', () => {
  const root = `0x${'ab'.repeat(32)}`;
  const proveLastBlock = () => {
    const proof = { kind: 'sync committee', slot: 7, root, committee: '' } as const;
    return saveFinality(store(), { sequence: 0 }, root, { ...proof, block: refAt(scene.blocks, 14) });
  };

  test('refuses consistent files of another chain', async () => {
    const others = realChain(ERA_TIMES.map((time) => time - 1));
    const { reports } = await run(NEWEST_FIRST, { answers: [answerFrom(others), answerFrom(others)] });
    for (const { final, waiting } of reports) expect([final, waiting]).toEqual([false, undefined]);
    expect(await storedDays()).toEqual([]);
    expect(await listWaitingDays(store())).toEqual([]);
  });

  test('of a single host publishes nothing without a final day after it', async () => {
    const alone = { answers: [answerFrom(scene.blocks)] };
    await run(NEWEST_FIRST, alone);
    expect(await storedDays()).toEqual([]);
    expect(await listWaitingDays(store())).toHaveLength(4);
  });

  test('is not needed where days link to a block that the chain proves to be final, by their parent hashes', async () => {
    await proveLastBlock();
    await run([CUT, ...NEWEST_FIRST], { finality: 'proven' });
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
    expect(await getStoredDay(store(), FROM)).toMatchObject({
      links_to: { slot: 7, root },
      evidence: 'proven',
    });
  });

  test('publishes nothing where the chain must prove its blocks, and no proven block follows', async () => {
    await proveLastBlock();
    await run([ERA_DAYS[0] ?? '', ERA_DAYS[1] ?? ''], { finality: 'proven' });
    expect(await storedDays()).toEqual([]);
    expect(await listWaitingDays(store())).toHaveLength(2);
  });
});

describe('the blocks of a file', () => {
  test('have dollars where a feed is known', async () => {
    const feed = { aggregator: `0x${'7d'.repeat(20)}`, maxAge: 100 };
    const [name = '', bytes = Buffer.alloc(0)] = [...scene.files][0] ?? [];
    for (const { dollars, totals } of (await sumOf({ name, bytes }, feed)).days)
      expect(dollars).toMatchObject({ ...feed, unpriced: totalFees(totals.fees), updates: 0 });
  });

  test.each([
    ['a file of another format', Buffer.from('<html>not found</html>'), 'does not end with an index'],
    ['an empty file', Buffer.alloc(0), 'does not end with an index'],
  ])('are refused in %s', async (_, bytes, problem) => {
    expect((await sumOf({ name: FILE_NAMES[0] ?? '', bytes })).problem).toContain(problem);
  });
});
