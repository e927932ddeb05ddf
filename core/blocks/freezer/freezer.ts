import type { Chain } from '../../chains/chains.ts';
import { firstProvable, unprovenOf } from '../../chains/provable.ts';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { typeOfPayload } from '../../proof/fields/read-transactions.ts';
import { decodeRawHeader } from '../../proof/header.ts';
import { createReceiptCompleter, type ReceiptForm } from '../../proof/raw/bloomless-receipts.ts';
import type { BlockBytes } from '../../proof/raw/prove-raw-block.ts';
import { transactionsOfBody } from '../../proof/raw/raw-body.ts';
import { MAX_HEADER } from '../era/read-blocks.ts';
import { createRawDecompressor, rawEnd } from '../era/snappy.ts';
import { type BlockFile, type BlockFiles, EraFileError, UnreadableError } from '../files/source.ts';
import {
  dataFilesOf,
  indexedItems,
  itemsInOrder,
  type Place,
  readTableIndex,
  STATE_SYNC_TABLE,
  type TableName,
} from './table.ts';

/** Blocks between two places that are kept of a freezer without indexes: few enough to pass over for one block. */
const STRIDE = 1_024;

/** The blocks of a freezer that can be proven. */
export interface FreezerRange {
  readonly first: number;
  readonly last: number;
  /** Places of some blocks, from block `first` of the tables on; absent if each table has an index. */
  readonly places: { first: number; tables: Partial<Record<TableName, Place[]>> } | undefined;
  /** The reasons why other blocks cannot be proven. */
  readonly notes: readonly string[];
}

/**
 * Finds the blocks of a freezer that can be proven, and says in notes for an operator why others cannot. Without indexes, all data files are
 * read once to find where blocks begin.
 * @param onScan called with the number of blocks that were passed over
 * @returns a `last` lower than `first` when no block can be proven
 * @throws UnreadableError, or EraFileError when the folder holds no freezer of blocks
 */
export async function findFreezerRange(
  folder: string,
  chain: Chain,
  onScan = (_blocks: number) => {},
): Promise<FreezerRange> {
  const hasStateSyncs = (await dataFilesOf(folder, STATE_SYNC_TABLE)).length > 0;
  const { rules } = chain;
  const isPolygon = rules.family === 'polygon';
  const names: TableName[] = ['headers', 'bodies', 'receipts'];
  if (isPolygon && hasStateSyncs) names.push(STATE_SYNC_TABLE);
  const found = (await rangeByIndex(folder, names)) ?? (await rangeByScan(folder, names, onScan));
  const { first, end, places } = found;
  const limits = [
    { from: first, reason: 'the freezer does not hold them: its tail is pruned, or it begins later' },
    { from: firstProvable(rules), reason: unprovenOf(rules, 0)?.reason },
  ];
  if (isPolygon && !hasStateSyncs)
    limits.push({ from: rules.stateSyncTypeFrom, reason: `the table ${STATE_SYNC_TABLE} is missing` });
  const notes = limits
    .filter((limit) => limit.from > 0)
    .map((limit) => `Blocks 0 to ${Math.min(limit.from, end) - 1} cannot be proven: ${limit.reason}.`);
  return { first: Math.max(...limits.map((limit) => limit.from)), last: end - 1, places, notes };
}

/** Returns the blocks that every table has, or undefined unless each has an index. */
async function rangeByIndex(folder: string, names: readonly TableName[]) {
  const indexes = await Promise.all(names.map((name) => readTableIndex(folder, name)));
  const known = indexes.filter((index) => index !== undefined);
  if (known.length < names.length) return undefined;
  return {
    first: Math.max(...known.map(({ first }) => first)),
    end: Math.min(...known.map(({ end }) => end)),
    places: undefined,
  };
}

/** Reads every item of each table, and keeps the places of some. Tables must begin with the same block. */
async function rangeByScan(folder: string, names: readonly TableName[], onScan: (blocks: number) => void) {
  const first = await firstNumber(folder);
  const tables: Partial<Record<TableName, Place[]>> = {};
  const ends: number[] = [];
  for (const name of names) {
    const places: Place[] = [];
    let items = 0;
    for await (const { file, offset } of itemsInOrder(folder, name, rawEnd)) {
      if (items % STRIDE === 0) places.push({ file, offset });
      items += 1;
      if (items % STRIDE === 0) onScan(STRIDE / names.length);
    }
    tables[name] = places;
    ends.push(first + items);
  }
  return { first, end: Math.min(...ends), places: { first, tables } };
}

async function firstNumber(folder: string): Promise<number> {
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

/** Returns the form of stored receipts by the node of a chain: `core/types/receipt.go` of each. */
const formOf = ({ rules }: Chain): ReceiptForm =>
  rules.family === 'op-stack' ? 'op-geth' : rules.family === 'arbitrum' ? 'nitro' : 'geth';

/** Opens a freezer as one file of blocks. Errors show when its blocks are read. */
export function openFreezer(folder: string, chain: Chain, range: FreezerRange): BlockFiles {
  const { first, last } = range;
  const file: BlockFile = {
    name: folder,
    first,
    last,
    header: async (number) => {
      await using headers = openTable(folder, { ...range, last: number }, 'headers', number, MAX_HEADER);
      return await headers.next();
    },
    blocks: (from) => readBlocks(folder, chain, range, from),
  };
  return {
    host: 'localhost',
    ends: async () => ({ files: last < first ? [] : [file], problems: [] }),
    withBlock: async (number) => ({ files: number < first || number > last ? [] : [file], problems: [] }),
  };
}

async function* readBlocks(folder: string, chain: Chain, range: FreezerRange, from: number) {
  const open = (table: TableName, max?: number) => openTable(folder, range, table, from, max);
  await using headers = open('headers', MAX_HEADER);
  await using bodies = open('bodies');
  await using stored = open('receipts');
  const { rules } = chain;
  // Later blocks have empty items in it.
  const hasStateSyncs = rules.family === 'polygon' && from < rules.stateSyncTypeFrom;
  await using stateSyncs = hasStateSyncs ? open(STATE_SYNC_TABLE) : undefined;
  const complete = createReceiptCompleter(formOf(chain));
  for (let number = from; number <= range.last; number++) {
    const header = await headers.next();
    const transactions = transactionsOfBody(await bodies.next());
    const receipts = complete(await stored.next(), transactions.map(typeOfPayload));
    const hasStateSync = stateSyncs !== undefined && (await stateSyncs.next()).length > 0;
    yield { header, transactions, receipts, hasStateSync } satisfies BlockBytes;
  }
}

/** @param max bytes of an item, decompressed */
function openTable(folder: string, range: FreezerRange, table: TableName, from: number, max?: number) {
  const { last, places } = range;
  // Without an index, items are passed over from the last known place at or before the first block.
  const known = places ? Math.floor((from - places.first) / STRIDE) : 0;
  const items = places
    ? itemsInOrder(folder, table, rawEnd, places.tables[table]?.[known])
    : indexedItems(folder, table, from, last + 1);
  const decompress = createRawDecompressor(max);
  let passed = places ? places.first + known * STRIDE : from;
  /** Returns the next item, decompressed and valid until the next call. */
  const next = async () => {
    for (;;) {
      const { value } = await items.next();
      if (!value) throw new UnreadableError(`the table ${table} became shorter while it was read`);
      passed += 1;
      if (passed <= from) continue;
      try {
        return decompress(value.bytes);
      } catch (error) {
        throw error instanceof EraFileError ? new EraFileError(`${table}: ${error.message}`) : error;
      }
    }
  };
  return { next, [Symbol.asyncDispose]: () => items[Symbol.asyncDispose]() };
}
