import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFreezer } from '#core/blocks/freezer/blocks.ts';
import { findFreezerRange } from '#core/blocks/freezer/range.ts';
import { chainOf } from '#core/chains/chains.ts';
import { decodeRawHeader } from '#core/proof/header.ts';
import {
  copyFreezer,
  freezerOf,
  removeIndexes,
  sumFreezer,
} from '#test/support/generators/files/freezer-scene.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { randomChain } from '#test/support/generators/random/random-chain.ts';

const ETHEREUM = chainOf('ETHEREUM');

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
