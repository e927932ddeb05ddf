import type { DayFigures } from '../../lambda/store/day-item.ts';
import { CommandError } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';
import { type BlockDifference, differingParts, firstDifference, partsOfDay } from './compare.ts';
import type { Endpoints } from './endpoints.ts';
import { type Reading, type Recomputed, recomputeFromFirst } from './recompute.ts';

/** What came of comparing a stored day with its blocks. */
export interface Verification {
  readonly chain: string;
  readonly stored: DayFigures;
  readonly recomputed: Recomputed;
  /** Why endpoints before that one could not give the day. */
  readonly reasons: readonly string[];
  /** Where the figures differ: what a second endpoint says. */
  readonly second?: SecondOpinion;
}

/** What another endpoint says about a day whose stored figures are not those that the first one gave. */
export type SecondOpinion =
  /** None can be asked, for these reasons. */
  | { readonly kind: 'none'; readonly reasons: readonly string[] }
  /** Both tell the same of every block: the stored figures do not follow from the chain. */
  | { readonly kind: 'nodes agree'; readonly host: string }
  /** They tell different things, and the other's whole day is, or is not, what is stored. */
  | {
      readonly kind: 'nodes differ';
      readonly host: string;
      readonly difference: BlockDifference;
      readonly isStored: boolean;
    };

/** What a day is verified with. */
export interface DayToVerify {
  readonly served: ServedChain;
  readonly stored: DayFigures;
  readonly endpoints: Endpoints;
}

export const isEqual = ({ stored, recomputed }: Pick<Verification, 'stored' | 'recomputed'>): boolean =>
  differingParts(partsOfDay(stored), partsOfDay(recomputed.figures)).length === 0;

/**
 * Adds a day up again from one endpoint, and from a second one when that gives other figures than are stored: sums alone do
 * not tell which block they differ in, nor who is wrong.
 * @throws CommandError when it cannot be recomputed; the signal's reason when that aborts
 */
export async function verifyDay(
  { served, stored, endpoints }: DayToVerify,
  reading: Reading,
): Promise<Verification> {
  const { first, others } = endpoints;
  const { recomputed, left, reasons } = await recomputeFromFirst(served, stored.day, first, reading);
  const found = { chain: served.name, stored, recomputed, reasons };
  if (isEqual(found)) return found;
  return {
    ...found,
    second: await secondOpinion({ served, stored, endpoints: { first: left, others } }, recomputed, reading),
  };
}

async function secondOpinion(
  { served, stored, endpoints }: DayToVerify,
  first: Recomputed,
  reading: Reading,
): Promise<SecondOpinion> {
  try {
    const upstreams = [...endpoints.first, ...(await endpoints.others())];
    if (upstreams.length === 0) return { kind: 'none', reasons: [] };
    const { recomputed } = await recomputeFromFirst(served, stored.day, upstreams, reading);
    const { host } = recomputed;
    const difference = firstDifference(first.blocks, recomputed.blocks);
    if (!difference) return { kind: 'nodes agree', host };
    return { kind: 'nodes differ', host, difference, isStored: isEqual({ stored, recomputed }) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { kind: 'none', reasons: [error.message] };
  }
}
