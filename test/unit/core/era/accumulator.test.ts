import { rlp } from '#bench/ingest/node/block-bytes.ts';
import { accumulatorOf, addRecord, NO_RECORDS } from '#core/era/accumulator.ts';
import type { HeaderRecords } from '#core/store/era-sums.ts';
import { hashOf } from '#test/support/generators/builders.ts';
import { loadE2store } from '#test/support/generators/other-era-file.ts';

const MOST = 8_192;
const ERA1 = { format: 'era1' } as const;
const ERE = { format: 'ere' } as const;

const words = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

const blockOf = (difficulty: number, total: bigint) => ({
  header: rlp([...Array<string>(7).fill('0x'), difficulty === 0 ? '0x' : Uint8Array.of(difficulty)]),
  transactions: [],
  receipts: [],
  totalDifficulty: words(total),
});

/** The records of `count` blocks of difficulty 3 that follow a total difficulty of 97. */
function recordsOf(count: number): HeaderRecords {
  let records = NO_RECORDS;
  for (let index = 0; index < count; index++) {
    const block = blockOf(3, 100n + 3n * BigInt(index));
    records = addRecord(records, ERA1, block, { number: 5 + index, hash: hashOf(index) });
  }
  return records;
}

test('computes the accumulator of any number of blocks as another library does', async () => {
  const { EpochAccumulator } = await loadE2store();
  for (const count of [0, 1, 2, 3, 7, 8, 100, 4_097, MOST - 1, MOST]) {
    const list = Array.from({ length: count }, (_, index) => ({
      blockHash: Buffer.from(hashOf(index).slice(2), 'hex'),
      totalDifficulty: 100n + 3n * BigInt(index),
    }));
    const expected = Buffer.from(EpochAccumulator.merkleRoot(list)).toString('hex');
    expect([count, accumulatorOf(recordsOf(count))]).toEqual([count, expected]);
  }
});

test('keeps at most 13 hashes of any number of blocks below 8,192, and one of all', () => {
  expect(recordsOf(MOST - 1).roots).toHaveLength(13);
  expect(recordsOf(MOST).roots).toHaveLength(1);
});

test.each([
  ['does not grow by the difficulty', 6, 9, 'block 6: its total difficulty is 9, not 105'],
  ['is one byte short', 6, undefined, 'block 6: its total difficulty has 31 bytes, not 32'],
])('refuses a block whose total difficulty %s', (_, number, total, problem) => {
  const before = addRecord(NO_RECORDS, ERA1, blockOf(2, 100n), { number: 5, hash: hashOf(5) });
  const block = blockOf(5, BigInt(total ?? 0));
  const changed = { ...block, totalDifficulty: block.totalDifficulty.subarray(total === undefined ? 1 : 0) };
  expect(() => addRecord(before, ERA1, changed, { number, hash: hashOf(6) })).toThrow(problem);
});

test('refuses a genesis block whose total difficulty is not its own', () => {
  const add = (total: bigint) =>
    addRecord(NO_RECORDS, ERA1, blockOf(4, total), { number: 0, hash: hashOf(0) });
  expect(() => add(5n)).toThrow('block 0: its total difficulty is 5, not 4');
  expect(add(4n).totalDifficulty).toBe(4n);
});

test('leaves blocks since the merge out of the accumulator of an ere file, and checks their total difficulty', () => {
  const before = addRecord(NO_RECORDS, ERE, blockOf(7, 107n), { number: 5, hash: hashOf(5) });
  const after = addRecord(before, ERE, blockOf(0, 107n), { number: 6, hash: hashOf(6) });
  expect(accumulatorOf(after)).toBe(accumulatorOf(before));
  expect(() => addRecord(after, ERE, blockOf(0, 108n), { number: 7, hash: hashOf(7) })).toThrow(
    'is 108, not 107',
  );
});
