import { bytesOf } from '#bench/ingest/node/block-bytes.ts';
import { era1File, eraFileName, inMemory } from '#bench/ingest/node/era-files.ts';
import { chainOf } from '#core/chains/chains.ts';
import { UnreadableError } from '#core/era/source.ts';
import { blocksIn, isSummed, type SumRun } from '#core/era/sum-file.ts';
import { addDays } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import type { BlockBytes } from '#core/proof/prove-raw-block.ts';
import type { EraSums } from '#core/store/era-sums.ts';
import { entriesOf } from '#test/support/generators/era-layout.ts';
import { eraScene, FILE_NAMES } from '#test/support/generators/era-scene.ts';
import { flip, smallFiles, sumOf } from '#test/support/generators/flipped-era-file.ts';
import { realChain } from '#test/support/generators/real-chain.ts';
import { DAY } from '#test/support/generators/sample-days.ts';
import { hex, sealBlock } from '#test/support/generators/seal.ts';

const scene = eraScene();

const fileAt = (index: number) => scene.files.get(FILE_NAMES[index] ?? '') ?? Buffer.alloc(0);
const sum = (index: number, given: Partial<SumRun> = {}, bytes = fileAt(index)) =>
  sumOf({ name: FILE_NAMES[index] ?? '', bytes }, given);
const hashAt = (number: number) => scene.blocks[number]?.header.hash ?? '';

test('sums the blocks of a file by day, with the hashes at its ends', async () => {
  const sums = await sum(0);
  expect(isSummed(sums)).toBe(true);
  expect(sums).toMatchObject({ first: 0, count: 5, confirmedBy: [] });
  const expected = (day: string, first: number, last: number) =>
    expect.objectContaining({
      day,
      first: { number: first, hash: hashAt(first) },
      last: expect.objectContaining({ number: last, hash: hashAt(last) }),
      totals: scene.totalsOf(first, last),
      provenBlocks: last - first + 1,
      hosts: ['mirror.example'],
    });
  expect(sums.days).toEqual([
    expected(addDays(DAY, -1), 0, 0),
    expected(DAY, 1, 3),
    expected(addDays(DAY, 1), 4, 4),
  ]);
});

test('states the parent of the first block of the file, and of each day', async () => {
  const { parentHash, days } = await sum(2);
  expect(parentHash).toBe(hashAt(6));
  expect(days.map((day) => day.parentHash)).toEqual([hashAt(6), hashAt(9)]);
});

test('sums the dollars of each day by the prices of a contract, where one is known', async () => {
  const feed = { aggregator: `0x${'7d'.repeat(20)}`, maxAge: 100 };
  const { days } = await sum(0, { feed });
  for (const { dollars, totals } of days)
    expect(dollars).toMatchObject({ ...feed, unpriced: totalFees(totals.fees), updates: 0 });
  expect((await sum(0)).days.map(({ dollars }) => dollars)).toEqual([undefined, undefined, undefined]);
});

/** A file that gives 500 bytes at a time, and fails after `most` reads of blocks. */
function failingFile(bytes: Buffer, most: number): SumRun['file'] {
  let reads = 0;
  return {
    ...inMemory(bytes),
    read: async (from, to) => {
      const isIndex = to === bytes.length;
      if (!isIndex && ++reads > most) throw new UnreadableError('the mirror is busy');
      return bytes.subarray(from, isIndex ? to : Math.min(to, from + 500));
    },
  };
}

/** Runs over a file that fails ever later, each from the sums of the run before. */
async function sumInPieces(index: number, bytes: Buffer) {
  let begun: EraSums | undefined;
  let pieces = 0;
  for (let most = 2; !begun?.problem && !(begun && isSummed(begun)); most++) {
    const next = await sum(index, { begun, file: failingFile(bytes, most) }).catch((error) => {
      expect(error).toBeInstanceOf(UnreadableError);
    });
    begun = next ?? begun;
    pieces += next ? 1 : 0;
  }
  return { sums: begun, pieces };
}

test.each([0, 2, 3])('sums file %i in pieces, block by block, to the same as at once', async (index) => {
  const { seconds: _, ...whole } = await sum(index);
  const { sums, pieces } = await sumInPieces(index, fileAt(index));
  expect(sums).toMatchObject(whole);
  expect(pieces).toBeGreaterThan(1);
});

test.each([0, 2, 3])('refuses file %i in pieces when its accumulator is changed', async (index) => {
  const bytes = Buffer.from(fileAt(index));
  const at = bytes.indexOf('0700200000000000', 'hex') + 8;
  bytes[at] = (bytes[at] as number) ^ 1;
  const { sums, pieces } = await sumInPieces(index, bytes);
  expect(sums.problem).toContain('its accumulator differs');
  expect(pieces).toBeGreaterThan(1);
});

test('starts over when the file of a run that continues holds other blocks than before', async () => {
  const { seconds: _, ...whole } = await sum(2);
  const begun = await sum(0, { file: failingFile(fileAt(0), 8) });
  expect(blocksIn(begun)).toBeGreaterThan(0);
  expect(begun.count).toBe(whole.count);
  expect(isSummed(begun)).toBe(false);
  expect(await sum(2, { begun })).toMatchObject(whole);
});

test.each([0, 2])('leaves the sums of file %i as they are when all its blocks are summed', async (index) => {
  const { seconds: _, ...whole } = await sum(index);
  expect(await sum(index, { begun: await sum(index) })).toMatchObject(whole);
});

test('starts over when the blocks do not continue the sums of an earlier run, of a forged file', async () => {
  const { seconds: _, ...whole } = await sum(0);
  const begun = await sum(0, { file: failingFile(fileAt(0), 8) });
  const days = begun.days.map((day) => ({
    ...day,
    last: day.last && { ...day.last, hash: `0x${'ab'.repeat(32)}` },
  }));
  expect(await sum(0, { begun: { ...begun, days } })).toMatchObject(whole);
});

test('refuses changed bytes after the first block in a run that continues there', async () => {
  const file = smallFiles()['an era1 file'];
  // 2,500 bytes: the first block, and a part of the second.
  const begun = await sumOf(file, { file: failingFile(file.bytes, 5) });
  expect(blocksIn(begun)).toBe(1);
  const second = entriesOf(file.bytes)
    .slice(0, 5)
    .reduce((at, { length }) => at + length, 0);
  let refused = 0;
  for (let at = second; at < file.bytes.length; at += 7) {
    // Throws if the file is accepted and says something else.
    if ((await flip(file, at, 1 << (at % 8), begun)) === 'refused') refused += 1;
  }
  expect(refused).toBeGreaterThan(0.97 * ((file.bytes.length - second) / 7));
});

/** An era1 file under its own name. */
const fileOf = (blocks: readonly BlockBytes[]) => ({
  name: eraFileName('era1', 0, { first: 0 }, blocks),
  bytes: era1File({ first: 0 }, blocks),
});

test('refuses a block after the year 9999, as a forged file may hold', async () => {
  const blocks = realChain([253_402_300_799, 253_402_300_800]).map((block) =>
    bytesOf(chainOf('ETHEREUM'), block),
  );
  expect((await sumOf(fileOf(blocks.slice(0, 1)))).problem).toBeUndefined();
  expect((await sumOf(fileOf(blocks))).problem).toContain('timestamp');
});

test('refuses fees of more than all coins, as a forged file may hold', async () => {
  const [block] = realChain([0]);
  if (!block) throw new Error('there is one');
  const forged = sealBlock(chainOf('ETHEREUM'), {
    ...block,
    transactions: block.transactions.map((one) => ({ ...one, gasPrice: hex(1n << 255n) })),
  });
  const { problem } = await sumOf(fileOf([bytesOf(chainOf('ETHEREUM'), forged)]));
  expect(problem).toContain('more than all coins');
});

test.each([
  ['a file of another format', Buffer.from('<html>not found</html>'), 'does not end with an index'],
  ['an empty file', Buffer.alloc(0), 'does not end with an index'],
])('refuses %s', async (_, bytes, problem) => {
  expect((await sum(0, {}, bytes)).problem).toContain(problem);
});
