import type { Chain } from '../../chains/chains.ts';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { typeOfPayload } from '../../proof/fields/read-transactions.ts';
import { createReceiptCompleter, type ReceiptForm } from '../../proof/raw/bloomless-receipts.ts';
import type { BlockBytes } from '../../proof/raw/prove-raw-block.ts';
import { transactionsOfBody } from '../../proof/raw/raw-body.ts';
import { MAX_HEADER } from '../era/read-blocks.ts';
import { createRawDecompressor, rawEnd } from '../era/snappy.ts';
import { type BlockFile, type BlockFiles, EraFileError, UnreadableError } from '../files/source.ts';
import { type FreezerRange, placeBefore } from './range.ts';
import { indexedItems, itemsInOrder, STATE_SYNC_TABLE, type TableName } from './table.ts';

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
    try {
      const header = await headers.next();
      const transactions = transactionsOfBody(await bodies.next());
      const receipts = complete(await stored.next(), transactions.map(typeOfPayload));
      const hasStateSync = stateSyncs !== undefined && (await stateSyncs.next()).length > 0;
      yield { header, transactions, receipts, hasStateSync } satisfies BlockBytes;
    } catch (error) {
      throw atBlock(error, number);
    }
  }
}

/** Names the block of an error, unless the error does. */
function atBlock(error: unknown, number: number): unknown {
  if (error instanceof ProofError)
    return new EraFileError(`block ${number}: ${error.field}: ${error.message}`);
  if (!(error instanceof EraFileError) || error.message.startsWith('block ')) return error;
  return new EraFileError(`block ${number}: ${error.message}`);
}

/** @param max bytes of an item, decompressed */
function openTable(folder: string, range: FreezerRange, table: TableName, from: number, max?: number) {
  const start = range.places && placeBefore(range.places, table, from);
  const items = start
    ? itemsInOrder(folder, table, rawEnd, start.place)
    : indexedItems(folder, table, from, range.last + 1);
  const decompress = createRawDecompressor(max);
  /** Without an index, the items before are passed over. */
  let passed = start?.number ?? from;
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
