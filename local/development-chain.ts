import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'undici';
import * as z from 'zod/mini';
import type { Chain } from '../core/chains/chains.ts';
import { firstProvable } from '../core/chains/provable.ts';
import {
  addDays,
  countDays,
  dayOf,
  SECONDS_PER_DAY,
  startOfDay,
  type UtcDay,
} from '../core/figures/calendar.ts';
import { endpointOf } from '../core/rpc/endpoint.ts';
import { startAnvil } from './anvil.ts';
import { type BlockSchedule, writeAtomically } from './development-days.ts';
import {
  ARBITRUM_BASE_FEE,
  CONTRACT,
  type DevelopmentNode,
  developmentFeed,
  priceUpdate,
  protocolSender,
  type SampleTransaction,
  sampleTransactions,
  setUpFeed,
  USERS,
} from './sample-transactions.ts';

/**
 * A small local chain: an anvil with blocks of varied transactions on every day, which follow the rules of the real chain. They derive
 * from their number and the schedule, hash included, so that a table that is kept between runs remains valid.
 */
export type DevelopmentChain = Awaited<ReturnType<typeof startDevelopmentChain>>;

/** Seconds of the day at which blocks are mined. They include the first and last second, and the same second twice. */
const BLOCK_TIMES = [0, 12, 12, 36, 30_000, 43_200, 60_000, 86_399];

const QUIET_BLOCK_TIMES = [43_200];

/**
 * Returns the definition of a development chain: that of the real chain, except that it begins with genesis, as do Nitro and Bedrock, so that
 * blocks have small numbers and all of them are proven; that it begins on a later day; and that nothing proves which block is final,
 * since nobody validates.
 */
export function developmentDefinition(
  { finality: _, firstBlock: __, priceFeed, ...real }: Chain,
  firstDay: UtcDay,
): Chain {
  const chain = { ...real, firstDay, ...(priceFeed && { priceFeed: developmentFeed(priceFeed) }) };
  const { rules } = chain;
  if (rules.family === 'arbitrum') return { ...chain, rules: { ...rules, nitroBlock: 0 } };
  return rules.family === 'op-stack' ? { ...chain, rules: { ...rules, bedrockBlock: 0 } } : chain;
}

/** Live blocks: every 30 seconds for an hour, and then every 15 minutes, so that a later start has few to mine. */
const LIVE = { often: 30, blocks: 120, rarely: 900 } as const;

/** Returns a block's time in seconds. @param block 0 is genesis, in the last second before the first day */
function timeOf(schedule: BlockSchedule, block: number): number {
  const { liveFrom = Number.POSITIVE_INFINITY } = schedule;
  const planned = plannedTime(schedule, block);
  if (planned < liveFrom) return planned;
  let last = 0;
  while (plannedTime(schedule, last + 1) < liveFrom) last += 1;
  const live = block - last;
  return liveFrom + LIVE.often * Math.min(live, LIVE.blocks) + LIVE.rarely * Math.max(0, live - LIVE.blocks);
}

/** Returns the time of a block in the plan of days, which a first start ends. */
function plannedTime({ firstDay, quietDays }: BlockSchedule, block: number): number {
  if (block === 0) return startOfDay(firstDay) - 1;
  const quietBlocks = quietDays * QUIET_BLOCK_TIMES.length;
  const isQuiet = block <= quietBlocks;
  const [index, times] = isQuiet ? [block - 1, QUIET_BLOCK_TIMES] : [block - 1 - quietBlocks, BLOCK_TIMES];
  const day = (isQuiet ? 0 : quietDays) + Math.floor(index / times.length);
  return startOfDay(addDays(firstDay, day)) + (times[index % times.length] ?? 0);
}

/** Users' transactions of a day with a single block, at a volume of 1: as many as the eight blocks of a later day have. */
const TRANSACTIONS_PER_DAY = 16;

/** Returns a number from 0 up to, but not including, 1, the same for the same seed. */
const noise = (seed: number): number => {
  const value = Math.sin(seed) * 43_758.5453;
  return value - Math.floor(value);
};

/**
 * Returns the number of users' transactions in a block, and a multiple of the usual price that they bid. Days are like those of real chains:
 * growth, quiet weekends, a spike, and five days on which bids rise.
 */
function blockActivity({ id }: Chain, schedule: BlockSchedule, block: number) {
  const isLive = timeOf(schedule, block) > (schedule.liveFrom ?? Number.POSITIVE_INFINITY);
  if (isLive) return { count: block % 4 === 0 ? 1 : 0, bid: 1 };
  const day = dayOf(timeOf(schedule, block));
  // Negative after the days with few blocks.
  const daysLeft = countDays(day, addDays(schedule.firstDay, schedule.quietDays)) - 2;
  const number = startOfDay(day) / SECONDS_PER_DAY;
  // 1970-01-01 was a Thursday.
  const isWeekend = (number - 2) % 7 < 2;
  const isSpike = daysLeft === 26 + (id % 3);
  const isCrisis = 13 <= daysLeft && daysLeft <= 17;
  const size = (1 + (id % 5) / 8) * 0.5 ** (Math.max(0, daysLeft) / 45);
  const factor = (isWeekend ? 0.6 : 1) * (isSpike ? 2.5 : 1) * (isCrisis ? 1.5 : 1);
  const volume = size * factor * (0.85 + 0.3 * noise(id * 1_000 + number));
  return {
    // Every fifth block is empty.
    count: Math.round(volume * (daysLeft >= 0 ? TRANSACTIONS_PER_DAY : block % 5)),
    bid: isCrisis ? 1 + Math.round(11 * noise(number)) : 1,
  };
}

/**
 * Starts a development chain, without mining its blocks.
 * @param guard receives the node's process as soon as it exists
 * @param file keeps blocks between runs; without it, each run mines all of them
 * @throws Error with a message for the user when the node does not start
 */
export async function startDevelopmentChain(
  chain: Chain,
  schedule: BlockSchedule,
  guard: (child: ChildProcess) => void,
  file?: string,
) {
  const genesis = firstProvable(chain.rules);
  const switches = ['--number', String(genesis), ...(SWITCHES[chain.rules.family] ?? [])];
  const url = await startAnvil({ chainId: chain.id, genesisTime: timeOf(schedule, 0), switches }, guard);
  const rpc: DevelopmentNode = async (...call) => (await batch(url, [call]))[0];

  if (file) await loadBlocks(rpc, file);
  let next = Number(await rpc('eth_blockNumber')) - genesis + 1;
  const accounts = z.array(z.string()).parse(await rpc('eth_accounts'));
  await rpc('anvil_setCode', CONTRACT.address, CONTRACT.code);
  if (next === 1) await setUpFeed(rpc, chain);
  const sender = protocolSender(chain.rules, accounts);
  if (sender) await rpc('anvil_setCoinbase', sender);
  // Skips the check of blob proofs, for which each node would first compute tables of 100 MB in 2 s of CPU time. Transactions
  // are signed nevertheless: anvil gives those that it impersonates other hashes than those that the block's root covers.
  await rpc('anvil_autoImpersonateAccount', true);

  const withNonce = await createNonces(url, accounts, sender);
  const baseFee: Call[] =
    chain.rules.family === 'arbitrum' ? [['anvil_setNextBlockBaseFeePerGas', ARBITRUM_BASE_FEE]] : [];
  const transactionsOf = (block: number): readonly SampleTransaction[] => {
    const activity = blockActivity(chain, schedule, block);
    const update = priceUpdate(chain, accounts[USERS] ?? '', timeOf(schedule, block));
    return sampleTransactions(chain.rules, accounts, block, activity, update).map(withNonce);
  };
  const mineUntil = async (now: Date) => {
    const due: { readonly time: number; readonly transactions: readonly SampleTransaction[] }[] = [];
    for (let time = timeOf(schedule, next); time * 1_000 <= now.getTime(); time = timeOf(schedule, next))
      due.push({ time, transactions: transactionsOf(next++) });
    const toSign = due.flatMap(({ transactions }) => transactions);
    const calls = toSign.map((transaction): Call => ['eth_signTransaction', transaction]);
    const signed = await batch(url, calls);
    for (const { time, transactions } of due) {
      const raw = signed.splice(0, transactions.length);
      await batch(url, [...baseFee, ...raw.map((one): Call => ['eth_sendRawTransaction', one])]);
      await rpc('evm_mine', time);
    }
    if (file && due.length > 0) await saveBlocks(rpc, file);
  };
  return { endpoint: endpointOf(chain, url), mineUntil };
}

const SWITCHES: Readonly<Partial<Record<Chain['rules']['family'], readonly string[]>>> = {
  'op-stack': ['--optimism'],
  // As on BSC, the base fee is 0, so that validators can send transactions for free.
  bsc: ['--base-fee', '0', '--gas-price', '0', '--disable-min-priority-fee'],
};

type Call = readonly [method: string, ...params: unknown[]];

/** Makes calls in one request: thousands of requests would take most of the time of a start. @throws Error when one fails */
async function batch(url: string, calls: readonly Call[]): Promise<unknown[]> {
  if (calls.length === 0) return [];
  const { body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
  });
  return batchSchema
    .parse(await body.json())
    .toSorted((a, b) => a.id - b.id)
    .map(({ result, error }) => {
      if (error) throw new Error(`The development node failed: ${error.message}.`);
      return result;
    });
}

const batchSchema = z.array(
  z.object({ id: z.int(), result: z.unknown(), error: z.optional(z.object({ message: z.string() })) }),
);

/** Returns a function that gives each sender's transactions their nonces, because a batch is signed before any of it is sent. */
async function createNonces(url: string, accounts: readonly string[], sender: string | undefined) {
  const senders = [...accounts, ...(sender ? [sender] : [])];
  const calls = senders.map((each): Call => ['eth_getTransactionCount', each, 'latest']);
  const counts = await batch(url, calls);
  const next = new Map(senders.map((each, index) => [each, Number(counts[index])]));
  return (transaction: SampleTransaction): SampleTransaction => {
    const from = String(transaction.from);
    const nonce = next.get(from) ?? 0;
    next.set(from, nonce + 1);
    return { ...transaction, nonce: `0x${nonce.toString(16)}` };
  };
}

/** Loads the blocks of an earlier run: 30 ms for eight weeks, which take seconds to mine. */
async function loadBlocks(rpc: DevelopmentNode, file: string): Promise<void> {
  if (!existsSync(file)) return;
  const state = `0x${readFileSync(file, 'hex')}`;
  // Another version of anvil may refuse the file. Mining then produces the same blocks.
  await rpc('anvil_loadState', state).catch(() => undefined);
}

async function saveBlocks(rpc: DevelopmentNode, file: string): Promise<void> {
  const state = z.string().parse(await rpc('anvil_dumpState'));
  writeAtomically(file, Buffer.from(state.slice(2), 'hex'));
}
