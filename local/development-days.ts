import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { addDays, dayOf, type UtcDay } from '../core/figures/calendar.ts';
import { getCoverage } from '../core/store/chain/coverage.ts';
import type { ChainStore } from '../core/store/table/table.ts';
import type { Settings } from './settings.ts';

/** Days of a development chain. All its blocks derive from them. */
export interface BlockSchedule {
  readonly firstDay: UtcDay;
  /** Number of days at the start with few blocks: a history to backfill that is quick to mine. */
  readonly quietDays: number;
  /** Time of the first start, in seconds: blocks come often from then on, so that people see the running day grow. */
  readonly liveFrom?: number | undefined;
}

/** Days of development chains before today with one block each, of which the first are left for trying out a backfill. */
const QUIET_DAYS = 49;

/** Days with eight blocks each, from the first second to the last. */
const BUSY_DAYS = 7;

/** A chain that lacks a day until somebody ingests it, so that people see a gap. In days before the first start. */
const GAP = { chain: 'BASE', daysBack: 5 } as const;

/** Days before today that are ingested by default: six weeks, for charts worth a look. */
export const DAYS_BACK = 42;

/** Returns the days of the development chains, the first day to ingest, and the gap. */
export function localSchedule({ dataDir, chains, rpcUrls, startDay }: Settings) {
  const now = Math.floor(Date.now() / 1_000);
  const firstDay = addDays(dayOf(now), -BUSY_DAYS - QUIET_DAYS);
  const fresh = { firstDay, quietDays: QUIET_DAYS, liveFrom: now };
  const schedule = dataDir ? scheduleIn(dataDir, fresh) : fresh;
  const daysBack = (days: number) => addDays(schedule.firstDay, schedule.quietDays + BUSY_DAYS - days);
  const hasGap = startDay === undefined && chains.includes(GAP.chain) && !rpcUrls.has(GAP.chain);
  const gap = hasGap ? { chain: GAP.chain, day: daysBack(GAP.daysBack) } : undefined;
  return { schedule, from: startDay ?? daysBack(DAYS_BACK), gap };
}

/** Version of the block schedule. Increases when the same schedule produces other blocks. */
const VERSION = 7;

/** Contents of the file that a data directory holds beside the table. */
const storedSchema = z.object({
  version: z.literal(VERSION),
  /** Development chains derive from their schedule alone, so the days in the table match this one only. */
  history: z.object({ firstDay: z.iso.date(), quietDays: z.int(), liveFrom: z.optional(z.int()) }),
});

/** Returns the schedule of the first start in a data directory. @throws Error when that was by another version */
export function scheduleIn(dataDir: string, fresh: BlockSchedule): BlockSchedule {
  const file = join(dataDir, 'development-chains.json');
  if (!existsSync(file)) writeAtomically(file, JSON.stringify({ version: VERSION, history: fresh }));
  const { data } = storedSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (data) return data.history;
  throw new Error('DATA_DIR holds days of development chains of another version. Use another folder.');
}

/** Refuses to mix days of a development chain, which leaves its blocks in the directory, with those of real nodes. */
export async function refuseMixedDays(store: ChainStore, dataDir: string, isReal: boolean): Promise<void> {
  const { chain } = store;
  const wasDevelopment = existsSync(blocksFileIn(dataDir, chain));
  if (wasDevelopment !== isReal || !(await getCoverage(store))) return;
  const [days, remedy] = isReal ? ['its development chain', 'Unset'] : ['real nodes', 'Set'];
  throw new Error(
    `DATA_DIR holds days of ${chain} from ${days}. ${remedy} RPC_URLS_${chain}, or use another folder.`,
  );
}

export const blocksFileIn = (dataDir: string, chain: string): string => join(dataDir, `${chain}.blocks`);

/** Writes a file atomically: a process that is killed meanwhile leaves the old file or the new one. */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
