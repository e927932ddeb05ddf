import pMap from 'p-map';
import type { ChainName } from '../../core/chains/chains.ts';
import { readParentHash } from '../../core/ingest/days/connect-days.ts';
import { describeChanges } from '../../core/store/compare-figures.ts';
import { figuresOf, type StoredDay } from '../../core/store/day-item.ts';
import type { ProbedChain } from './hosts.ts';
import type { StoredIndex } from './plan-writes.ts';
import { dayId, type FileDay } from './validate-rows.ts';

/** Each waits for one header. */
const CONCURRENCY = 8;

/** A row with its parent hash, or why it has none, or why it is refused. */
export type ConnectedRow = FileDay & { readonly unconnected?: string; readonly problem?: string };

/**
 * Adds the parent hash to rows of earlier versions, which state none: that of the stored day, or of the header of the day's first block.
 * @param probeOf absent in a dry run, which reads no header
 * @param onRow receives the number of rows that were looked at
 */
export async function connectRows(
  days: readonly FileDay[],
  stored: StoredIndex,
  probeOf: ((chain: ChainName) => Promise<ProbedChain>) | undefined,
  onRow: (done: number) => void,
): Promise<readonly ConnectedRow[]> {
  let done = 0;
  return pMap(
    days,
    async (row) => {
      const connected = await connectRow(row, stored.get(dayId(row.day)), probeOf);
      onRow(++done);
      return connected;
    },
    { concurrency: CONCURRENCY },
  );
}

async function connectRow(
  row: FileDay,
  stored: StoredDay | undefined,
  probeOf: ((chain: ChainName) => Promise<ProbedChain>) | undefined,
): Promise<ConnectedRow> {
  const { day } = row;
  if (day.parent_hash !== undefined) return row;
  // A day that is stored already keeps what is known of it.
  if (stored && describeChanges(figuresOf(stored), figuresOf(day)) === '') {
    return withParent(row, stored.parent_hash);
  }
  if (!probeOf) return { ...row, unconnected: 'a dry run reads no headers' };
  const probe = await probeOf(day.chain);
  if (probe.kind !== 'probed') return { ...row, unconnected: probe.reason };
  const read = await readParentHash(probe.source, figuresOf(day));
  if (read.kind === 'fetched') return withParent(row, read.value);
  return read.kind === 'conflict' ? { ...row, problem: read.reason } : { ...row, unconnected: read.reason };
}

/** Keeps the order of the attributes, in which equal days have equal lines. */
const withParent = (row: FileDay, parentHash: string | undefined): FileDay =>
  parentHash === undefined ? row : { ...row, day: { ...row.day, parent_hash: parentHash } };
