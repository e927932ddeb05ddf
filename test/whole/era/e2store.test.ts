import { loadChecksum } from '#core/blocks/era/snappy.ts';
import { chainOf } from '#core/chains/chains.ts';
import { keccak256 } from '#core/proof/encoding/keccak.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { realBlocks, realChain } from '#test/support/generators/chains/real-chain.ts';
import { at } from '#test/support/generators/chains/sample-days.ts';
import { era1File, eraFileName, ereFile } from '#test/support/generators/files/era-files.ts';
import { loadE2store, otherEra1File, otherEreFile } from '#test/support/generators/files/other-era-file.ts';
import { sumOf } from '#test/support/generators/files/small-era-files.ts';

/* Our reader and the writer of the tests, against @ethereumjs/e2store. */

const ETHEREUM = chainOf('ETHEREUM');
const PLACE = { first: 0 };

/** The library relies on `slice` to copy, and that of a Buffer does not. */
const plain = (file: Buffer) => Uint8Array.from(file);

beforeAll(loadChecksum);
const times = [0, 12, 24, 36, 48].map((second) => at(0, second));
const blocks = realChain(times).map((block) => bytesOf(ETHEREUM, block));

test.each([
  ['era1', otherEra1File, era1File],
  ['ere', otherEreFile, ereFile],
] as const)('sums an %s file of the library like one of ours', async (format, theirs, ours) => {
  const name = eraFileName(format, 0, PLACE, blocks);
  const summed = await sumOf({ name, bytes: await theirs(PLACE, blocks) });
  expect(summed).toEqual(await sumOf({ name, bytes: ours(PLACE, blocks) }));
  expect(summed).toMatchObject({ problem: undefined, days: [{ totals: { blocks: 5 } }] });
});

test('the library finds our era1 files of real blocks valid, and computes their hashes', async () => {
  const { getHeaderRecords, validateERA1 } = await loadE2store();
  for (const { number, block, receipts } of realBlocks().filter(({ block }) => block.difficulty !== '0x0')) {
    const { transactions, ...header } = block as { readonly transactions: object };
    const bytes = bytesOf(ETHEREUM, { header, transactions, receipts });
    const place = { first: number, before: 5n ** 40n };
    const file = era1File(place, [bytes]);
    expect(await validateERA1(plain(file))).toBe(true);
    const [record] = await getHeaderRecords(plain(file));
    expect(record).toMatchObject({ totalDifficulty: 5n ** 40n + BigInt(String(block.difficulty)) });
    expect(record?.blockHash).toEqual(keccak256(bytes.header));
    const name = eraFileName('era1', 0, place, [bytes]);
    expect((await sumOf({ name, bytes: file })).problem).toBeUndefined();
  }
});
