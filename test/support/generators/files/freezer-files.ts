import { compress } from 'snappyjs';
import type { Chain } from '#core/chains/chains.ts';
import type { ReceiptForm } from '#core/proof/raw/bloomless-receipts.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import { rlp } from '#test/support/generators/blocks/block-bytes.ts';
import { bloomlessReceipts, bodyOf } from './era-files.ts';

/* A writer of freezers, independent of the code that reads them: go-ethereum core/rawdb/freezer_table.go. */

/** The shape of a freezer. */
export interface FreezerShape {
  readonly form: Exclude<ReceiptForm, 'ere'>;
  /** Number of the first block: those before are removed from the tables. */
  readonly first?: number;
  /** Bytes of a data file, unless one item has more. */
  readonly maxBytes?: number;
}

const forms = { 'op-stack': 'op-geth', arbitrum: 'nitro' } as const;
export const formOf = ({ rules }: Chain) => forms[rules.family as keyof typeof forms] ?? 'geth';

const L1_GAS = Uint8Array.of(0x12, 0x34);

/** Receipts as a node stores them: without type and bloom, and with what its client adds. */
export const storedReceiptsOf = (block: BlockBytes, form: FreezerShape['form']): Uint8Array =>
  bloomlessReceipts(block, (_, [outcome = [], gas = [], logs = [], ...more]) =>
    form === 'nitro' ? [outcome, gas, L1_GAS, logs, new Uint8Array(20)] : [outcome, gas, logs, ...more],
  );

/** Returns the files of a freezer by their names. */
export function freezerFiles(blocks: readonly BlockBytes[], shape: FreezerShape): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (table: string, itemOf: (block: BlockBytes) => Uint8Array) => {
    for (const [name, bytes] of tableFiles(table, blocks.map(itemOf), shape)) files.set(name, bytes);
  };
  add('headers', ({ header }) => header);
  add('bodies', bodyOf);
  add('receipts', (block) => storedReceiptsOf(block, shape.form));
  // Bor has an item for each block: empty without a state-sync. Nothing of its content matters.
  if (blocks.some(({ hasStateSync }) => hasStateSync !== undefined))
    add('matic-bor-receipts', ({ hasStateSync }) => Buffer.from(hasStateSync ? 'c0' : '', 'hex'));
  return files;
}

function tableFiles(
  table: string,
  items: readonly Uint8Array[],
  { first = 0, maxBytes = 2_000_000_000 }: FreezerShape,
): [name: string, bytes: Buffer][] {
  const entries = [entryOf(0, first)];
  const data: Buffer[][] = [[]];
  let offset = 0;
  for (const item of items) {
    const compressed = Buffer.from(compress(item));
    if (offset > 0 && offset + compressed.length > maxBytes) {
      data.push([]);
      offset = 0;
    }
    data.at(-1)?.push(compressed);
    offset += compressed.length;
    entries.push(entryOf(data.length - 1, offset));
  }
  const meta = Buffer.from(rlp([1, first]));
  return [
    [`${table}.cidx`, Buffer.concat(entries)],
    [`${table}.meta`, meta],
    ...data.map((parts, file): [string, Buffer] => [
      `${table}.${String(file).padStart(4, '0')}.cdat`,
      Buffer.concat(parts),
    ]),
  ];
}

function entryOf(file: number, offset: number): Buffer {
  const entry = Buffer.alloc(6);
  entry.writeUInt16BE(file, 0);
  entry.writeUInt32BE(offset, 2);
  return entry;
}
