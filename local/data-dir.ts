import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type ChainName, chainNames } from '../lambda/chains/chains.ts';
import type { History } from './development-chain.ts';
import { writeWhole } from './whole-file.ts';

/** Raised whenever the same history gives other blocks than before. */
const VERSION = 2;

/** What a folder that keeps the table keeps beside it. */
const keptSchema = z.object({
  version: z.literal(VERSION),
  /** Development chains follow from their history alone, so the days in the table fit only those of the same one. */
  history: z.object({ firstDay: z.iso.date(), quietDays: z.int() }),
  /** The chains whose days in the table are those of a development chain. */
  development: z.array(z.string()),
});

/**
 * The history of the development chains: that of the folder's first start, where there is a folder.
 * @throws Error in one sentence when a chain was a development chain there and now has real nodes, or the other way
 *   round: the days of one would be served as those of the other; and when the folder is of another version
 */
export function historyIn(
  dataDir: string | undefined,
  rpcUrls: ReadonlyMap<ChainName, unknown>,
  history: History,
): History {
  if (!dataDir) return history;
  const file = join(dataDir, 'development-chains.json');
  const development = chainNames.filter((name) => !rpcUrls.has(name));
  if (!existsSync(file)) writeWhole(file, JSON.stringify({ version: VERSION, history, development }));
  const { data: kept } = keptSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!kept) {
    throw new Error('DATA_DIR holds days of development chains of another version: use another folder.');
  }
  for (const name of chainNames) {
    const was = kept.development.includes(name);
    if (was === development.includes(name)) continue;
    const [days, remedy] = was ? ['its development chain', 'Unset'] : ['real nodes', 'Set'];
    throw new Error(
      `DATA_DIR holds days of ${name} from ${days}. ${remedy} RPC_URLS_${name}, or use another folder.`,
    );
  }
  return kept.history;
}

/** The file in a folder that keeps the blocks of a development chain. */
export const blocksFileIn = (dataDir: string, chain: ChainName): string => join(dataDir, `${chain}.blocks`);
