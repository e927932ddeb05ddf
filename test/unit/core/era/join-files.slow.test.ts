import { bytesOf } from '#bench/ingest/node/block-bytes.ts';
import { era1File, eraFileName } from '#bench/ingest/node/era-files.ts';
import { addDays } from '#core/figures/calendar.ts';
import { type Finality, reportedBy } from '#core/figures/finality.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { publishDay } from '#core/ingest/days/publish-day.ts';
import { getCoverage } from '#core/store/coverage.ts';
import { getEraSums } from '#core/store/era-sums.ts';
import { coverageKey, dayKey } from '#core/store/keys.ts';
import { getStoredDay } from '#core/store/stored-days.ts';
import { deleteUnsentEvent, listUnsentEvents } from '#core/store/unsent-events.ts';
import { listWaitingDays, putWaitingDay } from '#core/store/waiting-days.ts';
import { ERA_DAYS, FILE_NAMES } from '#test/support/generators/era-scene.ts';
import { answerFrom, refAt, reseal } from '#test/support/generators/sample-chain.ts';
import type { RawBlock } from '#test/support/generators/seal.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { ETHEREUM, FROM, unavailable, useEraRuns } from '#test/support/processes/era-run.ts';

const { store, scene, run, storedDays, daysOfScene } = useEraRuns();
const deleteDay = (day: string) => store().table.deleteItem(dayKey(store(), day));

test('publishes the days of real blocks in four files, those within a file at once and the others joined', async () => {
  const { ends, joined } = await run(FILE_NAMES);
  expect(ends.map((end) => end.kind === 'proven' && end.days)).toEqual([[FROM], [], [], []]);
  expect(joined).toMatchObject({ files: 4, days: ERA_DAYS.slice(1), conflicts: [] });
  expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
  expect(await getStoredDay(store(), FROM)).toMatchObject({
    evidence: 'proven',
    proven_blocks: 3,
    endpoint_hosts: ['mirror.example'],
    confirmed_by: [expect.stringContaining('127.0.0.1'), expect.stringContaining('127.0.0.1')],
  });
});

test('changes nothing when it is repeated', async () => {
  await run(FILE_NAMES);
  const before = await storedDays();
  const { joined } = await run(FILE_NAMES);
  expect(joined).toMatchObject({ days: [], conflicts: [] });
  expect(await storedDays()).toEqual(before);
});

test('sends no event of a day again when it is repeated', async () => {
  await run(FILE_NAMES);
  for (const event of await listUnsentEvents(store())) await deleteUnsentEvent(store(), event);
  await run(FILE_NAMES);
  expect(await listUnsentEvents(store())).toEqual([]);
});

test('adds days to the coverage that an interrupted run published', async () => {
  await run(FILE_NAMES.slice(0, 1));
  const before = await store().table.getItem(coverageKey(store()));
  await run(FILE_NAMES);
  await store().table.putIf({ ...before, ...coverageKey(store()) });
  await run(FILE_NAMES);
  expect(await getCoverage(store())).toMatchObject({ through: ERA_DAYS[3], last: ERA_DAYS[3] });
});

test('removes the waiting days that become final, and counts none in the coverage', async () => {
  const [, day = ''] = ERA_DAYS;
  const progress = startDayProgress(day, refAt(scene.blocks, 3));
  await putWaitingDay(store(), { progress, next: refAt(scene.blocks, 7), since: 0 });
  await run(FILE_NAMES);
  expect(await listWaitingDays(store())).toEqual([]);
  expect(await getCoverage(store())).toMatchObject({ waitingDays: 0 });
});

test('loses only the days of a missing file, and names the blocks that are missing', async () => {
  const { joined } = await run(FILE_NAMES.toSpliced(1, 1));
  expect(await storedDays()).toEqual(daysOfScene(0, 3));
  expect(joined.missing[0]).toEqual({
    first: ERA_DAYS[1],
    last: ERA_DAYS[2],
    reason: 'no confirmed file has the blocks 5 to 6',
  });
});

test('loses only the days of a tampered file, and names it with the reason', async () => {
  const name = FILE_NAMES[1] ?? '';
  const bytes = Buffer.from(scene.files.get(name) ?? []);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
  const { ends, joined } = await run(FILE_NAMES, { files: new Map([...scene.files, [name, bytes]]) });
  expect(ends[1]).toMatchObject({ kind: 'refused' });
  expect(await storedDays()).toEqual(daysOfScene(0, 3));
  expect(joined.missing[0]?.reason).toContain(`${name}: `);
});

test('publishes nothing while no endpoint confirms a hash, and all of it once one file is confirmed', async () => {
  const silent = { answers: [unavailable] };
  const { ends } = await run(FILE_NAMES, silent);
  expect(ends.map(({ kind }) => kind)).toEqual(['proven', 'proven', 'proven', 'proven']);
  expect(await storedDays()).toEqual([]);
  await run(FILE_NAMES.slice(3));
  expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
});

describe('files that no hosts confirm', () => {
  /** A single node, which cannot vouch for a block that is not its final one. */
  const alone = () => ({ answers: [answerFrom(scene.blocks)] });

  /** Publishes day n of the scene, as the ingest of later days does. */
  async function publishScene(day: number, finality: Finality = reportedBy(['a.example'])): Promise<void> {
    const ref = (number: number) => refAt(scene.blocks, number);
    const totals = scene.totalsOf(3 * day + 1, 3 * day + 3);
    const progress = {
      ...startDayProgress(ERA_DAYS[day] ?? '', ref(3 * day)),
      first: ref(3 * day + 1),
      last: ref(3 * day + 3),
      totals,
      provenBlocks: 3,
    };
    expect(await publishDay(store(), { progress, finality }, 0)).toBeUndefined();
  }

  const hostsOf = async (day: number) => (await getStoredDay(store(), ERA_DAYS[day] ?? ''))?.confirmed_by;

  test('publish no day without a final day after it, and say so', async () => {
    const { ends, joined } = await run(FILE_NAMES, alone());
    const note = expect.stringContaining('a quorum of 1 cannot confirm block 4: ');
    expect(ends[0]).toEqual({ kind: 'proven', days: [], note });
    expect(await storedDays()).toEqual([]);
    expect(joined).toMatchObject({ days: [], conflicts: [], unconfirmed: FILE_NAMES });
    expect(joined.missing).toMatchObject([
      {
        first: FROM,
        last: addDays(FROM, 4),
        reason: expect.stringContaining(`${FILE_NAMES[0]}: its last hash`),
      },
    ]);
  });

  test('publish nothing on the word of hosts, early or late, where the chain must prove its days', async () => {
    await run(FILE_NAMES);
    for (const day of ERA_DAYS) await deleteDay(day);
    const { joined } = await run(FILE_NAMES, { isProofRequired: true });
    expect([joined.days, await storedDays()]).toEqual([[], []]);
    await publishScene(3);
    await run(FILE_NAMES, { isProofRequired: true });
    expect(await storedDays()).toEqual(daysOfScene(3));
    await deleteDay(ERA_DAYS[3] ?? '');
    await publishScene(3, { kind: 'sync committee', slot: 1, root: '0x12' });
    await run(FILE_NAMES, { isProofRequired: true });
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
  });

  test('publish the days before a final day, each of which the day after it continues', async () => {
    await run(FILE_NAMES, alone());
    await publishScene(3);
    const { joined } = await run(FILE_NAMES, alone());
    expect(joined).toMatchObject({ days: ERA_DAYS.slice(0, 3), conflicts: [], unconfirmed: [FILE_NAMES[3]] });
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
    expect(await Promise.all([0, 1, 2, 3].map(hostsOf))).toEqual(Array(4).fill(['a.example']));
    expect(await getCoverage(store())).toMatchObject({ through: ERA_DAYS[3] });
  });

  test('publish the days before a day that hosts confirm, and nothing after it', async () => {
    await run(FILE_NAMES.slice(0, 2), alone());
    await run(FILE_NAMES.slice(2, 3));
    await run(FILE_NAMES.slice(3), alone());
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2));
    expect(await hostsOf(2)).toHaveLength(2);
  });

  test('publish a day within a file at once when the day after it is final', async () => {
    await publishScene(1);
    const { ends } = await run(FILE_NAMES.slice(0, 1), alone());
    expect(ends[0]).toMatchObject({ kind: 'proven', days: [FROM] });
  });

  test('publish no day before one that is missing or not connected', async () => {
    await run(FILE_NAMES.toSpliced(1, 1), alone());
    await publishScene(3);
    const { parent_hash: _, ...item } =
      (await store().table.getItem(dayKey(store(), ERA_DAYS[3] ?? ''))) ?? {};
    await store().table.putIf({ ...item, chain: 'ETHEREUM', date: ERA_DAYS[3] ?? '' });
    await run(FILE_NAMES.toSpliced(1, 1), alone());
    expect(await storedDays()).toEqual(daysOfScene(3));
    const parent_hash = refAt(scene.blocks, 9).hash;
    await store().table.putIf({ ...item, chain: 'ETHEREUM', date: ERA_DAYS[3] ?? '', parent_hash });
    const { joined } = await run(FILE_NAMES.toSpliced(1, 1), alone());
    expect(await storedDays()).toEqual(daysOfScene(3));
    expect(joined.missing[0]).toEqual({
      first: ERA_DAYS[0],
      last: ERA_DAYS[2],
      reason:
        'no confirmed file has the blocks 0 to 6. ' +
        `${FILE_NAMES[0]}: its last hash is not confirmed, and no final day follows it`,
    });
    await run(FILE_NAMES, alone());
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
  });

  describe('in a forged chain from block 5 on', () => {
    let forged: readonly RawBlock[];
    let forgedFiles: ReadonlyMap<string, Buffer>;
    beforeAll(() => {
      forged = reseal(scene.blocks, 5, ({ header }) => ({ header, transactions: [], receipts: [] }));
      const bytes = forged.map((block) => bytesOf(ETHEREUM, block));
      const parts = [
        [5, 6],
        [7, 11],
        [12, 14],
      ] as const;
      forgedFiles = new Map(
        parts.map(([first, last], index) => {
          const own = bytes.slice(first, last + 1);
          return [eraFileName('era1', index + 1, { first }, own), era1File({ first }, own)];
        }),
      );
    });
    const names = () => [...forgedFiles.keys()];
    const all = () => new Map([...scene.files, ...forgedFiles]);
    /** Has the true final block, and forged blocks below it. */
    const liar = (): NodeAnswer => answerFrom([...forged.slice(0, 14), ...scene.blocks.slice(14)]);

    test.each([0, 1])('are not confirmed by a liar in place %i beside an honest node', async (place) => {
      const answers = [answerFrom(scene.blocks)].toSpliced(place, 0, liar());
      const { ends } = await run([...names(), ...FILE_NAMES], { answers, files: all() });
      // The true final block contradicts the last file of the forged chain.
      expect(ends.map(({ kind }) => kind)).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map((index) => (index === 2 ? 'refused' : 'proven')),
      );
      for (const name of names())
        expect((await getEraSums(store(), name)).sums).toMatchObject({ confirmedBy: [] });
      expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
    });

    test('publish no day through a single node that lies below its true final block', async () => {
      await publishScene(3);
      const { ends } = await run([...names(), ...FILE_NAMES], { answers: [liar()], files: all() });
      expect(ends[0]?.kind).toBe('proven');
      expect(await storedDays()).toEqual(daysOfScene(3));
      await run(FILE_NAMES, alone());
      expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
    });

    test('change no day of honest files when no node judged either', async () => {
      await run([...names(), ...FILE_NAMES], { answers: [unavailable], files: all() });
      expect(await storedDays()).toEqual([]);
      await publishScene(3);
      await run([], alone());
      expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
    });
  });
});
