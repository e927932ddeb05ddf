import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainName } from '#core/chains/chains.ts';
import type { Totals } from '#core/figures/totals.ts';
import { createFolder } from '#test/support/folders.ts';
import { rlp } from '#test/support/generators/blocks/block-bytes.ts';

/* Block files of real nodes, and their totals by day: test/fixtures/real-nodes. */

const ROOT = 'test/fixtures/real-nodes';

interface RecordedDay {
  /** Numbers of blocks. */
  readonly first: number;
  readonly last: number;
  readonly totals: Totals;
}

/** Copies the files of a node into a folder of their own. */
export function unpackFreezer(archive: string): string {
  const folder = createFolder();
  execFileSync('tar', ['-xzf', join(ROOT, archive), '--strip-components=1', '-C', folder]);
  return folder;
}

/** Reads the totals of a file, whose rows name their members differently. Amounts are decimal. */
function readDays(path: string): ReadonlyMap<string, RecordedDay> {
  const rows: Record<string, Record<string, string | number | undefined>> = JSON.parse(
    readFileSync(join(ROOT, path), 'utf8'),
  );
  return new Map(
    Object.entries(rows).map(([key, row]) => {
      const of = (...names: string[]) =>
        BigInt(names.map((name) => row[name]).find((one) => one != null) ?? 0);
      const fees = {
        execution: of('execution', 'exec'),
        l1Data: of('l1'),
        operator: of('operator'),
        blob: of('blob'),
        retryableDoubleCount: 0n,
      };
      const measures = {
        gasUsed: of('gas'),
        failedTransactions: of('failed'),
        priorityFees: of('priority', 'tips'),
        blobs: of('blobs'),
      };
      const totals = {
        blocks: Number(row.blocks),
        transactions: Number(of('transactions', 'txs', 'tx')),
        protocolTransactions: Number(of('protocol', 'sys')),
        fees,
        measures,
      };
      return [`${row.day ?? key}`, { first: Number(row.first), last: Number(row.last), totals }];
    }),
  );
}

/** The recorded totals count upgrade deposits as users' transactions. */
const PROTOCOL_OF_FORK_DAYS = { '2024-03-14': 11, '2024-07-10': 10, '2025-05-09': 15, '2025-12-02': 12 };

function withUpgrades(days: ReadonlyMap<string, RecordedDay>): ReadonlyMap<string, RecordedDay> {
  const corrected = new Map(days);
  for (const [day, protocolTransactions] of Object.entries(PROTOCOL_OF_FORK_DAYS)) {
    const recorded = days.get(day);
    if (!recorded) throw new Error(`${day} is not recorded`);
    corrected.set(day, { ...recorded, totals: { ...recorded.totals, protocolTransactions } });
  }
  return corrected;
}

interface RealFreezer {
  readonly client: string;
  readonly chainName: ChainName;
  readonly archive: string;
  /** Number of the last block. */
  readonly last: number;
  readonly days: ReadonlyMap<string, RecordedDay>;
}

export const realFreezers: readonly RealFreezer[] = [
  {
    client: 'geth 1.17.10',
    chainName: 'ETHEREUM',
    archive: 'ethereum/freezer-v1.17.10.tar.gz',
    last: 248,
    days: readDays('ethereum/osaka-totals.json'),
  },
  {
    client: 'bsc',
    chainName: 'BSC',
    archive: 'bsc/freezer.tar.gz',
    last: 2038,
    days: readDays('bsc/totals.json'),
  },
  {
    client: 'op-geth',
    chainName: 'BASE',
    archive: 'op-stack/base-freezer.tar.gz',
    last: 71,
    days: withUpgrades(readDays('op-stack/base.sum.json')),
  },
];

const ENTRY = 6;

/**
 * Prunes a table with one data file as geth does (core/rawdb/freezer_table.go, truncateTail): items before `removed` go with their data
 * file, and those before `hidden` are only marked.
 */
export function pruneTable(folder: string, table: string, removed: number, hidden: number): void {
  const path = (name: string) => join(folder, `${table}.${name}`);
  const index = readFileSync(path('cidx')).subarray(removed * ENTRY);
  const start = index.readUInt32BE(2);
  for (let at = 0; at < index.length; at += ENTRY) {
    index.writeUInt16BE(1, at);
    index.writeUInt32BE(at === 0 ? removed : index.readUInt32BE(at + 2) - start, at + 2);
  }
  const data = readFileSync(path('0000.cdat')).subarray(start);
  rmSync(path('0000.cdat'));
  writeFileSync(path('0001.cdat'), data);
  writeFileSync(path('cidx'), index);
  const meta = rlp([2, hidden, index.length]);
  writeFileSync(path('meta'), Buffer.concat([meta, Buffer.alloc(32)], 32));
}
