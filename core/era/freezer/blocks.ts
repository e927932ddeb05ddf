import type { Chain } from '../../chains/chains.ts';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { createReceiptCompleter, type ReceiptForm } from '../../proof/raw/bloomless-receipts.ts';
import { transactionsOfBody } from '../../proof/raw/raw-body.ts';
import { typeOfPayload } from '../../proof/raw/raw-transactions.ts';
import type { BlockFileName } from '../file-name.ts';
import { type BlockRange, type EraBlock, MAX_HEADER } from '../read-blocks.ts';
import { createRawDecompressor, type Decompress, rawEnd } from '../snappy.ts';
import { EraFileError, UnreadableError } from '../source.ts';
import { indexedItems, itemsInOrder, STATE_SYNC_TABLE, type TableName } from './table.ts';

/** Returns the form of stored receipts by the node of a chain: `core/types/receipt.go` of each. */
const formOf = ({ rules }: Chain): ReceiptForm =>
  rules.family === 'op-stack' ? 'op-geth' : rules.family === 'arbitrum' ? 'nitro' : 'geth';

/** Opens a range of blocks. Errors show when its blocks are read. */
export function openFreezerRange(folder: string, chain: Chain, name: BlockFileName): BlockRange {
  const { first, last } = name;
  let size = 0;
  const count = (bytes: number) => {
    size += bytes;
  };
  return {
    get size() {
      return size;
    },
    blocks: {
      first,
      count: last - first + 1,
      accumulator: undefined,
      from: (index) => readBlocks({ folder, chain, name, count }, first + index),
    },
  };
}

interface Reading {
  readonly folder: string;
  readonly chain: Chain;
  readonly name: BlockFileName;
  readonly count: (bytes: number) => void;
}

async function* readBlocks(reading: Reading, from: number): AsyncGenerator<EraBlock> {
  const { chain, name } = reading;
  const open = (table: TableName, max?: number) =>
    openTable(reading, table, from, createRawDecompressor(max));
  const [headers, bodies, stored] = [open('headers', MAX_HEADER), open('bodies'), open('receipts')];
  const stateSyncs = hasStateSyncTable(chain, name) ? open(STATE_SYNC_TABLE) : undefined;
  const complete = createReceiptCompleter(formOf(chain));
  try {
    for (let number = from; number <= name.last; number++) {
      try {
        const header = await headers.next();
        const transactions = transactionsOfBody(await bodies.next());
        const receipts = complete(await stored.next(), transactions.map(typeOfPayload));
        const hasStateSync = stateSyncs !== undefined && (await stateSyncs.next()).length > 0;
        yield { header, transactions, receipts, hasStateSync };
      } catch (error) {
        throw atBlock(error, number);
      }
    }
  } finally {
    await Promise.all([headers, bodies, stored, stateSyncs].map((table) => table?.close()));
  }
}

/** Names the block of an error, unless the error does. */
function atBlock(error: unknown, number: number): unknown {
  if (error instanceof ProofError)
    return new EraFileError(`block ${number}: ${error.field}: ${error.message}`);
  if (!(error instanceof EraFileError) || error.message.startsWith('block ')) return error;
  return new EraFileError(`block ${number}: ${error.message}`);
}

/** Returns whether the state-syncs of a range are in a table of their own. */
const hasStateSyncTable = ({ rules }: Chain, { first }: BlockFileName): boolean =>
  rules.family === 'polygon' && first < rules.stateSyncTypeFrom;

interface OpenTable {
  /** Returns the next item, decompressed and valid until the next call. */
  readonly next: () => Promise<Buffer>;
  readonly close: () => Promise<unknown>;
}

function openTable(
  { folder, name, count }: Reading,
  table: TableName,
  from: number,
  decompress: Decompress,
): OpenTable {
  const { starts } = name;
  const items = starts
    ? itemsInOrder(folder, table, rawEnd, starts.places[table])
    : indexedItems(folder, table, from, name.last + 1);
  /** Without an index, the items before are passed over. */
  let passed = starts?.number ?? from;
  const next = async () => {
    for (;;) {
      const { value } = await items.next();
      if (!value) throw new UnreadableError(`the table ${table} became shorter while it was read`);
      passed += 1;
      if (passed <= from) continue;
      count(value.bytes.length);
      try {
        return decompress(value.bytes);
      } catch (error) {
        throw error instanceof EraFileError ? new EraFileError(`${table}: ${error.message}`) : error;
      }
    }
  };
  return { next, close: () => items.return(undefined) };
}
