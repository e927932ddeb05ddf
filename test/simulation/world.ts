import { addDays, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { type InProcessTable, startInProcessTable } from '../support/in-process-table.ts';
import { misbehavingNode } from '../support/misbehaving-node.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { type Family, type RandomChain, randomChain } from '../support/random-chain.ts';
import { type Oracle, oracleOf } from './oracle.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';
import { weatherOf } from './weather.ts';

/** What a simulation follows from, to the last bit. */
export interface Scenario {
  readonly family: Family;
  readonly seed: number;
  /** Whole days of the chain. */
  readonly days: number;
  /** How many of its answers a node gets wrong in each way, of those that are about (weather.ts). */
  readonly rate: number;
}

/** A chain, the nodes that tell of it, the table, and the time. Faults come as long as `isRough`. */
export interface World extends Scenario {
  /** Tells it from all others in this process. */
  readonly id: number;
  readonly chain: RandomChain;
  readonly nodes: readonly Node[];
  readonly store: InProcessTable;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly oracle: Oracle;
  isRough: boolean;
}

type Node = ReturnType<typeof misbehavingNode> & { readonly host: string };

const FIRST_DAY: UtcDay = '2026-01-01';
const FINALITY_MS = 15 * 60_000;

let worlds = 0;

export async function createWorld(scenario: Scenario): Promise<World> {
  const { family, seed, days, rate } = scenario;
  const chain = randomChain(family, randomFrom(seed, 'chain'), { firstDay: FIRST_DAY, days });
  const time = virtualTime(startOfDay(addDays(FIRST_DAY, 1)) * 1_000);
  const store = await startInProcessTable();
  const world: World = {
    ...scenario,
    chain,
    nodes: ['a', 'b', 'c'].map((name, behind) => {
      const weather = weatherOf(seed, name, time.now);
      const node = misbehavingNode({
        world: chain,
        seed,
        name,
        now: time.now,
        rateOf: (kind) => (world.isRough && weather(kind) === 'about' ? rate : 0),
        // Each node learns of a final block a little later than the one before.
        finalizedAt: () => newestBefore(chain, time.now() - FINALITY_MS * (1 + behind)),
      });
      return { host: `${name}.test`, ...node };
    }),
    id: ++worlds,
    store,
    time,
    random: randomFrom(seed, 'world'),
    oracle: oracleOf(chain, store.table),
    isRough: true,
  };
  return world;
}

/** @param ms since 1970 */
const newestBefore = ({ blocks }: RandomChain, ms: number): number =>
  Math.max(
    0,
    blocks.findLastIndex(({ header }) => Number(header.timestamp) * 1_000 <= ms),
  );
