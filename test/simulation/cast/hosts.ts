import { randomFrom } from '#test/support/generators/random/random.ts';
import type { Family } from '#test/support/generators/random/random-chain.ts';
import { type FaultKind, honestKinds } from '#test/support/nodes/faults.ts';
import type { CallLimit } from '#test/support/nodes/limited-node.ts';
import {
  type Liar,
  type LiarKind,
  liarKinds,
  liars,
  manners,
  mannersBesideLimited,
  withTrueHead,
} from './liars.ts';

/** A node of a world. */
export interface NodeSettings {
  /** Nodes with the same last label are endpoints of one provider, and tell the same. */
  readonly name: string;
  /** Its responses are true, if it responds. */
  readonly isHonest?: boolean;
  /** A lie about the chain. */
  readonly liar?: Liar | undefined;
  /** The faults that befall it in rough times; all by default, or those of honest nodes. */
  readonly faults?: (kind: FaultKind) => boolean;
  /** Rates of its faults at all times; by default they come and go with the weather. */
  readonly rateOf?: (kind: FaultKind) => number;
  /** The calls that it bears; all by default. */
  readonly limit?: CallLimit | undefined;
  /** Longest time of a call, in milliseconds; that of the world by default. */
  readonly latencyMs?: number | undefined;
  /** Blocks are read from it only while the others cannot give them. */
  readonly isReserve?: boolean;
}

const companies = [
  'three of any kind',
  'beside two honest',
  'beside one honest',
  'alone',
  'limited honest',
  'five endpoints beside three honest',
] as const;
export type Company = (typeof companies)[number];

/** The nodes of a world, and what they must not prevent. */
export interface Cast {
  readonly company: Company;
  readonly liar?: LiarKind | undefined;
  readonly nodes: readonly NodeSettings[];
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Low ones, because the days of a simulation have few blocks. */
const LIMITS: readonly CallLimit[] = [
  { calls: 5, everyMs: SECOND_MS },
  { calls: 2, everyMs: SECOND_MS },
  { calls: 1, everyMs: SECOND_MS },
  { calls: 60, everyMs: MINUTE_MS },
  { calls: 60, everyMs: MINUTE_MS, isWindow: true },
];
const A_TENTH: CallLimit = { calls: 1, everyMs: 10 * SECOND_MS };

export const LATE_MS = 20_000;
/** A liar answers like the others, first, or late. */
const LIAR_LATENCIES = [{}, { latencyMs: 1 }, { latencyMs: LATE_MS }];

/** Lets each liar come in each company, when seeds are consecutive. */
function pairOf(family: Family, seed: number) {
  const first = randomFrom(0, family).below(liarKinds.length);
  const company = companies[seed % companies.length] ?? 'alone';
  const kind = liarKinds[(first + Math.floor(seed / companies.length)) % liarKinds.length] ?? 'a fork';
  return { company, kind };
}

/** Chooses the nodes of a world, or those that are not given. */
export function castOf(
  family: Family,
  seed: number,
  given: { readonly company?: Company; readonly kind?: LiarKind; readonly isLimited?: boolean } = {},
): Cast {
  const random = randomFrom(seed, 'cast', family);
  const { company, kind } = { ...pairOf(family, seed), ...given };
  const isLimited = given.isLimited ?? (random.chance(0.5) || company === 'limited honest');
  const liar = random.pick(isLimited ? mannersBesideLimited : manners)(liars[kind]);
  const isProvider = random.chance(0.15);
  const endpoints = company === 'five endpoints beside three honest' ? 5 : isProvider ? 3 : 1;
  const settings: readonly NodeSettings[] = Array.from({ length: endpoints }, (_, index) => ({
    ...{ name: endpoints > 1 ? `${index + 1}.liar` : 'liar', liar },
    ...(isLimited && { ...random.pick(LIAR_LATENCIES), isReserve: random.chance(0.25) }),
  }));
  // Only one of three may be too slow for the chain.
  const limitOf = (index: number) =>
    isLimited ? random.pick(index === 2 ? [...LIMITS, A_TENTH] : LIMITS) : undefined;
  const place = (honest: readonly NodeSettings[]) =>
    honest.toSpliced(random.below(honest.length + 1), 0, ...settings);
  const nodes = (names: readonly string[], chance: number) =>
    names.map((name, index) => ({ name, isHonest: random.chance(chance), limit: limitOf(index) }));
  switch (company) {
    case 'three of any kind':
      // Without a liar, all three may tell untruths about single blocks.
      return random.chance(0.5)
        ? { company, nodes: nodes(['a', 'b', 'c'], 0.25) }
        : { company, liar: kind, nodes: place(nodes(['a', 'b'], 0.25)) };
    case 'beside two honest':
      return { company, liar: kind, nodes: place(nodes(['a', 'b'], 1)) };
    case 'beside one honest':
      return { company, liar: kind, nodes: place(nodes(['a'], 1)) };
    case 'limited honest':
      return { company, nodes: nodes(['a', 'b', 'c'].slice(random.below(3)), 1) };
    case 'five endpoints beside three honest':
      return { company, liar: kind, nodes: place(nodes(['a', 'b', 'c'], 1)) };
    case 'alone': {
      // Other faults would lie about the head.
      const faults = (one: FaultKind) => honestKinds.has(one);
      const alone = settings.map((one) => ({ ...one, faults, liar: withTrueHead(liar) }));
      return { company, liar: kind, nodes: alone };
    }
  }
}
