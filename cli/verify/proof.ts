import { confirmDayEnd } from '../../lambda/ingest/day-boundaries.ts';
import type { RequestContext } from '../../lambda/rpc/retry.ts';
import type { DayFigures } from '../../lambda/store/day-item.ts';
import type { VerifyEndpoints } from '../endpoints.ts';
import { probeChain } from '../endpoints.ts';
import { formatCount, pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';
import { type Recomputed, unfinished } from './recompute.ts';

/** The ground that recomputed figures stand on. */
export interface Proof {
  readonly blocks: number;
  /** Blocks whose figures follow from their hash. */
  readonly provenBlocks: number;
  readonly lastHash: string;
  /** Hosts of the endpoints that agree on the last hash, sorted; empty on a day without blocks, or with a problem. */
  readonly confirmedBy: readonly string[];
  /** The reason why the last hash is not confirmed. */
  readonly problem?: string;
}

/** Confirms the end of a recomputed day with all endpoints, since all its blocks hang on the last hash. */
export async function proofOf(
  served: ServedChain,
  { primary, secondary }: VerifyEndpoints,
  { progress, next, figures }: Recomputed,
  context: RequestContext,
): Promise<Proof> {
  const probe = await probeChain(served, [...primary, ...secondary], context);
  const end = probe.kind === 'no endpoint' ? probe : await confirmDayEnd(probe.source, progress, next);
  return {
    blocks: progress.totals.blocks,
    provenBlocks: progress.provenBlocks,
    lastHash: figures.last.hash,
    ...(end.kind === 'confirmed'
      ? { confirmedBy: end.hosts }
      : { confirmedBy: [], problem: unfinished(end) }),
  };
}

const isProven = ({ blocks, provenBlocks }: Proof): boolean => provenBlocks === blocks;

/**
 * Returns whether recomputed figures are right beyond doubt: all blocks are proven, and they end with a hash that was
 * confirmed, now or when the day was stored.
 */
export const isCertain = ({ chain }: ServedChain, proof: Proof, stored: DayFigures): boolean =>
  // No hash commits to the state-sync transaction in the body of an old Polygon block.
  chain.rules.family !== 'polygon' &&
  isProven(proof) &&
  (proof.confirmedBy.length > 1 || proof.lastHash === stored.last.hash);

/** Describes a proof, such as "15 of 15 blocks proven up to 0x…, confirmed by a.example and b.example." */
export function showProof(proof: Proof): string {
  const { blocks, provenBlocks, lastHash } = proof;
  const proven = `${formatCount(provenBlocks)} of ${pluralize(blocks, 'block')} proven up to ${lastHash}`;
  const others = isProven(proof) ? '' : ' The others passed consistency checks alone.';
  return `${proven}${showConfirmation(proof)}.${others}`;
}

const endpointList = new Intl.ListFormat('en', { type: 'conjunction' });

function showConfirmation({ confirmedBy, problem }: Proof): string {
  if (problem !== undefined) return `, which is not confirmed: ${problem}`;
  if (confirmedBy.length === 0) return '';
  const alone = confirmedBy.length === 1 ? ' alone' : '';
  return `, confirmed by ${endpointList.format(confirmedBy)}${alone}`;
}
