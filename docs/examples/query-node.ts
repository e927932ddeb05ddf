/*
 * Runs a query of `history query --archive duckdb` over the blocks of a small node, such as a development chain, and prints the file for
 * `history import`: node query-node.ts <node URL> <query> > file.csv. See docs/history.md#archives.
 */

import { readFileSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

type Json = Readonly<Record<string, unknown>>;

interface Answers {
  readonly block: Json;
  readonly receipts: readonly unknown[];
}

const number = (value: unknown) =>
  value === undefined || value === null ? 'NULL' : BigInt(String(value)).toString();
const text = (value: unknown) => (typeof value === 'string' ? `'${value.toLowerCase()}'` : 'NULL');

/** Opens a database with the blocks and the transactions of a chain, as archives have them. */
export async function openArchive(blocks: readonly Answers[]): Promise<DuckDBConnection> {
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

async function insert(db: DuckDBConnection, table: string, rows: readonly (readonly string[])[]) {
  if (rows.length > 0)
    await db.run(`INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`);
}

const blockRow = ({ block }: Answers): readonly string[] => [
  ...[block.timestamp, block.number].map(number),
  ...[block.hash, block.miner].map(text),
  ...[block.gasUsed, block.baseFeePerGas, block.blobGasUsed, block.excessBlobGas].map(number),
];

const transactionRows = ({ block, receipts }: Answers) =>
  (block.transactions as Json[]).map((transaction, index): readonly string[] => {
    const receipt = receipts[index] as Json;
    const price = receipt.effectiveGasPrice ?? transaction.gasPrice;
    return [
      ...[block.timestamp, block.number, receipt.transactionIndex ?? index].map(number),
      ...[transaction.from, transaction.to].map(text),
      ...[transaction.type ?? '0x0', receipt.gasUsed, price, transaction.gas, receipt.l1Fee].map(number),
      text(transaction.input),
    ];
  });

async function call(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body }).catch(({ message, cause = message }) => {
    throw new Error(
      `The node in NODE_URL gave no answer: ${cause}. Correct the variable, or start the node.`,
    );
  });
  const { result, error } = (await answer.json()) as Json;
  if (!result) throw new Error(`${method} ${params[0]}: ${JSON.stringify(error ?? result)}`);
  return result;
}

/** Reads all final blocks of a node, one after the other. */
async function* readBlocks(url: string): AsyncGenerator<Answers> {
  const last = (await call(url, 'eth_getBlockByNumber', 'finalized', false)) as Json;
  for (let at = 0; at <= Number(last.number); at++) {
    const tag = `0x${at.toString(16)}`;
    const block = (await call(url, 'eth_getBlockByNumber', tag, true)) as Json;
    yield { block, receipts: (await call(url, 'eth_getBlockReceipts', tag)) as unknown[] };
  }
}

async function main() {
  const [url = '', query = ''] = process.argv.slice(2);
  const db = await openArchive(await Array.fromAsync(readBlocks(url)));
  const result = await db.runAndReadAll(readFileSync(query, 'utf8'));
  for (const cells of [result.columnNames(), ...result.getRows()]) console.log(cells.join());
}

if (import.meta.main)
  void main().catch(({ message }: Error) => {
    console.error(message);
    process.exitCode = 1;
  });
