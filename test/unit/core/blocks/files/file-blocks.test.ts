import type { AnchoredNetwork } from '#core/anchor/network.ts';
import { fileBlocks } from '#core/blocks/files/file-blocks.ts';
import { type BlockFile, EraFileError, UnreadableError } from '#core/blocks/files/source.ts';
import { chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { saveFinality } from '#core/store/chain/finality-state.ts';
import { getCheckpoint } from '#core/store/days/checkpoints.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { realChain } from '#test/support/generators/chains/real-chain.ts';
import { answerFrom, refAt } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, ERA_TIMES, FILE_NAMES } from '#test/support/generators/files/era-scene.ts';
import { sumOf } from '#test/support/generators/files/small-era-files.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';
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

describe('headers of files', () => {
  const LAST = ERA_TIMES.length - 1;
  const hashAt = (number: number) => refAt(scene.blocks, number).hash;

  /** A file whose headers are read by this function; by default those of the scene. */
  function fileOf(read: (number: number) => void = () => {}, first = 0): BlockFile {
    const header = async (number: number) => {
      read(number);
      const block = scene.blocks[number];
      if (!block) throw new Error(`no test needs block ${number}`);
      return bytesOf(chainOf('ETHEREUM'), block).header;
    };
    return { name: 'a.era1', first, last: LAST, header, blocks: async function* () {} };
  }
  const unless = (isRead: (number: number) => boolean, error: Error) => (number: number) => {
    if (!isRead(number)) throw error;
  };
  const DAMAGED = new EraFileError('damaged');

  function open(files: readonly BlockFile[], anchor = { number: LAST + 1, hash: '0x1' }) {
    const found = async () => ({ files, problems: [] });
    const network: AnchoredNetwork = {
      ...{ chain: chainOf('ETHEREUM'), evidence: 'proven', quorum: 1, isProofRequired: false, hosts: [] },
      context: requestContextWith(),
      anchor: { ...anchor, parentHash: '0x', timestamp: 0, hosts: [] },
    };
    const source = fileBlocks({ host: 'mirror.example', ends: found, withBlock: found }, network);
    const [reader] = source.headers();
    return { source, read: async (number: number) => reader?.read(network, number) };
  }

  test('are read from the first file that has them undamaged', async () => {
    const damaged = fileOf(unless(() => false, DAMAGED));
    expect(await open([damaged, fileOf()]).read(3)).toMatchObject({
      kind: 'fetched',
      value: { number: 3, hash: hashAt(3) },
    });
  });

  const damaged = () => fileOf(unless(() => false, DAMAGED));
  const unreadable = () => fileOf(unless(() => false, new UnreadableError('slow')));
  test.each<[string, readonly BlockFile[], string, object]>([
    [
      'in no file',
      [],
      'mirror.example has no file with block 3',
      { isUnavailable: true, isDamaged: false, isRuleChange: false },
    ],
    ['damaged', [damaged()], 'a.era1: damaged', { isUnavailable: false, isDamaged: true }],
    [
      'damaged in one file, and cannot be read from another for now',
      [damaged(), unreadable()],
      'a.era1: damaged. a.era1: slow',
      { isUnavailable: false, isDamaged: false },
    ],
  ])('say whether other files would help, such as one that is %s', async (_, files, reason, kind) => {
    const read = await open(files).read(3);
    expect(read).toMatchObject({ kind: 'no endpoint', ...kind });
    expect(read).toHaveProperty('reason', `block 3 of ETHEREUM cannot be read: ${reason}`);
  });

  test('of known blocks are asked of nodes only where no file has them', async () => {
    const known = { number: 3, hash: hashAt(3) };
    expect(await open([fileOf()]).source.readKnown(known)).toMatchObject({ kind: 'fetched', value: known });
    // The chain has no node.
    expect(await open([]).source.readKnown(known)).toMatchObject({ kind: 'no endpoint' });
  });

  test('that are of other blocks count as damaged', async () => {
    const shifted = fileOf();
    const file = { ...shifted, header: (number: number) => shifted.header(number + 1) };
    expect(await open([file]).read(3)).toMatchObject({
      reasons: ['a.era1: it has block 4 in place of 3'],
      isDamaged: true,
    });
  });

  test('end with the anchor, whose hash they must have, or before it', async () => {
    const lastWith = async (anchor?: { number: number; hash: string }) => {
      const read = await open([fileOf()], anchor).source.lastBlock();
      return read.kind === 'fetched' ? read.value.number : read.reasons;
    };
    expect(await lastWith()).toBe(LAST);
    expect(await lastWith({ number: LAST - 1, hash: hashAt(LAST - 1) })).toBe(LAST - 1);
    expect(await lastWith({ number: LAST, hash: hashAt(3) })).toEqual([
      `a.era1: block ${LAST} is ${hashAt(LAST)}, not ${hashAt(3)}`,
    ]);
  });

  test.each([
    [0, LAST, LAST],
    [0, LAST - 1, LAST - 1],
    [0, LAST - 3, LAST - 4],
    [LAST - 8, LAST - 8, LAST - 8],
    [LAST - 7, LAST - 7, undefined],
  ])('of a file from %i on, of which those after %i are damaged, end with %p', async (first, to, last) => {
    const read = await open([
      fileOf(
        unless((number) => number <= to, DAMAGED),
        first,
      ),
    ]).source.lastBlock();
    if (last === undefined) expect(read).toMatchObject({ kind: 'no endpoint', isDamaged: true });
    else expect(read).toMatchObject({ kind: 'fetched', value: { number: last } });
  });

  test('that cannot be read for now hide no block of a file', async () => {
    const file = fileOf(unless((number) => number < LAST, new UnreadableError('slow')));
    expect(await open([file]).source.lastBlock()).toMatchObject({ reasons: ['a.era1: slow'] });
  });
});
