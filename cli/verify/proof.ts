import { voteOn } from '../../core/anchor/anchor.ts';
import { endByRunningDay } from '../../core/days/known-end.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { RequestContext } from '../../core/rpc/deadline.ts';
import { getDay } from '../../core/store/days/days.ts';
import { probeChain, type VerifyEndpoints } from '../endpoints.ts';
import { formatCount, listed, pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';
import type { Recomputed } from './recompute.ts';

export type DayProof = Awaited<ReturnType<typeof dayProofOf>>;

/** The reason why the last hash of a day is canonical, by the rule of the ingest, or why nothing says so. */
export interface DayAnchor {
  /** Hosts, sorted, that support the block after it. */
  readonly confirmed_by: readonly string[];
  /** The day after it, if its stored blocks name that hash as their parent. */
  readonly continued_by?: UtcDay;
  readonly problem?: string;
}

/** Returns the evidence for recomputed figures. All blocks of the day follow from its last hash. */
export async function dayProofOf(
  served: ServedChain,
  endpoints: VerifyEndpoints,
  recomputed: Recomputed,
  context: RequestContext,
) {
  const { progress, figures } = recomputed;
  return {
    block_count: progress.totals.blocks,
    // Blocks whose figures follow from their hash.
    proven_blocks: progress.provenBlocks,
    last_hash: figures.last.hash,
    ...(await anchorOf(served, endpoints, recomputed, context)),
  };
}

async function anchorOf(
  served: ServedChain,
  { primary, secondary }: VerifyEndpoints,
  { progress, figures, next }: Recomputed,
  context: RequestContext,
): Promise<DayAnchor> {
  const day = addDays(progress.day, 1);
  const after = await getDay(served.store, day);
  const parentHash = after ? after.parentHash : (await endByRunningDay(served.store, figures.day))?.hash;
  if (parentHash === figures.last.hash) return { confirmed_by: [], continued_by: day };
  const unknown = (problem: string): DayAnchor => ({ confirmed_by: [], problem });
  const probe = await probeChain(served, [...primary, ...secondary], context);
  if (probe.kind !== 'probed') return unknown(probe.reason);
  const { source } = probe;
  const result = await voteOn(source, next);
  if (result.kind === 'undecided') return unknown(result.reason);
  if (result.kind === 'contradicted')
    return unknown(`the hosts report ${result.by.hash} as block ${next.number}`);
  return source.quorum > 1
    ? { confirmed_by: result.hosts }
    : unknown(`a quorum of 1 cannot confirm it, and no stored blocks of ${day} continue it`);
}

const isProven = (proof: DayProof): boolean => proof.proven_blocks === proof.block_count;

/** Returns whether recomputed figures decide: all are proven, and their last hash is confirmed, now or when stored. */
export const isCertain = ({ chain }: ServedChain, proof: DayProof, stored: Recomputed['figures']): boolean =>
  // No hash commits to the state-sync transaction in the body of an old Polygon block.
  chain.rules.family !== 'polygon' &&
  isProven(proof) &&
  (proof.problem === undefined || proof.last_hash === stored.last.hash);

/** Describes a proof, such as "15 of 15 blocks proven up to 0x…, which 2026-11-19 continues." */
export function showProof(proof: DayProof): string {
  const { block_count: blocks, proven_blocks, last_hash } = proof;
  const proven = `${formatCount(proven_blocks)} of ${pluralize(blocks, 'block')} proven up to ${last_hash}`;
  const others = isProven(proof) ? '' : ' The others passed consistency checks alone.';
  return `${proven}, ${showAnchor(proof)}.${others}`;
}

function showAnchor({ confirmed_by, continued_by, problem }: DayAnchor): string {
  if (continued_by) return `which ${continued_by} continues`;
  return problem === undefined
    ? `and ${listed(confirmed_by)} confirm the block after it`
    : `which is not anchored: ${problem.replace(/\.$/, '')}`;
}
