import type { BeaconNetwork } from '../../chains/finality-rules.ts';
import { toHex } from '../../proof/encoding/hex.ts';
import { bootstrapAnswer, type Committee, type Header, type Update, updateAnswer } from './answers.ts';
import { layoutAt, periodOf } from './network.ts';
import { committeeRoot, headerRoot, payloadRoot } from './roots.ts';
import { signatureProblem } from './signature.ts';
import { branchLength, isInBranch } from './ssz.ts';

/*
 * A light client of Ethereum's consensus layer that accepts only what is final: two thirds of a sync committee of 512 validators signed a
 * header, whose state names the final block. https://github.com/ethereum/consensus-specs: specs/altair/light-client/sync-protocol.md,
 * `validate_light_client_update` and `apply_light_client_update`, without its forced updates and optimistic headers.
 */

/** The newest final block that is proven, and the committees that may sign the next one. */
export interface LightClientState {
  readonly kind: 'sync committee';
  readonly slot: number;
  /** Root of the beacon block. */
  readonly root: string;
  readonly block: ExecutionBlock;
  /** Root of the sync committee of the slot's period. */
  readonly committee: string;
  /** Root of the next period's committee; absent until an update names it. */
  readonly nextCommittee?: string | undefined;
}

/** The block of the execution layer. Since Gloas the proof names no number. */
interface ExecutionBlock {
  readonly hash: string;
  readonly number?: number | undefined;
}

/** The known committees by their roots. */
export type Committees = ReadonlyMap<string, Committee>;

export interface RefusedUpdate {
  readonly kind: 'refused';
  readonly reason: string;
}

/** A new state, with the committee that the answer contained. */
export interface Advanced {
  readonly kind: 'advanced';
  readonly state: LightClientState;
  readonly learned?: Committee | undefined;
}

/** `known` means that nothing is new. After `missing committee`, read `updates` since the state's period. */
export type UpdateResult =
  | Advanced
  | { readonly kind: 'known' }
  | { readonly kind: 'missing committee' }
  | RefusedUpdate;

const refused = (reason: string): RefusedUpdate => ({ kind: 'refused', reason });

/**
 * Starts from a checkpoint.
 * @param checkpoint root of a beacon block that is known to be final
 * @param answer of `bootstrap/{checkpoint}`, not decoded
 */
export function startLightClient(
  network: BeaconNetwork,
  checkpoint: string,
  answer: unknown,
): Advanced | RefusedUpdate {
  const { data: decoded } = bootstrapAnswer.safeParse(answer);
  if (!decoded) return refused('it is no bootstrap');
  const { header, current_sync_committee: committee, current_sync_committee_branch: branch } = decoded.data;
  const root = toHex(headerRoot(header.beacon));
  if (root !== checkpoint.toLowerCase()) return refused(`its header has the root ${root}, not ${checkpoint}`);
  const layout = layoutAt(network, header.beacon.slot);
  if (!layout) return refused('its fork is not known here');
  const execution = executionOf(network, header);
  if (!execution) return refused('its execution block does not belong to its header');
  const learned = committeeRoot(committee);
  if (
    !isWhole(network, committee) ||
    !isInBranch(learned, branch, layout.currentCommittee, header.beacon.state_root)
  )
    return refused('its sync committee does not belong to its header');
  const { slot } = header.beacon;
  const state = { kind: 'sync committee', slot, root, block: execution, committee: toHex(learned) } as const;
  return { kind: 'advanced', state, learned: committee };
}

/**
 * Verifies an update, and moves the state forward.
 * @param answer of `finality_update`, or one element of `updates`, not decoded
 * @param currentSlot the slot by the clock; later ones are refused
 */
export function applyUpdate(
  network: BeaconNetwork,
  state: LightClientState,
  committees: Committees,
  answer: unknown,
  currentSlot: number,
): UpdateResult {
  const { data: decoded } = updateAnswer.safeParse(answer);
  if (!decoded) return refused('it is no update');
  const update = decoded.data;
  const place = placeOf(network, state, update, currentSlot);
  if (place.kind !== 'signed by') return place;
  const contents = contentsOf(network, state, update);
  if (contents.kind !== 'contents') return contents;
  const committee = committees.get(place.committee);
  if (!committee) return { kind: 'missing committee' };
  const problem = signatureProblem(network, update, committee);
  if (problem !== undefined) return refused(problem);
  return advance(network, state, update, contents);
}

/** Checks the slots of an update, and returns the root of the committee that must have signed it. */
function placeOf(
  network: BeaconNetwork,
  state: LightClientState,
  { attested_header, finalized_header, signature_slot, ...update }: Update,
  currentSlot: number,
): { readonly kind: 'signed by'; readonly committee: string } | Exclude<UpdateResult, Advanced> {
  const attested = attested_header.beacon.slot;
  const isOrdered =
    currentSlot >= signature_slot && signature_slot > attested && attested >= finalized_header.beacon.slot;
  if (!isOrdered) return refused('its slots are out of order, or in the future');
  if (isEmpty(update.finality_branch)) return refused('it finalizes nothing');
  const period = periodOf(network, state.slot);
  const bringsNext =
    state.nextCommittee === undefined && hasNext(update) && periodOf(network, attested) === period;
  if (finalized_header.beacon.slot <= state.slot && !bringsNext) return { kind: 'known' };
  const later = periodOf(network, signature_slot) - period;
  const committee = later === 0 ? state.committee : later === 1 ? state.nextCommittee : undefined;
  return committee === undefined ? { kind: 'missing committee' } : { kind: 'signed by', committee };
}

interface Contents {
  readonly kind: 'contents';
  readonly block: ExecutionBlock;
  /** Root of the next committee. */
  readonly next: string | undefined;
}

/** Returns the committee of the next period that an update contains, with its root. It is not proven. */
export function committeeIn(
  answer: unknown,
): { readonly root: string; readonly committee: Committee } | undefined {
  const committee = updateAnswer.safeParse(answer).data?.data.next_sync_committee;
  return committee && { root: toHex(committeeRoot(committee)), committee };
}

/** Returns the root of the beacon block that an update calls final. It is not proven, but a checkpoint if independent servers agree. */
export function checkpointIn(answer: unknown): string | undefined {
  const { data: decoded } = updateAnswer.safeParse(answer);
  return decoded && toHex(headerRoot(decoded.data.finalized_header.beacon));
}

/** Checks that an update's parts belong to its attested header. */
function contentsOf(
  network: BeaconNetwork,
  state: LightClientState,
  update: Update,
): Contents | RefusedUpdate {
  const { attested_header: attested, finalized_header: finalized } = update;
  const layout = layoutAt(network, attested.beacon.slot);
  if (!layout) return refused('its fork is not known here');
  const block = executionOf(network, finalized);
  if (!block || !executionOf(network, attested))
    return refused('an execution block does not belong to its header');
  const root = headerRoot(finalized.beacon);
  if (!isInBranch(root, update.finality_branch, layout.finalizedRoot, attested.beacon.state_root))
    return refused('its finalized header is not that of its attested header');
  if (!hasNext(update)) return { kind: 'contents', block, next: undefined };
  const { next_sync_committee: committee, next_sync_committee_branch: branch } = update;
  const next = committeeRoot(committee);
  if (
    !isWhole(network, committee) ||
    !isInBranch(next, branch, layout.nextCommittee, attested.beacon.state_root)
  )
    return refused('its next sync committee does not belong to its attested header');
  const isOther = state.nextCommittee !== undefined && state.nextCommittee !== toHex(next);
  if (isOther && periodOf(network, attested.beacon.slot) === periodOf(network, state.slot))
    return refused('its next sync committee is not the known one');
  return { kind: 'contents', block, next: toHex(next) };
}

function advance(
  network: BeaconNetwork,
  state: LightClientState,
  update: Update,
  { block, next }: Contents,
): Advanced | { readonly kind: 'known' } {
  const { attested_header: attested, finalized_header: finalized } = update;
  const { slot } = finalized.beacon;
  const period = periodOf(network, state.slot);
  const isIn = (at: number) =>
    periodOf(network, slot) === at && periodOf(network, attested.beacon.slot) === at;
  const moves = periodOf(network, slot) === period + 1 && state.nextCommittee !== undefined;
  const committees = moves
    ? { committee: state.nextCommittee, nextCommittee: next }
    : { committee: state.committee, nextCommittee: state.nextCommittee ?? (isIn(period) ? next : undefined) };
  // An update may name a committee that cannot be taken over yet.
  if (slot <= state.slot && committees.nextCommittee === state.nextCommittee) return { kind: 'known' };
  const newest = slot > state.slot ? { slot, root: toHex(headerRoot(finalized.beacon)), block } : {};
  return {
    kind: 'advanced',
    state: { ...state, ...newest, ...committees },
    learned: update.next_sync_committee,
  };
}

/** SSZ encodes an absent branch as zeros. */
const isEmpty = (branch: readonly Buffer[]): boolean =>
  branch.every((node) => node.every((byte) => byte === 0));

type WithNext = Required<Pick<Update, 'next_sync_committee' | 'next_sync_committee_branch'>>;

const hasNext = (
  update: Pick<Update, 'next_sync_committee' | 'next_sync_committee_branch'>,
): update is { [Name in keyof WithNext]: Exclude<WithNext[Name], undefined> } =>
  update.next_sync_committee !== undefined &&
  update.next_sync_committee_branch !== undefined &&
  !isEmpty(update.next_sync_committee_branch);

const isWhole = ({ committeeSize }: BeaconNetwork, { pubkeys }: Committee): boolean =>
  pubkeys.length === committeeSize;

/** Returns the execution block to which a header's body commits, or undefined if the server gave another one. */
function executionOf(network: BeaconNetwork, header: Header): ExecutionBlock | undefined {
  const { beacon, execution, execution_block_hash: hash, execution_branch: branch } = header;
  const layout = layoutAt(network, beacon.slot);
  if (!layout) return undefined;
  if (layout.blockHash !== undefined && execution) {
    const leaf = payloadRoot(execution, layout.hasBlobs);
    const isIts = leaf && isInBranch(leaf, branch, layout.execution, beacon.body_root);
    return isIts ? { hash: toHex(execution.block_hash), number: execution.block_number } : undefined;
  }
  if (!hash) return undefined;
  // A header from before Gloas in the new form has a longer branch, which begins with zeros.
  const index = layout.blockHash ?? layout.execution;
  const unused = branch.length - branchLength(index);
  const isIts =
    isEmpty(branch.slice(0, unused)) && isInBranch(hash, branch.slice(unused), index, beacon.body_root);
  return unused >= 0 && isIts ? { hash: toHex(hash) } : undefined;
}
