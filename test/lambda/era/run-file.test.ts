import { randomBytes } from 'node:crypto';
import { bytesOf } from '../../../bench/ingest/node/block-bytes.ts';
import { era1File, eraFileName, inMemory } from '../../../bench/ingest/node/era-files.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { parseFileName } from '../../../lambda/era/file-name.ts';
import { joinEraFiles } from '../../../lambda/era/join-files.ts';
import { openEraSource } from '../../../lambda/era/open-source.ts';
import { UnreadableError } from '../../../lambda/era/random-access.ts';
import { runEraFile } from '../../../lambda/era/run-file.ts';
import { probeEndpoints } from '../../../lambda/ingest/endpoints.ts';
import { loadKeccak } from '../../../lambda/proof/keccak.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { queryDays } from '../../../lambda/store/days.ts';
import { getEraSums } from '../../../lambda/store/era-sums.ts';
import { coverageKey } from '../../../lambda/store/keys.ts';
import { getStoredDay } from '../../../lambda/store/stored-days.ts';
import { deleteUnsentEvent, listUnsentEvents } from '../../../lambda/store/unsent-events.ts';
import { fastClock } from '../../support/clock.ts';
import { startEraMirror } from '../../support/era-mirror.ts';
import { ERA_DAYS, ERA_TIMES, type EraScene, eraScene, FILE_NAMES } from '../../support/era-scene.ts';
import { startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { realChain } from '../../support/real-chain.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { NO_HASH, type RawBlock, sealBlock } from '../../support/seal.ts';
import { requestContextWith, upstreamsOf } from '../../support/source.ts';
import { useTable } from '../../support/table.ts';

const FROM = ERA_DAYS[0] ?? '';
/** Genesis is before its first day, as it is on the real chain. */
const ETHEREUM = { ...chainOf('ETHEREUM'), firstDay: FROM };
const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');

let scene: EraScene;
beforeAll(async () => {
  await loadKeccak();
  scene = eraScene();
});

/** Runs over files, in this order, with two nodes; then joins them. */
async function run(
  names: readonly string[],
  given: {
    readonly answer?: ReturnType<typeof answerFrom>;
    readonly signal?: AbortSignal;
    /** Called when a file is opened; the run waits for it. */
    readonly onOpen?: (name: string) => Promise<unknown>;
    readonly files?: ReadonlyMap<string, Buffer>;
  } = {},
) {
  const { answer = answerFrom(scene.blocks), files = scene.files, signal, onOpen } = given;
  await using a = await startJsonRpcServer(answer);
  await using b = await startJsonRpcServer(answer);
  const upstreams = upstreamsOf(ETHEREUM, [a, b]);
  const clock = fastClock();
  const ends = [];
  for (const file of names) {
    const name = parseFileName(file);
    if (!name) throw new Error(`${file} is not valid`);
    const end = await runEraFile({
      ...{ chain: ETHEREUM, name, store: store(), from: FROM, clock, signal },
      source: {
        host: 'mirror.example',
        list: async () => [],
        open: async () => {
          await onOpen?.(file);
          const bytes = files.get(file);
          if (!bytes) throw new UnreadableError('the mirror does not have it');
          return inMemory(bytes);
        },
      },
      probe: () => probeEndpoints(ETHEREUM, requestContextWith(), upstreams),
    });
    ends.push(end);
  }
  const joined = await joinEraFiles(store(), { firstDay: ETHEREUM.firstDay, from: FROM, now: clock.now() });
  return { ends, joined };
}

/** Returns linked blocks of a megabyte each that does not compress. */
function largeBlocks(count: number): readonly RawBlock[] {
  const blocks: RawBlock[] = [];
  for (const block of realChain(ERA_TIMES.slice(0, count))) {
    const { header, transactions, receipts } = block;
    const input = `0x${randomBytes(1 << 20).toString('hex')}`;
    blocks.push(
      sealBlock(ETHEREUM, {
        header: { ...header, parentHash: blocks.at(-1)?.header.hash ?? NO_HASH },
        transactions: transactions.map((one, index) => (index === 0 ? { ...one, input } : one)),
        receipts,
      }),
    );
  }
  return blocks;
}

const stored = async () =>
  (await queryDays(store(), '0000-01-01', '9999-12-31')).map(({ day, totals, first, last }) => [
    day,
    first?.number,
    last.number,
    totals,
  ]);
/** Day n has the blocks 3n + 1 to 3n + 3. */
const expected = (...days: readonly number[]) =>
  days.map((day) => [ERA_DAYS[day], 3 * day + 1, 3 * day + 3, scene.totalsOf(3 * day + 1, 3 * day + 3)]);

test('publishes the days of real blocks in four files, those within a file at once and the others joined', async () => {
  const { ends, joined } = await run(FILE_NAMES);
  expect(ends.map((end) => end.kind === 'proven' && end.days)).toEqual([[FROM], [], [], []]);
  expect(joined).toMatchObject({ files: 4, days: ERA_DAYS.slice(1), conflicts: [] });
  expect(await stored()).toEqual(expected(0, 1, 2, 3));
  expect(await getStoredDay(store(), FROM)).toMatchObject({
    ...{ evidence: 'proven', proven_blocks: 3, endpoint_hosts: ['mirror.example'] },
    confirmed_by: [expect.stringContaining('127.0.0.1'), expect.stringContaining('127.0.0.1')],
  });
});

test('changes nothing when it is repeated', async () => {
  await run(FILE_NAMES);
  const before = await stored();
  const { joined } = await run(FILE_NAMES);
  expect(joined).toMatchObject({ days: [], conflicts: [] });
  expect(await stored()).toEqual(before);
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

test('loses only the days of a missing file, and names the blocks that are missing', async () => {
  const { joined } = await run(FILE_NAMES.toSpliced(1, 1));
  expect(await stored()).toEqual(expected(0, 3));
  expect(joined.missing[0]).toEqual({
    first: ERA_DAYS[1],
    last: ERA_DAYS[2],
    reason: 'no proven file has the blocks 5 to 6',
  });
});

test('loses only the days of a tampered file, and names it with the reason', async () => {
  const name = FILE_NAMES[1] ?? '';
  const bytes = Buffer.from(scene.files.get(name) ?? []);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
  const { ends, joined } = await run(FILE_NAMES, { files: new Map([...scene.files, [name, bytes]]) });
  expect(ends[1]).toMatchObject({ kind: 'refused' });
  expect(await stored()).toEqual(expected(0, 3));
  expect(joined.missing[0]?.reason).toContain(`${name}: `);
});

test('refuses a consistent file of another chain, because endpoints report another hash', async () => {
  const others = realChain(ERA_TIMES.map((time) => time - 1));
  const { ends } = await run([FILE_NAMES[1] ?? ''], { answer: answerFrom(others) });
  expect(ends[0]).toMatchObject({ kind: 'refused', reason: expect.stringContaining('not of this chain') });
  expect(await stored()).toEqual([]);
});

test('publishes nothing while no endpoint confirms a hash, and all of it once one file is confirmed', async () => {
  const silent = { answer: () => ({ status: 503, body: '' }) } as const;
  const { ends } = await run(FILE_NAMES, silent);
  expect(ends.map(({ kind }) => kind)).toEqual(['proven', 'proven', 'proven', 'proven']);
  expect(await stored()).toEqual([]);
  await run(FILE_NAMES.slice(3));
  expect(await stored()).toEqual(expected(0, 1, 2, 3));
});

test('keeps the confirmation of a file when no endpoint responds later', async () => {
  await run(FILE_NAMES.slice(1, 2));
  const [name = ''] = FILE_NAMES.slice(1);
  const { sums } = await getEraSums(store(), name);
  await run([name], { answer: () => ({ status: 503, body: '' }) });
  expect((await getEraSums(store(), name)).sums?.confirmedBy).toEqual(sums?.confirmedBy);
  expect(sums?.confirmedBy).toHaveLength(2);
});

test('saves what it has proven when the mirror stops to answer, and continues there', async () => {
  const blocks = largeBlocks(6);
  const bytes = blocks.map((block) => bytesOf(ETHEREUM, block));
  const place = { first: 0 };
  const name = parseFileName(eraFileName('era1', 0, place, bytes));
  if (!name) throw new Error('the name is not valid');
  const files = new Map([[name.name, era1File(place, bytes)]]);
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const upstreams = upstreamsOf(ETHEREUM, [node, node]);
  const runUntil = async (hangsAt: number, signal: AbortSignal) => {
    await using mirror = await startEraMirror(files, hangsAt);
    return await runEraFile({
      ...{ chain: ETHEREUM, name, store: store(), from: FROM, clock: systemClock, signal },
      source: await openEraSource(`${mirror.url}/`),
      probe: () => probeEndpoints(ETHEREUM, requestContextWith(), upstreams),
    });
  };
  const blocksStored = async () => (await getEraSums(store(), name.name)).sums?.days.at(-1)?.last?.number;
  expect(await runUntil(4 << 20, AbortSignal.timeout(1_500))).toEqual({ kind: 'unfinished' });
  const proven = await blocksStored();
  expect([2, 3]).toContain(proven);
  expect(await runUntil(0, AbortSignal.timeout(300))).toEqual({
    kind: 'unreadable',
    reason: expect.stringContaining('the run ended before it responded'),
  });
  expect(await blocksStored()).toBe(proven);
  expect(await runUntil(Number.POSITIVE_INFINITY, AbortSignal.timeout(60_000))).toMatchObject({
    kind: 'proven',
  });
  expect(await blocksStored()).toBe(5);
});

test('reports a file that cannot be read, and stores nothing of it', async () => {
  const { ends } = await run([FILE_NAMES[0] ?? ''], { files: new Map() });
  expect(ends).toEqual([{ kind: 'unreadable', reason: 'the mirror does not have it' }]);
  expect(await getEraSums(store(), FILE_NAMES[0] ?? '')).toEqual({ sequence: 0 });
});

describe('two runs over one file', () => {
  const name = FILE_NAMES[1] ?? '';
  const damaged = () => {
    const bytes = Buffer.from(scene.files.get(name) ?? []);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    return { files: new Map([[name, bytes]]) };
  };
  const storedFile = async () => (await getEraSums(store(), name)).sums;

  test('keep the sums of the whole file when the other run reads a damaged copy first', async () => {
    const { ends } = await run([name], { onOpen: () => run([name], damaged()) });
    expect(ends[0]?.kind).toBe('proven');
    expect(await storedFile()).toMatchObject({ count: 2, problem: undefined });
    expect((await storedFile())?.confirmedBy).toHaveLength(2);
  });

  test('keep the sums of the whole file when the other run reads a damaged copy last', async () => {
    const { ends } = await run([name], { ...damaged(), onOpen: () => run([name]) });
    expect(ends[0]?.kind).toBe('proven');
    expect(await storedFile()).toMatchObject({ count: 2, problem: undefined });
  });

  test('keep the confirmation that only the other run has', async () => {
    const silent = { answer: () => ({ status: 503, body: '' }) } as const;
    const { ends } = await run([name], { ...silent, onOpen: () => run([name]) });
    expect(ends).toEqual([{ kind: 'proven', days: [] }]);
    expect((await storedFile())?.confirmedBy).toHaveLength(2);
  });

  test('end with the days of all files when they read all of them at the same time', async () => {
    const both = await Promise.all([run(FILE_NAMES), run(FILE_NAMES.toReversed())]);
    for (const { ends, joined } of both) {
      expect(ends.map(({ kind }) => kind)).toEqual(['proven', 'proven', 'proven', 'proven']);
      expect(joined.conflicts).toEqual([]);
    }
    expect(await stored()).toEqual(expected(0, 1, 2, 3));
  });
});
