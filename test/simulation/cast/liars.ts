import { dayOf, startOfDay } from '#core/figures/calendar.ts';
import { ONE_CONSTRAINT } from '#test/support/generators/chains/nitro.ts';
import { type Random, randomFrom } from '#test/support/generators/random/random.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';
import type { DecodedCall } from '#test/support/nodes/fault-scene.ts';
import { numberIn, type Tell } from '#test/support/nodes/misbehaving-node.ts';
import {
  forkOf,
  timestampOf,
  withEarlyBlock,
  withExtraBlocks,
  withHead,
  withLateBlock,
  withoutLastBlocks,
} from './stories.ts';

/* Nodes that lie about the chain: which blocks it has, where it forks, which one is final. Their blocks are valid. */

/** The knowledge of a liar. */
export interface Stage {
  readonly world: RandomChain;
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the number of the newest block of a chain that is final to the node now. */
  readonly finalIn: (world: RandomChain) => number;
  /** Returns whether another node refuses calls for their rate. */
  readonly areOthersLimited: () => boolean;
}

/** Returns the responses of a lying node. */
export type Liar = (stage: Stage) => Tell;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SILENCE = { hang: true } as const;

const isVote = ({ what, by, isFull }: DecodedCall) => what === 'header' && by === 'number' && !isFull;
const isForBlocks = ({ what, by, isFull }: DecodedCall) =>
  by === 'number' && (what !== 'header' || isFull === true);
/** Returns the number of the block in a response. */
const numberOf = (request: DecodedCall, { world, finalIn }: Stage) =>
  request.by === 'number' ? numberIn(request) : finalIn(world);

const truth = ({ world, finalIn }: Stage) => ({ world, final: finalIn(world) });
const told = (world: RandomChain, { finalIn }: Stage) => ({ world, final: finalIn(world) });
const randomHeight = ({ world, random }: Stage) => 1 + random.below(world.blocks.length - 1);

/** Reports the same other chain in all responses. */
const always =
  (story: (stage: Stage) => RandomChain): Liar =>
  (stage) => {
    const other = story(stage);
    return () => told(other, stage);
  };

const stories: readonly ((stage: Stage) => RandomChain)[] = [
  (stage) => forkOf(stage.world, stage.random, randomHeight(stage)),
  ({ world, random }) => withExtraBlocks(world, random, random.pick([1, 3])),
  ({ world, random }) => withoutLastBlocks(world, random, random.pick([1, 3])),
  ({ world, random }) => withEarlyBlock(world, random),
  ({ world, random }) => withLateBlock(world, random),
];
const anyStory = (stage: Stage) => stage.random.pick(stories)(stage);

/** Tells another chain in some responses, and the truth in the others. */
const forgedWhen =
  (isLie: (request: DecodedCall, times: number) => boolean): Liar =>
  (stage) => {
    const story = anyStory(stage);
    return (request, _, times) => (isLie(request, times) ? told(story, stage) : truth(stage));
  };

/**
 * Tells another chain when asked for the first time, and then nothing about blocks: nobody continues or disowns what was read. The
 * final block is the true one.
 */
const forgedOnce =
  (isForged: (request: DecodedCall) => boolean): Liar =>
  (stage) => {
    const story = anyStory(stage);
    const forged = withTrueHead(() => () => told(story, stage))(stage);
    return (request, random, times) => {
      if (isForged(request) && (times === 0 || isVote(request))) return forged(request, random, times);
      return isForBlocks(request) ? SILENCE : truth(stage);
    };
  };

const silentWhen =
  (isSilent: (request: DecodedCall) => boolean): Liar =>
  (stage) =>
  (request) =>
    isSilent(request) ? SILENCE : truth(stage);

/** Reports a fork that changes over time: the one that `keyOf` names. */
const forks =
  (keyOf: (stage: Stage) => number, from: (stage: Stage, key: number) => number): Liar =>
  (stage) => {
    const stories = new Map<number, RandomChain>();
    return () => {
      const key = keyOf(stage);
      const story = stories.get(key) ?? forkOf(stage.world, stage.random, from(stage, key));
      stories.set(key, story);
      return told(story, stage);
    };
  };

/** Calls an invented block final, the child of the true one. */
const headAt =
  (timestampAt: (now: number) => number): Liar =>
  (stage) =>
  (request) => {
    const { world, now } = stage;
    const { final } = truth(stage);
    const isTrue = request.by === 'number' && numberIn(request) <= final;
    if (isTrue) return truth(stage);
    // A minute's precision, so that a block has the same hash when it is read again.
    const time = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    return { world: withHead(world, final + 1, Math.floor(timestampAt(time) / 1_000)), final: final + 1 };
  };

/** Returns the number of the first block of the newest day whose end is final. */
function newestDayStart(stage: Stage): number {
  const { world } = stage;
  const midnight = startOfDay(dayOf(timestampOf(headOf(stage))));
  const last = world.blocks.findLast((block) => timestampOf(block) < midnight);
  if (!last) return 0;
  const start = startOfDay(dayOf(timestampOf(last)));
  return world.blocks.findIndex((block) => timestampOf(block) >= start);
}

const headOf = ({ world, finalIn }: Stage) => {
  const head = world.blocks[finalIn(world)];
  if (!head) throw new Error('the chain has no head');
  return head;
};

export const liars = {
  'numbers ahead': always(({ world, random }) => withExtraBlocks(world, random, random.pick([3, 40]))),
  'numbers behind': always(({ world, random }) => withoutLastBlocks(world, random, random.pick([2, 5]))),
  'an extra block': always(({ world, random }) => withExtraBlocks(world, random, 1)),
  'a missing block': always(({ world, random }) => withoutLastBlocks(world, random, 1)),
  'an early block': always(({ world, random }) => withEarlyBlock(world, random)),
  'a late block': always(({ world, random }) => withLateBlock(world, random)),
  'older days of a fork': (stage) => {
    const fork = forkOf(stage.world, stage.random, stage.random.below(stage.world.blocks.length / 2) + 1);
    return (request) => (numberOf(request, stage) < newestDayStart(stage) ? told(fork, stage) : truth(stage));
  },
  'a fork that rejoins': (stage) => {
    const from = randomHeight(stage);
    const fork = forkOf(stage.world, stage.random, from);
    const end = from + 1 + stage.random.below(12);
    return (request) => (numberOf(request, stage) < end ? told(fork, stage) : truth(stage));
  },
  'a fork': always((stage) => forkOf(stage.world, stage.random, randomHeight(stage))),
  // The day of the head has begun with the true blocks.
  'a fork under way': forks(
    (stage) => startOfDay(dayOf(timestampOf(headOf(stage)))),
    ({ world }, midnight) => 1 + world.blocks.findIndex((block) => timestampOf(block) >= midnight),
  ),
  'changing forks': forks(({ now }) => Math.floor(now() / (6 * HOUR_MS)), randomHeight),
  'a head 10 minutes ahead': headAt((now) => now + 10 * MINUTE_MS),
  'a head 20 minutes ahead': headAt((now) => now + 20 * MINUTE_MS),
  'a head in the year 9999': headAt(() => Date.UTC(9999, 11, 31)),
  'an old head': (stage) => (request) => {
    const { world, final } = truth(stage);
    return { world, final: request.by === 'finalized' ? Math.max(0, final - 12) : final };
  },
  'a stuck node': (stage) => {
    const final = randomHeight(stage);
    return () => ({ world: stage.world, final: Math.min(final, stage.finalIn(stage.world)) });
  },
  'a forged final block': forgedWhen(({ by }) => by === 'finalized'),
  'forged headers': forgedWhen(isVote),
  'forged blocks': forgedWhen(isForBlocks),
  'forged when asked again': forgedWhen((_, times) => times > 0),
  'forged headers and silence': forgedOnce(isVote),
  'forged blocks, then silence': forgedOnce((request) => isVote(request) || isForBlocks(request)),
  'silence about headers': silentWhen(isVote),
  'silence about blocks': silentWhen(isForBlocks),
  // A rule change, which would stop the chain.
  'gas constraints': (stage) => (request) =>
    request.what === 'constraints' ? { result: ONE_CONSTRAINT } : truth(stage),
} satisfies Record<string, Liar>;

export type LiarKind = keyof typeof liars;
export const liarKinds = Object.keys(liars) as readonly LiarKind[];

/** Liars that can stop the chain beside a single honest endpoint: they lie about what no hash decides, or do not vote. */
export const stoppingKinds: ReadonlySet<LiarKind> = new Set<LiarKind>([
  'numbers ahead',
  'numbers behind',
  'an extra block',
  'a missing block',
  'an early block',
  'a late block',
  'a fork that rejoins',
  'a fork',
  'a fork under way',
  'changing forks',
  'an old head',
  'a stuck node',
  'a forged final block',
  'forged headers',
  'forged when asked again',
  'silence about headers',
  'gas constraints',
]);

/** Tells a lie in some calls, and the truth in the others. */
const fickle =
  (rate: number) =>
  (liar: Liar): Liar =>
  (stage) => {
    const tell = liar(stage);
    return (request, random, times) => (random.chance(rate) ? tell(request, random, times) : truth(stage));
  };

/** Lies for some time, then tells the truth, then says nothing about blocks, in any order. */
const moody =
  (periodMs: number) =>
  (liar: Liar): Liar =>
  (stage) => {
    const tell = liar(stage);
    const seed = stage.random.below(2 ** 30);
    return (request, random, times) => {
      const mood = randomFrom(seed, Math.floor(stage.now() / periodMs)).below(3);
      if (mood === 0) return tell(request, random, times);
      return mood === 1 && isForBlocks(request) ? SILENCE : truth(stage);
    };
  };

/** When a liar lies. */
export const manners: readonly ((liar: Liar) => Liar)[] = [
  (liar) => liar,
  (liar) => liar,
  fickle(0.5),
  fickle(0.1),
  moody(5 * MINUTE_MS),
  moody(6 * HOUR_MS),
];

/** Lies while other nodes refuse calls for their rate. */
export const whileOthersAreLimited =
  (liar: Liar): Liar =>
  (stage) => {
    const tell = liar(stage);
    return (request, random, times) =>
      stage.areOthersLimited() ? tell(request, random, times) : truth(stage);
  };

/** When a liar beside limited nodes lies: also about one block alone, or while the others cannot answer. */
export const mannersBesideLimited: readonly ((liar: Liar) => Liar)[] = [
  ...manners,
  (liar) => (stage) => {
    const [tell, number] = [liar(stage), randomHeight(stage)];
    return (request, random, times) =>
      numberOf(request, stage) === number ? tell(request, random, times) : truth(stage);
  },
  whileOthersAreLimited,
];

/** Tells the truth about the final block, and about all that were final in the last half hour. */
export const withTrueHead =
  (liar: Liar): Liar =>
  (stage) => {
    const tell = liar(stage);
    const recent = ({ world, now }: Stage) => {
      const since = now() - HOUR_MS;
      return world.blocks.findLastIndex((block) => timestampOf(block) * 1_000 <= since);
    };
    return (request, random, times) => {
      const isHead = request.by !== 'number' || (isVote(request) && numberIn(request) >= recent(stage));
      return isHead ? truth(stage) : tell(request, random, times);
    };
  };
