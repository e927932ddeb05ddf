import { loadChecksum } from '#core/blocks/era/snappy.ts';
import { chainOf } from '#core/chains/chains.ts';
import { keccak256 } from '#core/proof/encoding/keccak.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { realBlocks } from '#test/support/generators/chains/real-chain.ts';
import { era1File, eraFileName } from '#test/support/generators/files/era-files.ts';
import { loadE2store } from '#test/support/generators/files/other-era-file.ts';
import { sumOf } from '#test/support/generators/files/small-era-files.ts';

/* Our reader and the writer of the tests, against @ethereumjs/e2store. */

const ETHEREUM = chainOf('ETHEREUM');
/** The library relies on `slice` to copy, and that of a Buffer does not. */
const plain = (file: Buffer) => Uint8Array.from(file);

beforeAll(loadChecksum);

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
