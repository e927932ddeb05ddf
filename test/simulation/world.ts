import { addDays, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { type FaultKind, honestKinds } from '../support/faults.ts';
import { type InProcessTable, startInProcessTable } from '../support/in-process-table.ts';
import { misbehavingNode } from '../support/misbehaving-node.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { type Family, type RandomChain, randomChain } from '../support/random-chain.ts';
import { type Oracle, oracleOf } from './oracle.ts';
import { type Receiver, receiverOf } from './receiver.ts';
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
  /** Gets the events of final days. */
  readonly receiver: Receiver;
  /** Number of blocks that were not proven, by host, according to the reports. */
  readonly notProven: Map<string, number>;
  isRough: boolean;
}

type Node = ReturnType<typeof misbehavingNode> & {
  readonly host: string;
  /** Its responses are true, if it responds. */
  readonly isHonest: boolean;
};

const FIRST_DAY: UtcDay = '2026-01-01';
const FINALITY_MS = 15 * 60_000;

let worlds = 0;

/** A node of a world. */
export interface NodeSettings {
  readonly name: string;
  readonly isHonest?: boolean;
  /** The chain that it tells; the true one by default. */
  readonly tells?: RandomChain;
  /** Rates of its faults; by default those of the weather. */
  readonly rateOf?: (kind: FaultKind) => number;
}

/** Three nodes, of which all or some may lie. */
const threeNodes = (seed: number): readonly NodeSettings[] => {
  const random = randomFrom(seed, 'honest');
  return ['a', 'b', 'c'].map((name) => ({ name, isHonest: random.chance(0.25) }));
};

export async function createWorld(
  scenario: Scenario,
  toNodes: (chain: RandomChain) => readonly NodeSettings[] = () => threeNodes(scenario.seed),
): Promise<World> {
  const { family, seed, days, rate } = scenario;
  const chain = await randomChain(family, randomFrom(seed, 'chain'), { firstDay: FIRST_DAY, days });
  const nodes = toNodes(chain);
  const time = virtualTime(startOfDay(addDays(FIRST_DAY, 1)) * 1_000);
  const store = await startInProcessTable();
  const world: World = {
    ...scenario,
    chain,
    nodes: nodes.map(({ name, isHonest = false, tells = chain, rateOf }, behind) => {
      const weather = weatherOf(seed, name, time.now);
      const node = misbehavingNode({
        world: tells,
        seed,
        name,
        now: time.now,
        rateOf:
          rateOf ??
          ((kind) => {
            if (!world.isRough || (isHonest && !honestKinds.has(kind))) return 0;
            return weather(kind) === 'about' ? rate : 0;
          }),
        // Each node sees a final block a little later than the one before.
        finalizedAt: () => newestBefore(tells, time.now() - FINALITY_MS * (1 + behind)),
      });
      return { host: `${name}.test`, isHonest, ...node };
    }),
    notProven: new Map(),
    id: ++worlds,
    store,
    time,
    random: randomFrom(seed, 'world'),
    oracle: oracleOf(chain, store.table),
    receiver: receiverOf(chain),
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
