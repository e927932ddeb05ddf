import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress } from 'snappyjs';
import { findFreezerRange, openFreezer } from '#core/blocks/freezer/freezer.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { unprovenOf } from '#core/chains/provable.ts';
import { decodeRawHeader } from '#core/proof/header.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { sealedBlock } from '#test/support/generators/blocks/sealed-block.ts';
import {
  copyFreezer,
  freezerOf,
  removeIndexes,
  sumFreezer,
  writeFreezer,
} from '#test/support/generators/files/freezer-scene.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { randomChain } from '#test/support/generators/random/random-chain.ts';

const ETHEREUM = chainOf('ETHEREUM');
const NAMES = ['chain', 'chain-two-files', 'chain-pruned-tail'] as const;

interface Expected {
  readonly number: number;
  readonly hash: string;
  readonly transactions: number;
  readonly executionFees: string;
}
const expected: readonly Expected[] = JSON.parse(readFileSync('test/fixtures/freezer/expected.json', 'utf8'));

test.each(NAMES)('the real freezer %s has the figures that another reader found', async (name) => {
  const [sums] = await sumFreezer(copyFreezer(name), ETHEREUM);
  const own = expected.slice(name === 'chain-pruned-tail' ? 17 : 0);
  expect(sums?.problem).toBeUndefined();
  expect([sums?.first, sums?.count]).toEqual([own[0]?.number, own.length]);
  expect(sums?.days.at(-1)?.last?.hash).toBe(own.at(-1)?.hash);
  const fees = sums?.days.reduce((sum, { totals }) => sum + totals.fees.execution, 0n);
  expect(fees).toBe(own.reduce((sum, { executionFees }) => sum + BigInt(executionFees), 0n));
  const counted = sums?.days.reduce((sum, { totals }) => sum + totals.transactions, 0);
  expect(counted).toBe(own.reduce((sum, { transactions }) => sum + transactions, 0));
});

test.each([
  ['as geth writes it', 'c3028042'],
  ['padded with zeros, as geth does since v1.17.9', 'c3028042'.padEnd(64, '0')],
])('while the node runs, nothing behind the flushed part of an index is read: %s', async (_, meta) => {
  const folder = copyFreezer('chain');
  // Version 2, no tail, 11 entries: ten blocks.
  for (const table of ['headers', 'bodies', 'receipts'])
    writeFileSync(join(folder, `${table}.meta`), Buffer.from(meta, 'hex'));
  const { first, last } = await findFreezerRange(folder, ETHEREUM);
  expect([first, last]).toEqual([0, 9]);
});

test.each(['bsc', 'polygon', 'op-stack', 'arbitrum'] as const)(
  'random blocks of %s are proven with exact figures, with and without indexes',
  async (family) => {
    let compared = 0;
    for (const seed of [1, 2]) {
      const span = { firstDay: '2026-01-01', days: 5 };
      const { chain, blocks, expected: days } = await randomChain(family, randomFrom(seed), span);
      const provable = blocks.filter(
        ({ header }) => unprovenOf(chain.rules, Number(header.number)) === undefined,
      );
      const first = Number(provable[0]?.header.number);
      const folder = freezerOf(chain, provable, { maxBytes: 4_000, first });
      const indexed = await sumFreezer(folder, chain);
      removeIndexes(folder);
      expect(await sumFreezer(folder, chain)).toEqual(indexed);
      for (const sums of indexed) {
        expect(sums.problem).toBeUndefined();
        for (const { day, totals } of sums.days) {
          const of = days.get(day);
          // The first day of a fork has blocks that cannot be proven.
          if (of?.blocks !== totals.blocks) continue;
          const { blocks: _, ...figures } = totals;
          expect(of).toMatchObject(figures);
          compared += totals.transactions;
        }
      }
    }
    expect(compared).toBeGreaterThan(20);
  },
);

test('what a chain cannot prove is said at once', async () => {
  const notesOf = async (family: 'op-stack' | 'arbitrum') => {
    const span = { firstDay: '2026-01-01', days: 3 };
    const { chain, blocks } = await randomChain(family, randomFrom(1), span);
    const provable = blocks.filter(
      ({ header }) => unprovenOf(chain.rules, Number(header.number)) === undefined,
    );
    const { first, last, notes } = await findFreezerRange(
      freezerOf(chain, provable),
      chainOf(chain.name as ChainName),
    );
    expect(last).toBeLessThan(first);
    return notes.join();
  };
  expect(await notesOf('op-stack')).toMatch(/cannot be proven: before Bedrock \(block 105235063\)/);
  expect(await notesOf('arbitrum')).toMatch(/cannot be proven: before Nitro \(block 22207818\)/);
});

test('without the table of state-syncs, the older blocks of Polygon are not offered', async () => {
  const span = { firstDay: '2026-01-01', days: 3 };
  const { chain, blocks } = await randomChain('polygon', randomFrom(2), span);
  const folder = freezerOf(chain, blocks);
  const polygon = chainOf('POLYGON');
  expect((await findFreezerRange(folder, polygon)).notes).toEqual([]);
  for (const file of ['cidx', 'meta', '0000.cdat']) rmSync(join(folder, `matic-bor-receipts.${file}`));
  const { first, last, notes } = await findFreezerRange(folder, polygon);
  expect(last).toBeLessThan(first);
  expect(notes.join()).toContain('the table matic-bor-receipts is missing');
  // Later ones need no such table.
  const { rules } = chain;
  const [sums] = await sumFreezer(folder, chain);
  expect(sums).toMatchObject({ first: rules.family === 'polygon' && rules.stateSyncTypeFrom });
  expect(sums?.problem).toBeUndefined();
});

/** Damages the real freezer, and returns the problem of its blocks. */
async function problemAfter(damage: (folder: string) => void): Promise<string | undefined> {
  const folder = copyFreezer('chain-two-files');
  damage(folder);
  const [sums] = await sumFreezer(folder, ETHEREUM);
  return sums?.problem;
}

const change = (path: string, to: (bytes: Buffer) => void) => {
  const bytes = readFileSync(path);
  to(bytes);
  writeFileSync(path, bytes);
};

test.each<[string, (folder: string) => void, RegExp]>([
  [
    'a truncated data file',
    (folder) => truncateSync(join(folder, 'receipts.0001.cdat'), 1_699),
    /^block \d+: .*receipts\.0001\.cdat ends before byte 1700/,
  ],
  [
    'a data file that is gone',
    (folder) => rmSync(join(folder, 'bodies.0001.cdat')),
    /^block \d+: .*bodies\.0001\.cdat is missing/,
  ],
  [
    'a flipped byte of a receipt',
    (folder) =>
      change(join(folder, 'receipts.0001.cdat'), (bytes) => bytes.writeUInt8((bytes[900] ?? 0) ^ 1, 900)),
    /^block \d+: receipts/,
  ],
  [
    'swapped entries of an index',
    (folder) =>
      change(join(folder, 'bodies.cidx'), (bytes) => {
        const entry = Buffer.from(bytes.subarray(60, 66));
        bytes.copyWithin(60, 66, 72);
        entry.copy(bytes, 66);
      }),
    /^block 9: bodies: /,
  ],
  [
    'an index of another freezer',
    (folder) =>
      cpSync('test/fixtures/freezer/chain/receipts.cidx', join(folder, 'receipts.cidx'), { force: true }),
    /^block \d+: /,
  ],
  [
    'a snappy length of 4 GB',
    (folder) =>
      change(join(folder, 'headers.0000.cdat'), (bytes) => Buffer.from('ffffffff0f', 'hex').copy(bytes, 0)),
    /^block 0: headers: a snappy chunk is invalid/,
  ],
])('refuses %s, with the block and the reason', async (_, damage, reason) => {
  expect(await problemAfter(damage)).toMatch(reason);
});

test('a freezer of another chain is refused at its first block with a transaction', async () => {
  const span = { firstDay: '2026-01-01', days: 3 };
  const { chain, blocks } = await randomChain('bsc', randomFrom(1), span);
  const folder = freezerOf(chain, blocks);
  const [sums] = await sumFreezer(folder, chainOf('POLYGON')).catch(() => []);
  expect(sums?.problem ?? 'not offered').toMatch(/^block \d+: |not offered/);
});

test('has its first and its last block, and none beyond them', async () => {
  const folder = copyFreezer('chain');
  const range = await findFreezerRange(folder, ETHEREUM);
  const { withBlock } = openFreezer(folder, ETHEREUM, range);
  const found = [range.first - 1, range.first, range.last, range.last + 1].map(
    async (number) => (await withBlock(number)).files.length,
  );
  expect(await Promise.all(found)).toEqual([0, 1, 1, 0]);
});

test('a range of one block has it at both ends, and an empty one has none', async () => {
  const folder = copyFreezer('chain');
  const range = await findFreezerRange(folder, ETHEREUM);
  const endsOf = async (last: number) =>
    (await openFreezer(folder, ETHEREUM, { ...range, first: 3, last }).ends()).files.length;
  expect([await endsOf(3), await endsOf(2)]).toEqual([1, 0]);
});

test.each(['with indexes', 'without'])(
  'reads the header of any block, and the blocks from it on, %s',
  async (how) => {
    const folder = copyFreezer('chain');
    if (how === 'without') removeIndexes(folder);
    const freezer = openFreezer(folder, ETHEREUM, await findFreezerRange(folder, ETHEREUM));
    const [file] = (await freezer.withBlock(16)).files;
    const header = Buffer.from((await file?.header(16)) ?? []);
    for await (const block of file?.blocks(16) ?? []) {
      expect(Buffer.from(block.header).equals(header)).toBe(true);
      break;
    }
    expect(Number(decodeRawHeader(header).number)).toBe(16);
  },
);

test('without indexes, finds headers by the places of every 1,024th item, and says how many it has passed', async () => {
  const { header } = bytesOf(ETHEREUM, sealedBlock(ETHEREUM, [], { number: '0x1' }));
  // Only the first header is decoded.
  const others = Array.from({ length: 2_499 }, (_, index) => Buffer.from(`item ${index + 2}`));
  const data = Buffer.concat([header, ...others].map((item) => compress(item)));
  const folder = writeFreezer(
    new Map(['headers', 'bodies', 'receipts'].map((table) => [`${table}.0000.cdat`, data])),
  );
  let passed = 0;
  const range = await findFreezerRange(folder, ETHEREUM, (blocks) => {
    passed += blocks;
  });
  expect([range.first, range.last]).toEqual([1, 2_500]);
  expect(range.notes).toEqual([expect.stringMatching(/^Blocks 0 to 0 cannot be proven: /)]);
  expect(passed).toBeCloseTo(2_048);
  const [file] = (await openFreezer(folder, ETHEREUM, range).withBlock(2)).files;
  for (const number of [2, 1_024, 1_025, 2_048, 2_500])
    expect(Buffer.from((await file?.header(number)) ?? []).toString()).toBe(`item ${number}`);
});
