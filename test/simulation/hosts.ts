import { randomFrom } from '#test/support/generators/random.ts';
import type { Family } from '#test/support/generators/random-chain.ts';
import { type FaultKind, honestKinds } from '#test/support/nodes/faults.ts';
import { type Liar, type LiarKind, liarKinds, liars, manners, withTrueHead } from './liars.ts';

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
}

export const companies = ['three of any kind', 'beside two honest', 'beside one honest', 'alone'] as const;
export type Company = (typeof companies)[number];

/** The nodes of a world, and what they must not prevent. */
export interface Cast {
  readonly company: Company;
  readonly liar?: LiarKind | undefined;
  readonly nodes: readonly NodeSettings[];
}

const ENDPOINTS_OF_A_PROVIDER = 3;

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
  given: { readonly company?: Company; readonly kind?: LiarKind } = {},
): Cast {
  const random = randomFrom(seed, 'cast', family);
  const { company, kind } = { ...pairOf(family, seed), ...given };
  const liar = random.pick(manners)(liars[kind]);
  const isProvider = random.chance(0.15);
  const settings: readonly NodeSettings[] = isProvider
    ? Array.from({ length: ENDPOINTS_OF_A_PROVIDER }, (_, index) => ({ name: `${index + 1}.liar`, liar }))
    : [{ name: 'liar', liar }];
  const place = (honest: readonly NodeSettings[]) =>
    honest.toSpliced(random.below(honest.length + 1), 0, ...settings);
  const nodes = (names: readonly string[], chance: number) =>
    names.map((name) => ({ name, isHonest: random.chance(chance) }));
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
    case 'alone': {
      // Other faults would lie about the head.
      const faults = (one: FaultKind) => honestKinds.has(one);
      const alone = settings.map((one) => ({ ...one, faults, liar: withTrueHead(liar) }));
      return { company, liar: kind, nodes: alone };
    }
  }
}
