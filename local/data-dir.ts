import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { ChainName } from '../core/chains/chains.ts';
import type { BlockSchedule } from './development-chain.ts';
import { writeAtomically } from './write-atomically.ts';

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
