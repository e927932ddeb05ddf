import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Chain } from '../lambda/chains/chains.ts';
import { addDays, startOfDay, type UtcDay } from '../lambda/chains/utc-day.ts';
import { type Endpoint, endpointOf } from '../lambda/rpc/endpoint.ts';
import { call } from '../lambda/rpc/json-rpc.ts';
import { startAnvil } from './anvil.ts';
import { CONTRACT, protocolSender, sampleTransactions } from './sample-transactions.ts';
import { writeWhole } from './whole-file.ts';

/**
 * A small chain in place of a real one: an anvil with blocks of varied transactions on every day since its first.
 * Each block follows from its number and the chain's history alone, hash included. So the same chain comes into
 * being whenever it is mined, and a table that is kept between runs goes on fitting it.
 */
export interface DevelopmentChain {
  /** The row that the ingest reads it by: the real chain's, but for what a development node lacks. */
  readonly chain: Chain;
  readonly endpoint: Endpoint;
  /** Mines all blocks whose time has come. */
  readonly mineUntil: (now: Date) => Promise<void>;
}

/** Seconds of the day at which blocks come: the first second and the last, some in quick succession, and two at once. */
const BLOCK_TIMES = [
  0, 12, 12, 24, 36, 48, 10_000, 20_000, 30_000, 43_200, 50_000, 60_000, 70_000, 80_000, 86_399,
];

const QUIET_BLOCK_TIMES = [0, 43_200, 86_399];

/** What all blocks of a development chain follow from. */
export interface History {
  readonly firstDay: UtcDay;
  /** The chain begins with so many days of few blocks: a past to fill, that costs little time to mine. */
  readonly quietDays: number;
}

/** When a block comes, in seconds. Block 0 is genesis. */
function timeOf({ firstDay, quietDays }: History, block: number): number {
  const quietBlocks = quietDays * QUIET_BLOCK_TIMES.length;
  const isQuiet = block <= quietBlocks;
  const [index, times] = isQuiet ? [block - 1, QUIET_BLOCK_TIMES] : [block - 1 - quietBlocks, BLOCK_TIMES];
  const day = (isQuiet ? 0 : quietDays) + Math.floor(index / times.length);
  return startOfDay(addDays(firstDay, day)) + (times[index % times.length] ?? 0);
}

/**
 * @param guard is told of the node's process as soon as it is there
 * @param file keeps its blocks between runs; they are mined anew when undefined
 * @throws Error in one sentence when the node does not start
 */
export async function startDevelopmentChain(
  realChain: Chain,
  history: History,
  guard: (child: ChildProcess) => void,
  file?: string,
): Promise<DevelopmentChain> {
  const chain = developmentRow(realChain);
  const url = await startAnvil(
    {
      chainId: chain.id,
      genesisTime: timeOf(history, 1),
      switches: switchesOf(chain),
    },
    guard,
  );
  const endpoint = endpointOf(chain, url);
  const rpc: NodeCall = (method, ...params) => call(endpoint, method, params, z.unknown());

  if (file) await takeUp(rpc, file);
  const accounts = z.array(z.string()).parse(await rpc('eth_accounts'));
  await rpc('anvil_setCode', CONTRACT.address, CONTRACT.code);
  const sender = protocolSender(chain.rules, accounts);
  if (sender) await rpc('anvil_setCoinbase', sender);
  // Nothing is signed and no blob proven, for which each node would first make tables of 100 MB in 2 s of CPU time.
  await rpc('anvil_autoImpersonateAccount', true);

  let next = Number(await rpc('eth_blockNumber')) + 1;
  const mineUntil = async (now: Date) => {
    const first = next;
    for (; timeOf(history, next) * 1000 <= now.getTime(); next++) {
      for (const transaction of sampleTransactions(chain.rules, accounts, next)) {
        await rpc('eth_sendTransaction', transaction);
      }
      await rpc('evm_mine', timeOf(history, next));
    }
    if (file && next > first) await keep(rpc, file);
  };
  return { chain, endpoint, mineUntil };
}

type NodeCall = (method: string, ...params: unknown[]) => Promise<unknown>;

/** Has a node know all blocks that one before it has left: 30 ms for six weeks, which take seconds to mine. */
async function takeUp(rpc: NodeCall, file: string): Promise<void> {
  if (!existsSync(file)) return;
  const state = `0x${readFileSync(file, 'hex')}`;
  // What another version of anvil has left may be of no use. The blocks are mined anew then, and are the same.
  await rpc('anvil_loadState', state).catch(() => undefined);
}

async function keep(rpc: NodeCall, file: string): Promise<void> {
  const state = z
    .string()
    .check(z.startsWith('0x'))
    .parse(await rpc('anvil_dumpState'));
  writeWhole(file, Buffer.from(state.slice(2), 'hex'));
}

/** The row that a development chain is read by: its nodes of the OP stack have no L1 and charge nothing for it. */
export const developmentRow = (chain: Chain): Chain =>
  chain.rules.family === 'op-stack'
    ? { ...chain, rules: { ...chain.rules, bedrockBlock: 0, chargesL1Fee: false } }
    : chain;

function switchesOf({ rules }: Chain): readonly string[] {
  switch (rules.family) {
    case 'op-stack':
      return ['--optimism'];
    case 'bsc':
      // As on BSC, the base fee is 0, so that its validators can send transactions at no price.
      return ['--base-fee', '0', '--gas-price', '0', '--disable-min-priority-fee'];
    default:
      return [];
  }
}
