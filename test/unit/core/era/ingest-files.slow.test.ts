import { randomBytes } from 'node:crypto';
import { bytesOf } from '#bench/ingest/node/block-bytes.ts';
import { era1File, eraFileName } from '#bench/ingest/node/era-files.ts';
import { systemClock } from '#core/clock.ts';
import { createEraSource } from '#core/era/choose-source.ts';
import { runEraFile } from '#core/era/ingest-files.ts';
import { readEraFile } from '#core/era/sum-file.ts';
import { probeEndpoints } from '#core/ingest/probe-endpoints.ts';
import { getEraSums } from '#core/store/era-sums.ts';
import { eraSumsKey } from '#core/store/keys.ts';
import { eraName } from '#test/support/generators/era-name.ts';
import { ERA_TIMES, FILE_NAMES } from '#test/support/generators/era-scene.ts';
import { realChain } from '#test/support/generators/real-chain.ts';
import { answerFrom } from '#test/support/generators/sample-chain.ts';
import { NO_HASH, type RawBlock, sealBlock } from '#test/support/generators/seal.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';
import { ETHEREUM, FROM, unavailable, useEraRuns } from '#test/support/processes/era-run.ts';
import { startEraMirror } from '#test/support/servers/era-mirror.ts';

const { store, scene, run, storedDays, daysOfScene } = useEraRuns();

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

test('refuses a consistent file of another chain, because endpoints report another hash', async () => {
  const others = realChain(ERA_TIMES.map((time) => time - 1));
  const { ends } = await run([FILE_NAMES[1] ?? ''], { answers: [answerFrom(others), answerFrom(others)] });
  expect(ends[0]).toMatchObject({ kind: 'refused', reason: expect.stringContaining('not of this chain') });
  expect(await storedDays()).toEqual([]);
});

test('keeps the confirmation of a file when no endpoint responds later', async () => {
  await run(FILE_NAMES.slice(1, 2));
  const [name = ''] = FILE_NAMES.slice(1);
  const { sums } = await getEraSums(store(), name);
  await run([name], { answers: [unavailable] });
  expect((await getEraSums(store(), name)).sums?.confirmedBy).toEqual(sums?.confirmedBy);
  expect(sums?.confirmedBy).toHaveLength(2);
});

test('saves what it has proven when the mirror stops to answer, and continues there', async () => {
  const blocks = largeBlocks(6);
  const bytes = blocks.map((block) => bytesOf(ETHEREUM, block));
  const place = { first: 0 };
  const name = eraName(eraFileName('era1', 0, place, bytes));
  const files = new Map([[name.name, era1File(place, bytes)]]);
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const upstreams = upstreamsOf(ETHEREUM, [node, node]);
  const runUntil = async (hangsAt: number, signal: AbortSignal) => {
    await using mirror = await startEraMirror(files, hangsAt);
    const source = await createEraSource(`${mirror.url}/`);
    const probe = () => probeEndpoints(ETHEREUM, requestContextWith(), upstreams);
    const rules = { from: FROM, clock: systemClock, probe, isProofRequired: false };
    const context = { chain: ETHEREUM, store: store(), ...rules };
    return await runEraFile(context, name, (begun) =>
      readEraFile(source, { chain: ETHEREUM, name, clock: systemClock, signal, begun }),
    );
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

test('proves a file again of which an earlier version stored sums without the parents of days', async () => {
  await run(FILE_NAMES, { answers: [unavailable] });
  const [, name = ''] = FILE_NAMES;
  const item = await store().table.getItem(eraSumsKey(store(), name));
  const days = item?.days as { progress: { parent_hash?: string } }[];
  for (const { progress } of days) delete progress.parent_hash;
  await store().table.putIf({ ...item, ...eraSumsKey(store(), name) });
  const opened: string[] = [];
  await run(FILE_NAMES, { onOpen: async (file) => opened.push(file) });
  expect(opened).toEqual([name]);
  expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
  expect((await getEraSums(store(), name)).sums?.confirmedBy).toHaveLength(2);
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
    const silent = { answers: [unavailable] };
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
    expect(await storedDays()).toEqual(daysOfScene(0, 1, 2, 3));
  });
});
