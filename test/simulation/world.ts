import { addDays, startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import { REFUSALS } from '#core/rpc/refusals.ts';
import type { Item, Table } from '#core/store/table/table.ts';
import { type Random, randomFrom } from '#test/support/generators/random/random.ts';
import { type Family, type RandomChain, randomChain } from '#test/support/generators/random/random-chain.ts';
import { type FaultKind, honestKinds } from '#test/support/nodes/faults.ts';
import type { Answer, NodeResponse } from '#test/support/nodes/json-rpc-server.ts';
import { limitedNode } from '#test/support/nodes/limited-node.ts';
import { type MisbehavingNode, misbehavingNode } from '#test/support/nodes/misbehaving-node.ts';
import { answersOf } from '#test/support/nodes/refused-answers.ts';
import { memoryTable } from '#test/support/tables/table.ts';
import { weatherOf } from './cast/fault-periods.ts';
import { type Cast, castOf, type NodeSettings } from './cast/hosts.ts';
import { timestampOf } from './cast/stories.ts';
import { type Oracle, oracleOf } from './oracle.ts';
import { type Receiver, receiverOf } from './receiver.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';

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
  readonly cast: Cast;
  readonly nodes: readonly Node[];
  /** Longest time of a call to a server, and to most nodes. */
  readonly latencyMs: number;
  readonly store: Table;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly oracle: Oracle;
  /** Gets the events of final days. */
  readonly receiver: Receiver;
  /** Items as they were before a commit that is being applied, by their sort keys, and until when readers may see them. */
  readonly unseen: Map<string, { readonly item: Item | undefined; readonly until: number }>;
  /** Commits that another one overtook, so that they were decided again, and those that a lost response repeated. */
  readonly commits: { overtaken: number; repeated: number };
  /** Number of blocks that were not proven, by host, according to the reports. */
  readonly notProven: Map<string, number>;
  /** The chain's own evidence of finality, which the runs require; absent in most worlds. */
  readonly evidence?: Evidence | undefined;
  isRough: boolean;
}

/** Light-client servers, and the checkpoint to begin with. */
export interface Evidence {
  readonly hosts: readonly string[];
  readonly answer: (host: string, path: string) => Promise<NodeResponse>;
  readonly checkpoint: string;
}

/** A chain that carries evidence of finality, and what its servers say about it. */
export interface Prepared {
  readonly chain: RandomChain;
  readonly evidenceAt: (now: () => number) => Promise<Evidence>;
}

interface Node extends Pick<MisbehavingNode, 'exposed'> {
  readonly host: string;
  readonly answer: Answer;
  /** The fragment of its URL. */
  readonly options: string;
  readonly latencyMs: number;
  /** Its responses are true, if it responds. */
  readonly isHonest: boolean;
  /** It lies about the chain. */
  readonly isLiar: boolean;
  /** Milliseconds until a block is final to it. */
  readonly finalityMs: number;
}

const FIRST_DAY: UtcDay = '2026-01-01';
const FINALITY_MS = 15 * 60_000;

/** With slow nodes, a day takes more than one run. */
const LATENCIES_MS = [200, 200, 10_000];

/** Time after a refusal in which a liar takes a node for limited. */
const LIMITED_MS = 10_000;
/** Time after which a limited node may refuse in another form. */
const FORM_MS = 4 * 3_600_000;

let worlds = 0;

export async function createWorld(
  scenario: Scenario,
  toCast: (chain: RandomChain) => Cast = () => castOf(scenario.family, scenario.seed),
  prepare?: (chain: RandomChain) => Promise<Prepared>,
): Promise<World> {
  const { family, seed, days } = scenario;
  const random = await randomChain(family, randomFrom(seed, 'chain'), { firstDay: FIRST_DAY, days });
  const prepared = await prepare?.(random);
  const chain = prepared?.chain ?? random;
  const cast = toCast(chain);
  const time = virtualTime(startOfDay(addDays(FIRST_DAY, 1)) * 1_000);
  const store = memoryTable();
  const latencyMs = randomFrom(seed, 'latency').pick(LATENCIES_MS);
  let refusedAt = Number.NEGATIVE_INFINITY;
  const stage = {
    ...{ ...scenario, chain, time, latencyMs, isRough: () => world.isRough },
    onRefusal: () => (refusedAt = time.now()),
    areOthersLimited: () => time.now() - refusedAt < LIMITED_MS,
  };
  const world: World = {
    ...scenario,
    chain,
    cast,
    latencyMs,
    nodes: cast.nodes.map((settings, behind) => nodeOf(stage, settings, FINALITY_MS * (1 + behind))),
    notProven: new Map(),
    id: ++worlds,
    store,
    time,
    random: randomFrom(seed, 'world'),
    oracle: oracleOf(chain, store),
    receiver: receiverOf(chain),
    unseen: new Map(),
    commits: { overtaken: 0, repeated: 0 },
    evidence: await prepared?.evidenceAt(time.now),
    isRough: true,
  };
  return world;
}

type Stage = Scenario &
  Pick<World, 'chain' | 'time'> & {
    readonly isRough: () => boolean;
    readonly latencyMs: number;
    readonly onRefusal: () => void;
    readonly areOthersLimited: () => boolean;
  };

/** Every form in which a node can say that it refuses calls for their rate. */
const rateLimits = REFUSALS.filter(({ means }) => means === 'rate limit').flatMap(answersOf);

/** @param finalityMs time until a block is final to the node */
function nodeOf(
  { seed, rate, chain, time, isRough, areOthersLimited, onRefusal, ...stage }: Stage,
  {
    name,
    isHonest = false,
    liar,
    faults,
    rateOf,
    limit,
    latencyMs = stage.latencyMs,
    isReserve,
  }: NodeSettings,
  finalityMs: number,
): Node {
  const { now } = time;
  const finalIn = (told: RandomChain) => newestBefore(told, now() - finalityMs);
  const weather = weatherOf(seed, name, now);
  const befalls = faults ?? ((kind: FaultKind) => !isHonest || honestKinds.has(kind));
  const provider = name.slice(name.lastIndexOf('.') + 1);
  const node = misbehavingNode({
    world: chain,
    seed,
    name,
    now,
    rateOf: rateOf ?? ((kind) => (isRough() && befalls(kind) && weather(kind) === 'about' ? rate : 0)),
    finalizedAt: () => finalIn(chain),
    tell: liar?.({
      ...{ world: chain, random: randomFrom(seed, 'liar', provider), now, finalIn, areOthersLimited },
    }),
  });
  const refuse = () => {
    onRefusal();
    return randomFrom(seed, name, 'refusals', Math.floor(now() / FORM_MS)).pick(rateLimits);
  };
  return {
    ...{ host: `${name}.test`, isHonest, isLiar: liar !== undefined, finalityMs, latencyMs },
    options: isReserve ? '#reserve' : '',
    exposed: node.exposed,
    answer: limit ? limitedNode(limit, time, refuse, node.answer).answer : node.answer,
  };
}

/** @param ms since 1970 */
const newestBefore = ({ blocks }: RandomChain, ms: number): number =>
  Math.max(
    0,
    blocks.findLastIndex((block) => timestampOf(block) * 1_000 <= ms),
  );
