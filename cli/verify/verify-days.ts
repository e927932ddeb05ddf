import { voteOn } from '../../core/anchor/anchor.ts';
import { endByRunningDay } from '../../core/days/end.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { RequestContext } from '../../core/rpc/deadline.ts';
import { differingParts } from '../../core/store/days/compare-figures.ts';
import { getDay } from '../../core/store/days/days.ts';
import { getDetailsOfDay } from '../../core/store/days/details.ts';
import { shareOfDay } from '../day-ranges.ts';
import { probeChain, requestContext, type VerifyEndpoints } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import { drawUnits } from '../history/sample.ts';
import { commandLine } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { OperatedService, ServedChain } from '../service.ts';
import {
  type DetailedDay,
  partsOf,
  type Recomputed,
  type RecomputeOptions,
  recomputeFromFirst,
} from './recompute.ts';

export interface ChainDay {
  readonly served: ServedChain;
  readonly day: UtcDay;
}

/** A stored day compared with its blocks. */
export interface Verification {
  readonly chain: string;
  readonly stored: DetailedDay;
  readonly recomputed: Recomputed;
  readonly proof: DayProof;
  /** The failures of the endpoints tried before. */
  readonly reasons: readonly string[];
  /** Present when the figures differ, unless the recomputed ones are right beyond doubt. */
  readonly crossCheck?: CrossCheck;
}

/** The comparison with the figures of a second endpoint, which shows the likely cause. */
export type CrossCheck =
  | { readonly result: 'unavailable'; readonly reasons: readonly string[] }
  /** Both endpoints report the same figures, so the stored ones are wrong. */
  | { readonly result: 'endpoints agree'; readonly endpoint: string }
  | { readonly result: 'endpoints disagree'; readonly endpoint: string; readonly equals_stored: boolean };

export type VerifyResult = Verification | Readonly<Record<'chain' | 'day' | 'reason', string>>;

export const isVerified = (outcome: VerifyResult): outcome is Verification => 'recomputed' in outcome;

export const isEqual = ({ stored, recomputed }: Pick<Verification, 'stored' | 'recomputed'>): boolean =>
  differingParts(partsOf(stored), partsOf(recomputed.figures)).length === 0;

export interface VerifyOptions extends Pick<OperatedService, 'flags'> {
  readonly endpointsOf: (served: ServedChain) => Promise<VerifyEndpoints>;
  readonly signal: AbortSignal;
}

/** Verifies days one by one and shows the progress. An abort ends the run and returns the days verified so far. */
export async function verifyDays(options: VerifyOptions, days: readonly ChainDay[]): Promise<VerifyResult[]> {
  const outcomes: VerifyResult[] = [];
  using progress = startProgressBar('blocks');
  try {
    for (const [index, { served, day }] of days.entries()) {
      const position = days.length === 1 ? '' : `, day ${index + 1} of ${days.length}`;
      const onBlock: RecomputeOptions['onBlock'] = ({ timestamp, host }) => {
        const share = (index + shareOfDay(day, timestamp)) / days.length;
        progress.add(1, share, `${served.name} ${day} from ${host}${position}`);
      };
      outcomes.push(await verifyOne(options, { served, day }, onBlock));
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
  return outcomes;
}

async function verifyOne(
  options: VerifyOptions,
  { served, day }: ChainDay,
  onBlock: RecomputeOptions['onBlock'],
): Promise<VerifyResult> {
  const { endpointsOf, signal } = options;
  signal.throwIfAborted();
  try {
    const figures = await getDay(served.store, day);
    if (!figures) {
      const status = commandLine(options.flags, 'status', '--chain', served.name);
      throw new CommandError(
        `${served.name} ${day} is not final, so it cannot be verified. To see its final days:\n  ${status}`,
      );
    }
    const context = requestContext(signal);
    const stored = { ...figures, details: await getDetailsOfDay(served.store, day) };
    return await verifyDay(served, stored, await endpointsOf(served), { context, onBlock });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { chain: served.name, day, reason: error.message };
  }
}

/**
 * Compares a stored day with the day recomputed from one endpoint. When they differ and the recomputed blocks are not all proven,
 * cross-checks with a second endpoint: the figures alone do not show which side is wrong.
 * @throws CommandError when no endpoint provides the day; the signal's reason when it aborts
 */
export async function verifyDay(
  served: ServedChain,
  stored: DetailedDay,
  endpoints: VerifyEndpoints,
  options: RecomputeOptions,
): Promise<Verification> {
  const { primary, secondary } = endpoints;
  const { recomputed, untried, reasons } = await recomputeFromFirst(served, stored.day, primary, options);
  const proof = await dayProofOf(served, endpoints, recomputed, options.context);
  const verification = { chain: served.name, stored, recomputed, proof, reasons };
  if (isEqual(verification) || isCertain(served, proof, stored)) return verification;
  const upstreams = [...untried, ...secondary];
  try {
    if (upstreams.length === 0)
      return { ...verification, crossCheck: { result: 'unavailable', reasons: [] } };
    const second = await recomputeFromFirst(served, stored.day, upstreams, options);
    return { ...verification, crossCheck: crossCheck(stored, recomputed, second.recomputed) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { ...verification, crossCheck: { result: 'unavailable', reasons: [error.message] } };
  }
}

export type DayProof = Awaited<ReturnType<typeof dayProofOf>>;

/** The reason why the last hash of a day is canonical, by the rule of the ingest, or why nothing says so. */
interface DayAnchor {
  /** Hosts, sorted, that support the block after it. */
  readonly confirmed_by: readonly string[];
  /** The day after it, if its stored blocks name that hash as their parent. */
  readonly continued_by?: UtcDay;
  readonly problem?: string;
}

/** Returns the evidence for recomputed figures. All blocks of the day follow from its last hash. */
async function dayProofOf(
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
  const { network } = probe;
  const result = await voteOn(network, next);
  if (result.kind === 'undecided') return unknown(result.reason);
  if (result.kind === 'contradicted')
    return unknown(`the hosts report ${result.by.hash} as block ${next.number}`);
  return network.quorum > 1
    ? { confirmed_by: result.hosts }
    : unknown(`a quorum of 1 cannot confirm it, and no stored blocks of ${day} continue it`);
}

/** Returns whether recomputed figures decide: all are proven, and their last hash is confirmed, now or when stored. */
const isCertain = ({ chain }: ServedChain, proof: DayProof, stored: Recomputed['figures']): boolean =>
  // No hash commits to the state-sync transaction in the body of an old Polygon block.
  chain.rules.family !== 'polygon' &&
  proof.proven_blocks === proof.block_count &&
  (proof.problem === undefined || proof.last_hash === stored.last.hash);

function crossCheck(stored: DetailedDay, first: Recomputed, second: Recomputed): CrossCheck {
  const { host: endpoint } = second;
  if (isEqual({ stored: first.figures, recomputed: second })) return { result: 'endpoints agree', endpoint };
  return { result: 'endpoints disagree', endpoint, equals_stored: isEqual({ stored, recomputed: second }) };
}

/**
 * Draws random days, deterministic for a seed. Each day is ranked independently, so the ranking of the others stays the same
 * when more days become final, and an interrupted sample can continue.
 */
export const drawDays = <Day extends { readonly chain: string; readonly day: UtcDay }>(
  days: readonly Day[],
  seed: number,
  count: number,
): Day[] => drawUnits(String(seed), days, count, ({ chain, day }) => `${chain} ${day}`);
