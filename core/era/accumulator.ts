import { hash } from 'node:crypto';
import { createListReader } from '../proof/encoding/rlp-reader.ts';
import type { HeaderRecords } from '../store/era-sums.ts';
import { BLOCKS_PER_FILE, type BlockFileName } from './file-name.ts';
import type { EraBlock } from './read-blocks.ts';
import { EraFileError } from './source.ts';

/*
 * The accumulator of an era file is the SSZ hash tree root of List[HeaderRecord, 8192], and a header record is a block's hash and its
 * total difficulty: formats/era1.md and formats/ere.md of https://github.com/eth-clients/e2store-format-specs, and
 * https://github.com/ethereum/consensus-specs/blob/master/ssz/simple-serialize.md#merkleization. All values are hex without 0x.
 */

export const NO_RECORDS: HeaderRecords = { count: 0, roots: [], totalDifficulty: undefined };

const TREE_DEPTH = Math.log2(BLOCKS_PER_FILE);
const WORD = 32;
const ZERO = '00'.repeat(WORD);
const DIFFICULTY_MEMBER = 7;

const sha256 = (left: string, right: string): string =>
  hash('sha256', Buffer.from(left + right, 'hex'), 'hex');

/**
 * Adds the record of the next block. Its total difficulty must be the one before plus its own difficulty, which its hash covers.
 * @param block proven, so that its header decodes
 * @throws EraFileError
 */
export function addRecord(
  records: HeaderRecords,
  { format }: Pick<BlockFileName, 'format'>,
  { header, totalDifficulty: stated }: EraBlock,
  { number, hash: blockHash }: { readonly number: number; readonly hash: string },
): HeaderRecords {
  if (!stated) return records;
  if (stated.length !== WORD) {
    throw new EraFileError(`block ${number}: its total difficulty has ${stated.length} bytes, not ${WORD}`);
  }
  const totalDifficulty = BigInt(`0x${Buffer.from(stated).reverse().toString('hex')}`);
  const difficulty = difficultyIn(header);
  const before = number === 0 ? 0n : records.totalDifficulty;
  // The first block of a file states where the sum begins. The accumulator covers that.
  if (before !== undefined && totalDifficulty !== before + difficulty) {
    throw new EraFileError(
      `block ${number}: its total difficulty is ${totalDifficulty}, not ${before + difficulty}`,
    );
  }
  // The accumulator of an ere file leaves out blocks since the merge. Era1 files have no such blocks.
  if (format === 'ere' && difficulty === 0n) return { ...records, totalDifficulty };
  const record = sha256(blockHash.slice(2), stated.toString('hex'));
  return { ...addLeaf(records, record), totalDifficulty };
}

function difficultyIn(header: Uint8Array): bigint {
  const members = createListReader(header, 'header');
  members.items(DIFFICULTY_MEMBER, 'header');
  return members.integer('difficulty');
}

function addLeaf({ count, roots }: HeaderRecords, leaf: string): Pick<HeaderRecords, 'count' | 'roots'> {
  const next = [...roots];
  let root = leaf;
  for (let rest = count; rest % 2 === 1; rest = Math.floor(rest / 2)) root = sha256(next.pop() ?? '', root);
  return { count: count + 1, roots: [...next, root] };
}

/** Returns the hash tree root of the list of records. */
export function accumulatorOf({ count, roots }: HeaderRecords): string {
  const rest = [...roots];
  let root = ZERO;
  let zero = ZERO;
  for (let level = 0; level < TREE_DEPTH; level++) {
    const isRight = Math.floor(count / 2 ** level) % 2 === 1;
    root = isRight ? sha256(rest.pop() ?? '', root) : sha256(root, zero);
    zero = sha256(zero, zero);
  }
  const length = Buffer.alloc(WORD);
  length.writeUInt32LE(count);
  return sha256(count === BLOCKS_PER_FILE ? (roots[0] ?? '') : root, length.toString('hex'));
}

/**
 * Compares the accumulator and the name of a file with its blocks.
 * @param stated the accumulator in the file
 * @param lastHash of its last block
 * @throws EraFileError
 */
export function checkAccumulator(
  { format, shortHash }: BlockFileName,
  stated: Buffer | undefined,
  records: HeaderRecords,
  lastHash: string,
): void {
  if (format === 'freezer') return;
  const accumulator = stated?.toString('hex');
  if (accumulator !== undefined && accumulator !== accumulatorOf(records)) {
    throw new EraFileError('its accumulator differs from that of its blocks and their total difficulties');
  }
  const named = format === 'ere' ? lastHash.slice(2) : accumulator;
  if (!named?.startsWith(shortHash)) {
    throw new EraFileError(
      `its name has ${shortHash}, but its ${format === 'ere' ? 'last block' : 'accumulator'} ${named?.slice(0, 8)}`,
    );
  }
}
