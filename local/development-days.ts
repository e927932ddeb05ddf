import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { ChainName } from '../core/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../core/figures/calendar.ts';
import type { Settings } from './settings.ts';

/** Days of a development chain. All its blocks derive from them. */
export interface BlockSchedule {
  readonly firstDay: UtcDay;
  /** Number of days at the start with few blocks: a history to backfill that is quick to mine. */
  readonly quietDays: number;
}

/** Days of development chains before today with one block each, of which the first are left for trying out a backfill. */
const QUIET_DAYS = 49;

/** Days with eight blocks each, from the first second to the last. */
const BUSY_DAYS = 7;

/**
 * A development chain whose schedule began again after a day that nobody has ingested: a gap, so that people see one. In days before
 * the first start of the service.
 */
const GAP = { chain: 'BASE', daysBack: 5 } as const;

/** Days before today that are ingested by default: six weeks, for charts worth a look. */
export const DAYS_BACK = 42;

/** Returns the days of the development chains, the first day to ingest, and the gap. */
export function localSchedule({ dataDir, chains, rpcUrls, startDay }: Settings) {
  const today = dayOf(Date.now() / 1000);
  const schedule = scheduleIn(
    dataDir,
    { chains, rpcUrls },
    { firstDay: addDays(today, -BUSY_DAYS - QUIET_DAYS), quietDays: QUIET_DAYS },
  );
  const daysBack = (days: number) => addDays(schedule.firstDay, schedule.quietDays + BUSY_DAYS - days);
  const hasGap = startDay === undefined && chains.includes(GAP.chain) && !rpcUrls.has(GAP.chain);
  const gap = hasGap ? { chain: GAP.chain, day: daysBack(GAP.daysBack) } : undefined;
  return { schedule, from: startDay ?? daysBack(DAYS_BACK), gap };
}

/** Version of the block schedule. Increases when the same schedule produces other blocks. */
const VERSION = 6;

/** Contents of the file that a data directory holds beside the table. */
const storedSchema = z.object({
  version: z.literal(VERSION),
  /** Development chains derive from their schedule alone, so the days in the table match this one only. */
  history: z.object({ firstDay: z.iso.date(), quietDays: z.int() }),
  /** Chains whose days in the table come from a development chain. */
  development: z.array(z.string()),
  /** Those from real nodes. */
  real: z.array(z.string()),
});

/** The chains of a start. Those without URLs are development chains. */
interface Chains {
  readonly chains: readonly ChainName[];
  readonly rpcUrls: ReadonlyMap<ChainName, unknown>;
}

/**
 * Returns the schedule of the development chains. With a data directory, that is the schedule of its first start. The directory accepts
 * a chain that is new to it.
 * @throws Error with a message for the user when the directory is of another version, or holds days of a development chain that
 *   now has real nodes, or vice versa
 */
export function scheduleIn(
  dataDir: string | undefined,
  { chains, rpcUrls }: Chains,
  schedule: BlockSchedule,
): BlockSchedule {
  if (!dataDir) return schedule;
  const file = join(dataDir, 'development-chains.json');
  const stored = existsSync(file) ? readStored(file) : { history: schedule, development: [], real: [] };
  const wasDevelopment = new Set(stored.development);
  const wasReal = new Set(stored.real);
  for (const name of chains) {
    const isReal = rpcUrls.has(name);
    if (isReal ? wasDevelopment.has(name) : wasReal.has(name)) throw otherChain(name, isReal);
    (isReal ? wasReal : wasDevelopment).add(name);
  }
  const content = { history: stored.history, development: [...wasDevelopment], real: [...wasReal] };
  writeAtomically(file, JSON.stringify({ version: VERSION, ...content }));
  return stored.history;
}

function readStored(file: string): z.output<typeof storedSchema> {
  const { data } = storedSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (data) return data;
  throw new Error('DATA_DIR holds days of development chains of another version. Use another folder.');
}

function otherChain(name: ChainName, isReal: boolean): Error {
  const [days, remedy] = isReal ? ['its development chain', 'Unset'] : ['real nodes', 'Set'];
  return new Error(
    `DATA_DIR holds days of ${name} from ${days}. ${remedy} RPC_URLS_${name}, or use another folder.`,
  );
}

/** Returns the file with the blocks of a development chain. */
export const blocksFileIn = (dataDir: string, chain: ChainName): string => join(dataDir, `${chain}.blocks`);

/** Writes a file atomically: a process that is killed meanwhile leaves the old file or the new one. */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
