import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ArchiveRow } from '#cli/history/row.ts';
import type { Chain } from '#core/chains/chains.ts';
import type { Totals } from '#core/figures/totals.ts';
import { describeContradiction } from '#core/store/days/compare-figures.ts';
import type { FullBlock } from '#test/support/generators/blocks/full-blocks.ts';

type Json = Record<string, unknown>;

const number = (value: unknown) =>
  value === undefined || value === null ? 'NULL' : BigInt(String(value)).toString();
const text = (value: unknown) => (typeof value === 'string' ? `'${value.toLowerCase()}'` : 'NULL');

/** Opens a database with the blocks and the transactions of a chain, as archives have them: the tables that the query for DuckDB reads. */
export async function openArchive(
  blocks: readonly Pick<FullBlock, 'block' | 'receipts'>[],
): Promise<DuckDBConnection> {
  const db = await (await DuckDBInstance.create()).connect();
  await db.run(
    'CREATE TABLE blocks (timestamp BIGINT, number BIGINT, hash VARCHAR, miner VARCHAR, gas_used HUGEINT, base_fee_per_gas HUGEINT, blob_gas_used HUGEINT, excess_blob_gas HUGEINT)',
  );
  await db.run(
    'CREATE TABLE transactions (block_timestamp BIGINT, block_number BIGINT, transaction_index BIGINT, "from" VARCHAR, "to" VARCHAR, type INTEGER, gas_used HUGEINT, effective_gas_price HUGEINT, gas HUGEINT, l1_fee HUGEINT, input VARCHAR)',
  );
  await insert(db, 'blocks', blocks.map(blockRow));
  await insert(db, 'transactions', blocks.flatMap(transactionRows));
  return db;
}

const insert = async (db: DuckDBConnection, table: string, rows: readonly (readonly string[])[]) => {
  if (rows.length > 0)
    await db.run(`INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`);
};

const blockRow = ({ block }: Pick<FullBlock, 'block'>): readonly string[] => [
  ...[block.timestamp, block.number].map(number),
  ...[block.hash, block.miner].map(text),
  ...[block.gasUsed, block.baseFeePerGas, block.blobGasUsed, block.excessBlobGas].map(number),
];

const transactionRows = ({ block, receipts }: Pick<FullBlock, 'block' | 'receipts'>) =>
  (block.transactions as Json[]).map((transaction, index): readonly string[] => {
    const receipt = receipts[index] as Json;
    const price = receipt.effectiveGasPrice ?? transaction.gasPrice;
    return [
      ...[block.timestamp, block.number, index].map(number),
      ...[transaction.from, transaction.to].map(text),
      ...[transaction.type ?? '0x0', receipt.gasUsed, price, transaction.gas, receipt.l1Fee].map(number),
      text(transaction.input),
    ];
  });

/** Describes how the row of a range differs from its proven blocks, as an audit does. */
export function contradictionOf(chain: Chain, { date, last, totals }: ArchiveRow, proven: Totals): string {
  const place = { day: date, parentHash: '0x', last: { number: last, hash: '0x' }, definitionVersion: 1 };
  return describeContradiction(chain, { ...place, totals }, { ...place, totals: proven });
}
