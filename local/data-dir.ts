import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type ChainName, chainNames } from '../core/chains/chains.ts';
import type { BlockSchedule } from './development-chain.ts';
import { writeAtomically } from './write-atomically.ts';

/** Version of the block schedule. Increases when the same schedule produces other blocks. */
const VERSION = 5;

/** Contents of the file that a data directory holds beside the table. */
const storedSchema = z.object({
  version: z.literal(VERSION),
  /** Development chains derive from their schedule alone, so the days in the table match this one only. */
  history: z.object({ firstDay: z.iso.date(), quietDays: z.int() }),
  /** Chains whose days in the table come from a development chain. */
  development: z.array(z.string()),
});

/**
 * Returns the schedule of the development chains. With a data directory, that is the schedule of its first start.
 * @throws Error with a message for the user when the directory is of another version, or holds days of a development chain that
 *   now has real nodes, or vice versa
 */
export function scheduleIn(
  dataDir: string | undefined,
  rpcUrls: ReadonlyMap<ChainName, unknown>,
  schedule: BlockSchedule,
): BlockSchedule {
  if (!dataDir) return schedule;
  const file = join(dataDir, 'development-chains.json');
  const development = chainNames.filter((name) => !rpcUrls.has(name));
  if (!existsSync(file))
    writeAtomically(file, JSON.stringify({ version: VERSION, history: schedule, development }));
  const { data: stored } = storedSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!stored) {
    throw new Error('DATA_DIR holds days of development chains of another version. Use another folder.');
  }
  for (const name of chainNames) {
    const wasDevelopment = stored.development.includes(name);
    if (wasDevelopment === development.includes(name)) continue;
    const [days, remedy] = wasDevelopment ? ['its development chain', 'Unset'] : ['real nodes', 'Set'];
    throw new Error(
      `DATA_DIR holds days of ${name} from ${days}. ${remedy} RPC_URLS_${name}, or use another folder.`,
    );
  }
  return stored.history;
}

/** Returns the file with the blocks of a development chain. */
export const blocksFileIn = (dataDir: string, chain: ChainName): string => join(dataDir, `${chain}.blocks`);
