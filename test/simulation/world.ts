import { addDays, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { type InProcessTable, startInProcessTable } from '../support/in-process-table.ts';
import { misbehavingNode } from '../support/misbehaving-node.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { type Family, type RandomChain, randomChain } from '../support/random-chain.ts';
import { type Oracle, oracleOf } from './oracle.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';
import { weatherOf } from './weather.ts';

/** The input of a simulation, which is deterministic. */
export interface Scenario {
  readonly family: Family;
  readonly seed: number;
  /** Complete days of the chain. */
  readonly days: number;
  /** Rate of each active kind of fault (weather.ts). */
  readonly rate: number;
}

/** A chain, its nodes, the table and the time. Faults happen while `isRough`. */
export interface World extends Scenario {
  /** Unique in this process. */
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
        // Each node sees a final block a little later than the one before.
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
