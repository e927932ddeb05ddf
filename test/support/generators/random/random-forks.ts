import type { BlobSchedule, Rules } from '#core/chains/rule-types.ts';
import type { Random } from './random.ts';
import type { Slot } from './random-times.ts';

/** The forks of a random chain. */
export interface Forks {
  readonly rules: Rules;
  /** Returns whether a block is from before Byzantium. */
  readonly isOld: (number: number) => boolean;
  /** Returns how many of the members that forks appended the header of a block has. */
  readonly appendedAt: (number: number, timestamp: number) => number;
}

/** Positions within a chain, which must be requested in ascending order. */
interface Positions {
  readonly numberAt: (share: number) => number;
  /** Returns a time that may be long before the next block. */
  readonly timeAt: (share: number) => number;
}

/**
 * Moves the forks of a real chain into a random one.
 * @param keepsRules leaves the rules as they are: only forks that they do not mention happen
 */
export function forksWithin(
  rules: Rules,
  random: Random,
  slots: readonly Slot[],
  keepsRules: boolean,
): Forks {
  const positions = positionsIn(random, slots);
  switch (rules.family) {
    case 'ethereum':
    case 'bsc':
      return blobForks(rules, random, positions, slots, keepsRules);
    case 'polygon':
      return polygonForks(rules, positions);
    case 'arbitrum': {
      const nitroBlock = positions.numberAt(0.3);
      return forks({ ...rules, nitroBlock }, (number) => (number < nitroBlock ? 0 : 1));
    }
    case 'op-stack':
      return opStackForks(rules, random, positions);
  }
}

const forks = (
  rules: Rules,
  appendedAt: Forks['appendedAt'],
  isOld: Forks['isOld'] = () => false,
): Forks => ({ rules, isOld, appendedAt });

function positionsIn(random: Random, slots: readonly Slot[]): Positions {
  const times = [...new Set(slots.map(({ timestamp }) => timestamp))];
  let [number, index] = [0, 0];
  const indexAt = (share: number, length: number) =>
    Math.max(1, Math.floor(length * share) - random.below(2));
  return {
    numberAt: (share) => {
      number = Math.max(number + 1, indexAt(share, slots.length));
      return number;
    },
    timeAt: (share) => {
      index = Math.max(index + 1, indexAt(share, times.length));
      const [before = 0, at = Number.MAX_SAFE_INTEGER] = times.slice(index - 1);
      return random.chance(0.5) ? at : before + 1;
    },
  };
}

type BlobChainRules = Extract<Rules, { blobSchedule: BlobSchedule }>;

/**
 * London, Shanghai, Cancun, Prague and Amsterdam; on BSC, Cancun brought the members of Shanghai, and there is no Amsterdam. Half of the
 * chains begin with blobs, so that these have any price.
 */
function blobForks(
  rules: BlobChainRules,
  random: Random,
  { numberAt }: Positions,
  slots: readonly Slot[],
  keepsRules: boolean,
): Forks {
  const begins = keepsRules || random.chance(0.5);
  const at = (share: number) => (begins ? 0 : numberAt(share));
  const [byzantium, london, shanghai, cancun] = [at(0.2), at(0.32), at(0.4), at(0.46)];
  const [prague, amsterdam] = [numberAt(0.65), numberAt(0.85)];
  const timeOf = (number: number) => slots[number]?.timestamp ?? Number.MAX_SAFE_INTEGER;
  const blobSchedule = rules.blobSchedule.map((blobRules, index) => ({
    ...blobRules,
    from: timeOf(cancun + Math.floor(((slots.length - cancun) * index) / rules.blobSchedule.length)),
  }));
  const isEthereum = rules.family === 'ethereum';
  return forks(
    keepsRules ? rules : { ...rules, blobSchedule },
    (number) => {
      if (number < london) return 0;
      if (number < cancun) return isEthereum && number >= shanghai ? 2 : 1;
      if (number < prague) return 5;
      return isEthereum && number >= amsterdam ? 8 : 6;
    },
    (number) => isEthereum && number < byzantium,
  );
}

function polygonForks(rules: Extract<Rules, { family: 'polygon' }>, { numberAt }: Positions): Forks {
  const london = numberAt(0.25);
  const delhi = numberAt(0.4);
  const stateSyncTypeFrom = numberAt(0.5);
  const sprints = [
    { from: 0, length: 3 },
    { from: delhi, length: 2 },
  ];
  const giuglianoBlock = numberAt(0.7);
  return forks({ ...rules, stateSyncTypeFrom, sprints, giuglianoBlock }, (number) =>
    number < london ? 0 : 1,
  );
}

function opStackForks(
  rules: Extract<Rules, { family: 'op-stack' }>,
  random: Random,
  { numberAt, timeAt }: Positions,
): Forks {
  const bedrockBlock = numberAt(0.2);
  const regolith = timeAt(0.28);
  const [canyonTime, ecotoneTime, fjordTime, isthmusTime, jovianTime] = [0.36, 0.44, 0.56, 0.68, 0.84].map(
    timeAt,
  ) as [number, number, number, number, number];
  const times = { canyonTime, ecotoneTime, fjordTime, isthmusTime, jovianTime };
  const regolithTime = random.chance(0.5) ? regolith : 0;
  return forks({ ...rules, bedrockBlock, regolithTime, ...times }, (number, timestamp) => {
    if (number < bedrockBlock) return 0;
    if (timestamp < canyonTime) return 1;
    if (timestamp < ecotoneTime) return 2;
    return timestamp < isthmusTime ? 5 : 6;
  });
}
