import { voteOn } from '../../core/anchor/anchor.ts';
import { endByRunningDay } from '../../core/days/known-end.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayFigures } from '../../core/figures/day-figures.ts';
import type { Finality } from '../../core/figures/finality.ts';
import type { RequestContext } from '../../core/rpc/request-context.ts';
import { getDay, getFinalDay } from '../../core/store/days/days.ts';
import { probeChain, type VerifyEndpoints } from '../endpoints.ts';
import { formatCount, pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';
import type { Recomputed } from './recompute.ts';

/** The evidence for recomputed figures. */
export interface DayProof {
  readonly blocks: number;
  /** Blocks whose figures follow from their hash. */
  readonly provenBlocks: number;
  readonly lastHash: string;
  readonly anchor: DayAnchor;
  /** The reason why the stored day is final; absent when no day is stored. */
  readonly finality?: Finality | undefined;
}

/** The reason why the last hash of a day is canonical, by the rule of the ingest. */
export type DayAnchor =
  /** The stored blocks of the day after it name that hash as their parent. */
  | { readonly kind: 'day after'; readonly day: UtcDay }
  /** Hosts, sorted, support the block after it. */
  | { readonly kind: 'hosts'; readonly hosts: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

/** Returns the evidence for recomputed figures. All blocks of the day follow from its last hash. */
export async function dayProofOf(
  served: ServedChain,
  endpoints: VerifyEndpoints,
  recomputed: Recomputed,
  context: RequestContext,
): Promise<DayProof> {
  const { progress, figures } = recomputed;
  return {
    blocks: progress.totals.blocks,
    provenBlocks: progress.provenBlocks,
    lastHash: figures.last.hash,
    anchor: await anchorOf(served, endpoints, recomputed, context),
    finality: (await getFinalDay(served.store, progress.day))?.finality,
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
  if (parentHash === figures.last.hash) return { kind: 'day after', day };
  const probe = await probeChain(served, [...primary, ...secondary], context);
  if (probe.kind !== 'probed') return { kind: 'none', reason: probe.reason };
  const { source } = probe;
  const result = await voteOn(source, next);
  if (result.kind === 'undecided') return { kind: 'none', reason: result.reason };
  if (result.kind === 'contradicted') {
    return { kind: 'none', reason: `the hosts report ${result.by.hash} as block ${next.number}` };
  }
  if (source.quorum > 1) return { kind: 'hosts', hosts: result.hosts };
  return {
    kind: 'none',
    reason: `a quorum of 1 cannot confirm it, and no stored blocks of ${day} continue it`,
  };
}

const isProven = ({ blocks, provenBlocks }: DayProof): boolean => provenBlocks === blocks;

/**
 * Returns whether recomputed figures decide against stored ones: all blocks are proven, and their last hash is confirmed now, or was when the
 * day was stored.
 */
export const isCertain = ({ chain }: ServedChain, proof: DayProof, stored: DayFigures): boolean =>
  // No hash commits to the state-sync transaction in the body of an old Polygon block.
  chain.rules.family !== 'polygon' &&
  isProven(proof) &&
  (proof.anchor.kind !== 'none' || proof.lastHash === stored.last.hash);

/** Describes a proof, such as "15 of 15 blocks proven up to 0x…, which 2026-11-19 continues." */
export function showProof(proof: DayProof): string {
  const { blocks, provenBlocks, lastHash, anchor, finality } = proof;
  const proven = `${formatCount(provenBlocks)} of ${pluralize(blocks, 'block')} proven up to ${lastHash}`;
  const others = isProven(proof) ? '' : ' The others passed consistency checks alone.';
  return `${proven}, ${showAnchor(anchor)}.${others}${finality ? ` ${showFinality(finality)}` : ''}`;
}

function showFinality(finality: Finality): string {
  switch (finality.kind) {
    case 'sync committee':
      return `It is stored as final by Ethereum's sync committee: slot ${finality.slot}, beacon block ${finality.root}.`;
    case 'fast finality':
      return `It is stored as final by the votes of BSC's validators for block ${finality.source.number}.`;
    case 'reported':
      return `It is stored as final because ${finality.hosts.length > 0 ? hostList.format(finality.hosts) : 'hosts whose names were not kept'} reported it.`;
  }
}

const hostList = new Intl.ListFormat('en', { type: 'conjunction' });

function showAnchor(anchor: DayAnchor): string {
  switch (anchor.kind) {
    case 'day after':
      return `which ${anchor.day} continues`;
    case 'hosts':
      return `and ${hostList.format(anchor.hosts)} confirm the block after it`;
    case 'none':
      return `which is not anchored: ${anchor.reason.replace(/\.$/, '')}`;
  }
}
