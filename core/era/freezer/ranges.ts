import type { Chain } from '../../chains/chains.ts';
import { unprovenOf } from '../../chains/provable.ts';
import { loadKeccak } from '../../proof/encoding/keccak.ts';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { decodeRawHeader } from '../../proof/raw/raw-header.ts';
import { type BlockFileName, freezerRange, type Place } from '../file-name.ts';
import { MAX_HEADER } from '../read-blocks.ts';
import { createRawDecompressor, rawEnd } from '../snappy.ts';
import { EraFileError } from '../source.ts';
import {
  blockTables,
  dataFilesOf,
  itemsInOrder,
  readTableIndex,
  STATE_SYNC_TABLE,
  type TableName,
} from './table.ts';

/**
 * Blocks that are proven together. Their sums are one item of the table: few enough for a chain of 400 million blocks, and at most 12 days
 * of Ethereum.
 */
const BLOCKS_PER_RANGE = 65_536;

/** The ranges of a freezer that can be proven, ascending, and why others cannot. */
export interface FreezerRanges {
  readonly ranges: readonly BlockFileName[];
  /** Sentences for an operator. */
  readonly notes: readonly string[];
}

/**
 * Lists the ranges of blocks in a freezer. Without indexes, all data files are read once to find where ranges begin.
 * @param onScan called with the number of blocks that were passed over
 * @throws UnreadableError, or EraFileError when the folder holds no freezer of blocks
 */
export async function listFreezer(
  folder: string,
  chain: Chain,
  onScan: (blocks: number) => void = () => {},
): Promise<FreezerRanges> {
  const hasStateSyncs = (await dataFilesOf(folder, STATE_SYNC_TABLE)).length > 0;
  const { rules } = chain;
  const needsStateSyncs = rules.family === 'polygon';
  const names: readonly TableName[] = [
    ...blockTables,
    ...(needsStateSyncs && hasStateSyncs ? ([STATE_SYNC_TABLE] as const) : []),
  ];
  const found = (await rangeByIndex(folder, names)) ?? (await rangeByScan(folder, names, onScan));
  const { first, end, startsAt } = found;
  const limits: { readonly from: number; readonly reason: string }[] = [
    { from: first, reason: 'the freezer does not hold them: its tail is pruned, or it begins later' },
    firstProvable(chain),
    ...(needsStateSyncs && !hasStateSyncs
      ? [{ from: rules.stateSyncTypeFrom, reason: `the table ${STATE_SYNC_TABLE} is missing` }]
      : []),
  ];
  const from = Math.max(...limits.map((limit) => limit.from));
  const notes = limits
    .filter((limit) => limit.from > 0)
    .map((limit) => `Blocks 0 to ${Math.min(limit.from, end) - 1} cannot be proven: ${limit.reason}.`);
  const ranges: BlockFileName[] = [];
  for (let begin = from; begin < end; ) {
    const next = Math.min(end, (Math.floor(begin / BLOCKS_PER_RANGE) + 1) * BLOCKS_PER_RANGE);
    const starts = startsAt?.(begin);
    ranges.push({ ...freezerRange(begin, next - 1), ...(starts && { starts }) });
    begin = next;
  }
  return { ranges, notes };
}

/** Returns the first block of a chain that follows from its hash. */
function firstProvable({ rules }: Chain): { readonly from: number; readonly reason: string } {
  const { reason = '' } = unprovenOf(rules, 0) ?? {};
  const from =
    rules.family === 'arbitrum' ? rules.nitroBlock : rules.family === 'op-stack' ? rules.bedrockBlock : 0;
  return { from, reason };
}

/** The blocks that every table has. */
interface Found {
  readonly first: number;
  readonly end: number;
  /** Without indexes: the places at which a range begins in each table. */
  readonly startsAt?: (number: number) => NonNullable<BlockFileName['starts']>;
}

/** Returns undefined unless each table has an index. */
async function rangeByIndex(folder: string, names: readonly TableName[]): Promise<Found | undefined> {
  const indexes = await Promise.all(names.map((name) => readTableIndex(folder, name)));
  const known = indexes.filter((index) => index !== undefined);
  if (known.length < names.length) return undefined;
  return {
    first: Math.max(...known.map(({ first }) => first)),
    end: Math.min(...known.map(({ end }) => end)),
  };
}

/** Reads every item of each table, and keeps the places of the first blocks of ranges. Tables must begin with the same block. */
async function rangeByScan(
  folder: string,
  names: readonly TableName[],
  onScan: (blocks: number) => void,
): Promise<Found> {
  const first = await firstNumber(folder);
  const starts = new Map<number, Partial<Record<TableName, Place>>>();
  const ends: number[] = [];
  for (const name of names) {
    let number = first;
    for await (const { file, offset } of itemsInOrder(folder, name, rawEnd)) {
      if (number === first || number % BLOCKS_PER_RANGE === 0)
        starts.set(number, { ...starts.get(number), [name]: { file, offset } });
      number += 1;
      if (number % BLOCKS_PER_RANGE === 0) onScan(BLOCKS_PER_RANGE / names.length);
    }
    ends.push(number);
  }
  const startsAt = (number: number) => {
    const begin = Math.max(first, Math.floor(number / BLOCKS_PER_RANGE) * BLOCKS_PER_RANGE);
    return { number: begin, places: starts.get(begin) ?? {} };
  };
  return { first, end: Math.min(...ends), startsAt };
}

async function firstNumber(folder: string): Promise<number> {
  await loadKeccak();
  for await (const { bytes } of itemsInOrder(folder, 'headers', rawEnd)) {
    try {
      return Number(decodeRawHeader(createRawDecompressor(MAX_HEADER)(bytes)).number);
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      throw new EraFileError(`the first header is damaged: ${error.field}: ${error.message}`);
    }
  }
  throw new EraFileError('the table headers has no block');
}
