import { openEraFile } from '#core/blocks/era/read-blocks.ts';
import { EraFileError, type RandomAccess } from '#core/blocks/files/source.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { realChain } from '#test/support/generators/chains/real-chain.ts';
import { era1File, ereFile, inMemory } from '#test/support/generators/files/era-files.ts';
import { eraName } from '#test/support/generators/files/era-name.ts';
import { otherEra1File, otherEreFile } from '#test/support/generators/files/other-era-file.ts';

const PLACE = { first: 0 };
const blocks = () => realChain([0, 12, 24, 36, 48]).map((block) => bytesOf(chainOf('ETHEREUM'), block));

const copyOf = ({ header, transactions, receipts }: BlockBytes): BlockBytes => ({
  header: Buffer.from(header),
  transactions: transactions.map((payload) => Buffer.from(payload)),
  receipts: receipts.map((payload) => Buffer.from(payload)),
});

const open = (file: RandomAccess, format: string) =>
  openEraFile(file, eraName(`mainnet-00000-01234567.${format}`));

/** Reads all blocks of a file. */
const read = async (file: RandomAccess, format: string, from = 0): Promise<BlockBytes[]> =>
  Array.fromAsync((await open(file, format)).blocks(from), copyOf);

const writers = {
  era1: async (given: readonly BlockBytes[]) => era1File(PLACE, given),
  'era1 of another library': (given: readonly BlockBytes[]) => otherEra1File(PLACE, given),
  ere: async (given: readonly BlockBytes[]) => ereFile(PLACE, given),
  'ere with proofs': async (given: readonly BlockBytes[]) => ereFile(PLACE, given, { hasProofs: true }),
  'ere with the index of Nimbus': async (given: readonly BlockBytes[]) =>
    ereFile(PLACE, given, { hasProofs: true, isIndexInFileOrder: true }),
  'ere of another library': (given: readonly BlockBytes[]) => otherEreFile(PLACE, given),
};

describe.each(Object.entries(writers))('%s', (kind, write) => {
  const format = kind.slice(0, 4).trim();

  test('has the bytes that the hashes of its blocks cover', async () => {
    expect(await read(inMemory(await write(blocks())), format)).toEqual(blocks().map(copyOf));
  });

  test('is read from any block on', async () => {
    expect(await read(inMemory(await write(blocks())), format, 3)).toEqual(blocks().slice(3).map(copyOf));
  });

  test('has the header of each block at its place', async () => {
    const file = await open(inMemory(await write(blocks())), format);
    for (const [at, { header }] of blocks().entries())
      expect(Buffer.from(header).equals(await file.header(at))).toBe(true);
  });

  test('is refused when it is truncated anywhere', async () => {
    const file = await write(blocks().slice(0, 2));
    for (let length = 0; length < file.length; length += 7) {
      await expect(read(inMemory(file.subarray(0, length)), format)).rejects.toThrow(EraFileError);
    }
  });
});
