import { type ChainName, chainNames, chainOf } from '../core/chains/chains.ts';
import { SECONDS_PER_DAY } from '../core/figures/calendar.ts';
import { openNode } from './node/node.ts';
import { createIngest } from './readers/ours.ts';
import { median, type Ratio } from './report.ts';

interface DayLoad {
  readonly blocks: number;
  readonly transactions: number;
}

/** A day of each chain in November 2026, with the transactions that docs/operate/cost.md assumes. Chains without an entry are not measured. */
const dayLoads: Partial<Record<ChainName, DayLoad>> = {
  ETHEREUM: { blocks: 7_200, transactions: 2_000_000 },
  ARBITRUM: { blocks: 345_600, transactions: 4_000_000 },
  BSC: { blocks: 192_000, transactions: 15_000_000 },
  OPTIMISM: { blocks: 43_200, transactions: 2_500_000 },
  BASE: { blocks: 432_000, transactions: 13_000_000 },
  POLYGON: { blocks: 49_400, transactions: 6_000_000 },
};

/** A remote node that limits concurrency. Of the ingest's 64 concurrent calls, it delays 39. */
const PACE = { latencyMs: 50, atOnce: 25 };
/** Number of measurements. The first one warms up. */
const STRETCHES = 7;
const BLOCKS = 100;
/** Blocks read after the last measurement, so that concurrency remains constant during it. */
const REST = 64;

/** Calls that a host answers, as free plans do, and the blocks read from such hosts: two days of 150. */
const PER_SECOND = 20;
const LIMITED_BLOCKS = 300;

/** Measures how many times faster than a chain grows the ingest reads it from such a node, and how much faster it is with three. */
export async function keepUpBench(): Promise<Ratio[]> {
  const rows: Ratio[] = [];
  for (const name of chainNames) {
    const day = dayLoads[name];
    if (day) rows.push(await keepUpRow(name, day));
  }
  rows.push(await threeHostsRow());
  return rows;
}

async function keepUpRow(name: ChainName, { blocks, transactions }: DayLoad): Promise<Ratio> {
  const inBlock = Math.round(transactions / blocks);
  console.error(`keep-up: ${name}, ${inBlock} transactions per block`);
  const speed = await blocksPerSecond(name, inBlock);
  const grows = blocks / SECONDS_PER_DAY;
  return {
    what: `${name}: blocks of ${inBlock} transactions, ${PACE.latencyMs} ms per call, ${PACE.atOnce} concurrent calls; baseline: speed of the chain`,
    ours: `${speed.toFixed(0)} blocks/s`,
    other: `${grows.toFixed(2)} blocks/s`,
    ratio: speed / grows,
    bound: { atLeast: 10 },
  };
}

async function blocksPerSecond(chain: ChainName, transactions: number): Promise<number> {
  await using node = await openNode({ chain, transactions, pace: PACE });
  const speeds: number[] = [];
  let read = 0;
  let startedAt = performance.now();
  for await (const _ of createIngest(chainOf(chain), [node.url])(STRETCHES * BLOCKS + REST)) {
    read += 1;
    if (read % BLOCKS > 0) continue;
    const now = performance.now();
    speeds.push(BLOCKS / ((now - startedAt) / 1_000));
    startedAt = now;
  }
  return median(speeds.slice(1));
}

async function threeHostsRow(): Promise<Ratio> {
  console.error(`keep-up: hosts of ${PER_SECOND} calls per second`);
  const [one, three] = [await secondsFrom(1), await secondsFrom(3)];
  return {
    what: `Three hosts that sustain ${PER_SECOND} calls per second each, ${LIMITED_BLOCKS} blocks; baseline: one such host`,
    ours: `${three.toFixed(1)} s`,
    other: `${one.toFixed(1)} s`,
    ratio: three / one,
    bound: { atMost: 0.42 },
  };
}

/** Returns the time in which the ingest reads from limited hosts, which includes finding their rates. */
async function secondsFrom(hosts: number): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const urls: string[] = [];
  for (let host = 0; host < hosts; host++) {
    const node = stack.use(await openNode({ chain: 'ETHEREUM', transactions: 1, perSecond: PER_SECOND }));
    urls.push(node.url);
  }
  const startedAt = performance.now();
  for await (const _ of createIngest(chainOf('ETHEREUM'), urls, PER_SECOND)(LIMITED_BLOCKS));
  return (performance.now() - startedAt) / 1_000;
}
