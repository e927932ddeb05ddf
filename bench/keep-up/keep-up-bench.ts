import { type ChainName, chainNames, chainOf } from '../../lambda/chains/chains.ts';
import { SECONDS_PER_DAY } from '../../lambda/chains/utc-day.ts';
import { openNode } from '../ingest/node/open.ts';
import { openIngest } from '../ingest/readers/ours.ts';
import { median, type Ratio } from '../ratio.ts';
import { type Day, days } from './days.ts';

/** A node that is far away and limits its callers. Of the 32 calls that the ingest would make at once, 7 wait there. */
const PACE = { latencyMs: 50, atOnce: 25 };
/** Timed one by one, after the first, which warms up. */
const STRETCHES = 7;
const BLOCKS = 100;
/** Read after all that is timed, so that as many calls as ever are under way to its end. */
const REST = 32;

/** How many times faster than it grows each chain whose days are known is read from such a node. */
export async function keepUpBench(): Promise<Ratio[]> {
  const rows: Ratio[] = [];
  for (const name of chainNames) {
    const day = days[name];
    if (day) rows.push(await keepUpRow(name, day));
  }
  return rows;
}

async function keepUpRow(name: ChainName, { blocks, transactions }: Day): Promise<Ratio> {
  const inBlock = Math.round(transactions / blocks);
  console.error(`keep-up: ${name}, ${inBlock} transactions a block`);
  const speed = await blocksPerSecond(name, inBlock);
  const grows = blocks / SECONDS_PER_DAY;
  return {
    what: `${name}: blocks of ${inBlock} transactions, ${PACE.latencyMs} ms a call, ${PACE.atOnce} at once`,
    ours: `${speed.toFixed(0)} blocks/s`,
    other: `${grows.toFixed(2)} blocks/s made`,
    ratio: speed / grows,
    bound: { atLeast: 10 },
  };
}

/** That of the median stretch. */
async function blocksPerSecond(chain: ChainName, transactions: number): Promise<number> {
  await using node = await openNode({ chain, transactions, ...PACE });
  const speeds: number[] = [];
  let read = 0;
  let startedAt = performance.now();
  for await (const _ of openIngest(chainOf(chain), node.url)(STRETCHES * BLOCKS + REST)) {
    read += 1;
    if (read % BLOCKS > 0) continue;
    const now = performance.now();
    speeds.push(BLOCKS / ((now - startedAt) / 1_000));
    startedAt = now;
  }
  return median(speeds.slice(1));
}
