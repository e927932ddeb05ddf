import { bytesOf } from '../../../bench/ingest/node/block-bytes.ts';
import { era1File, inMemory } from '../../../bench/ingest/node/era-files.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { addDays } from '../../../lambda/chains/utc-day.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { parseFileName } from '../../../lambda/era/file-name.ts';
import { UnreadableError } from '../../../lambda/era/random-access.ts';
import { isSummed, type SumRun, sumEraFile } from '../../../lambda/era/sum-file.ts';
import { loadKeccak } from '../../../lambda/proof/keccak.ts';
import type { EraSums } from '../../../lambda/store/era-sums.ts';
import { type EraScene, eraScene, FILE_NAMES } from '../../support/era-scene.ts';
import { realChain } from '../../support/real-chain.ts';
import { DAY } from '../../support/sample-days.ts';
import { hex, sealBlock } from '../../support/seal.ts';

let scene: EraScene;
beforeAll(async () => {
  await loadKeccak();
  scene = eraScene();
});

function sum(index: number, given: Partial<Omit<SumRun, 'file'>> & { readonly bytes?: Buffer } = {}) {
  const name = parseFileName(FILE_NAMES[index] ?? '');
  if (!name) throw new Error('the name is not valid');
  const { bytes = scene.files.get(name.name) ?? Buffer.alloc(0), ...run } = given;
  return sumEraFile({
    ...{ chain: chainOf('ETHEREUM'), name, file: inMemory(bytes), host: 'mirror.example' },
    ...{ clock: systemClock, ...run },
  });
}

/** Every byte takes minutes. */
const STRIDE = 23;

const hashAt = (number: number) => scene.blocks[number]?.header.hash ?? '';

test('sums the blocks of a file by day, with the hashes at its ends', async () => {
  const sums = await sum(0);
  expect(isSummed(sums)).toBe(true);
  expect(sums).toMatchObject({ first: 0, count: 5, confirmedBy: [] });
  expect(
    sums.days.map(({ day, first, last, totals, provenBlocks, hosts }) => ({
      day,
      first,
      last,
      totals,
      provenBlocks,
      hosts,
    })),
  ).toEqual(
    [
      [addDays(DAY, -1), 0, 0],
      [DAY, 1, 3],
      [addDays(DAY, 1), 4, 4],
    ].map(([day, first, last]) => ({
      day,
      first: { number: first, hash: hashAt(Number(first)) },
      last: expect.objectContaining({ number: last, hash: hashAt(Number(last)) }),
      totals: scene.totalsOf(Number(first), Number(last)),
      provenBlocks: Number(last) - Number(first) + 1,
      hosts: ['mirror.example'],
    })),
  );
});

test('states the parent of the first block', async () => {
  expect((await sum(2)).parentHash).toBe(hashAt(6));
});

test('continues the sums of an earlier run', async () => {
  const whole = await sum(2);
  const begun = { ...whole, days: whole.days.slice(0, 2) };
  const { seconds: _, ...continued } = await sum(2, { begun });
  expect(continued).toMatchObject({ days: whole.days, parentHash: whole.parentHash });
});

test('keeps the blocks before a part that cannot be read, and continues there', async () => {
  const whole = await sum(2);
  const bytes = scene.files.get(FILE_NAMES[2] ?? '') ?? Buffer.alloc(0);
  let reads = 0;
  /** Gives 500 bytes at a time, and fails after some of them. */
  const file = (most: number): SumRun['file'] => ({
    ...inMemory(bytes),
    read: async (from, to) => {
      const isIndex = to === bytes.length;
      if (!isIndex && ++reads > most) throw new UnreadableError('the mirror is busy');
      return bytes.subarray(from, isIndex ? to : Math.min(to, from + 500));
    },
  });
  const run = (most: number, begun?: EraSums) => {
    reads = 0;
    const name = parseFileName(FILE_NAMES[2] ?? '');
    if (!name) throw new Error('the name is not valid');
    return sumEraFile({
      ...{ chain: chainOf('ETHEREUM'), name, file: file(most), host: 'mirror.example', begun },
      clock: systemClock,
    });
  };
  await expect(run(1)).rejects.toThrow(UnreadableError);
  let most = 2;
  let sums: EraSums | undefined;
  for (; !sums; most++) sums = await run(most).catch(() => undefined);
  expect(isSummed(sums)).toBe(false);
  expect(sums.problem).toBeUndefined();
  const { seconds: _, ...continued } = await run(Number.POSITIVE_INFINITY, sums);
  expect(continued).toMatchObject({ days: whole.days, parentHash: whole.parentHash });
});

test('refuses a block after the year 9999, as a forged file may hold', async () => {
  const blocks = realChain([253_402_300_799, 253_402_300_800]).map((block) =>
    bytesOf(chainOf('ETHEREUM'), block),
  );
  expect((await sum(0, { bytes: era1File(0, blocks.slice(0, 1)) })).problem).toBeUndefined();
  expect((await sum(0, { bytes: era1File(0, blocks) })).problem).toContain('timestamp');
});

test('refuses fees of more than all coins, as a forged file may hold', async () => {
  const [block] = realChain([0]);
  if (!block) throw new Error('there is one');
  const forged = sealBlock(chainOf('ETHEREUM'), {
    ...block,
    transactions: block.transactions.map((one) => ({ ...one, gasPrice: hex(1n << 255n) })),
  });
  const file = era1File(0, [bytesOf(chainOf('ETHEREUM'), forged)]);
  expect((await sum(0, { bytes: file })).problem).toContain('more than all coins');
});

describe.each([
  ['era1', 1],
  ['ere', 3],
] as const)('%s', (_, index) => {
  test('refuses a file in which a byte is changed, unless it holds the same blocks or no figure depends on it', async () => {
    const good = await sum(index);
    const file = scene.files.get(FILE_NAMES[index] ?? '') ?? Buffer.alloc(0);
    let refused = 0;
    for (let at = 0; at < file.length; at += STRIDE) {
      const bytes = Buffer.from(file);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      const { problem, days, parentHash } = await sum(index, { bytes });
      if (problem !== undefined) refused += 1;
      else expect([at, days, parentHash]).toEqual([at, good.days, good.parentHash]);
    }
    expect(refused).toBeGreaterThan((0.9 * file.length) / STRIDE);
  });
});

test.each([
  ['a file of another format', Buffer.from('<html>not found</html>'), 'does not end with an index'],
  ['an empty file', Buffer.alloc(0), 'does not end with an index'],
])('refuses %s', async (_, bytes, problem) => {
  expect((await sum(0, { bytes })).problem).toContain(problem);
});
