import type { BeaconNetwork } from '../../chains/finality-rules.ts';
import { toHex } from '../../proof/encoding/hex.ts';
import { bootstrapAnswer, type Committee, type Header, type Update, updateAnswer } from './answers.ts';
import { layoutAt, periodOf } from './network.ts';
import { signatureProblem } from './signature.ts';
import { branchLength, committeeRoot, headerRoot, isInBranch, payloadRoot } from './ssz.ts';

/*
 * A light client of a beacon chain that accepts only what is final: two thirds of a sync committee of 512 validators signed a
 * header, whose state names the final block. https://github.com/ethereum/consensus-specs: specs/altair/light-client/sync-protocol.md,
 * `validate_light_client_update` and `apply_light_client_update`, without its forced updates and optimistic headers.
 */

/** The newest final block that is proven, and the committees that may sign the next one. */
export interface LightClientState {
  readonly kind: 'sync committee';
  readonly slot: number;
  /** Root of the beacon block. */
  readonly root: string;
  /** The block of the execution layer. Since Gloas the proof names no number. */
  readonly block: { readonly hash: string; readonly number?: number | undefined };
  /** Root of the sync committee of the slot's period. */
  readonly committee: string;
  /** Root of the next period's committee; absent until an update names it. */
  readonly nextCommittee?: string | undefined;
}

/** The known committees by their roots. */
export type Committees = ReadonlyMap<string, Committee>;

type Started =
  /** A new state, with the committee that the answer contained. */
  | { readonly kind: 'advanced'; readonly state: LightClientState; readonly learned: Committee | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;
const UNKNOWN_FORK = refused('its fork is not known here');
const KNOWN = { kind: 'known' } as const;
const MISSING_COMMITTEE = { kind: 'missing committee' } as const;

const advanced = (state: LightClientState, learned: Committee | undefined) =>
  ({ kind: 'advanced', state, learned }) as const;

/**
 * Starts from a checkpoint.
 * @param checkpoint root of a beacon block that is known to be final
 * @param answer of `bootstrap/{checkpoint}`, not decoded
 */
export function startLightClient(network: BeaconNetwork, checkpoint: string, answer: unknown): Started {
  const { data: decoded } = bootstrapAnswer.safeParse(answer);
  if (!decoded) return refused('it is not a bootstrap');
  const { header, current_sync_committee: learned, current_sync_committee_branch: branch } = decoded.data;
  const { slot, state_root } = header.beacon;
  const root = toHex(headerRoot(header.beacon));
  if (root !== checkpoint.toLowerCase()) return refused(`its header has the root ${root}, not ${checkpoint}`);
  const layout = layoutAt(network, slot);
  if (!layout) return UNKNOWN_FORK;
  const block = executionOf(network, header);
  if (!block) return refused('its execution block does not belong to its header');
  const committee = provenRoot(network, learned, branch, layout.currentCommittee, state_root);
  if (committee === undefined) return refused('its sync committee does not belong to its header');
  return advanced({ kind: 'sync committee', slot, root, block, committee }, learned);
}

/**
 * Verifies an update, and moves the state forward.
 * @param answer of `finality_update`, or one element of `updates`, not decoded
 * @param currentSlot the slot by the clock; later ones are refused
 * @returns `known` if nothing is new. After `missing committee`, read `updates` since the state's period
 */
export function applyUpdate(
  network: BeaconNetwork,
  state: LightClientState,
  committees: Committees,
  answer: unknown,
  currentSlot: number,
): Started | typeof KNOWN | typeof MISSING_COMMITTEE {
  const { data: decoded } = updateAnswer.safeParse(answer);
  if (!decoded) return refused('it is not an update');
  const update = decoded.data;
  const place = placeOf(network, state, update, currentSlot);
  if (place.kind !== 'signed by') return place;
  const contents = contentsOf(network, state, update);
  if (contents.kind !== 'contents') return contents;
  const committee = committees.get(place.committee);
  if (!committee) return MISSING_COMMITTEE;
  const problem = signatureProblem(network, update, committee);
  if (problem !== undefined) return refused(problem);
  return advance(network, state, update, contents);
}

/** Checks the slots of an update, and returns the root of the committee that must have signed it. */
function placeOf(network: BeaconNetwork, state: LightClientState, update: Update, currentSlot: number) {
  const { signature_slot: signed, finality_branch, finalized_header } = update;
  const attested = update.attested_header.beacon.slot;
  const finalized = finalized_header.beacon.slot;
  if (!(currentSlot >= signed && signed > attested && attested >= finalized))
    return refused('its slots are out of order, or in the future');
  if (isEmpty(finality_branch)) return refused('it finalizes nothing');
  const period = periodOf(network, state.slot);
  const isNextMissing = state.nextCommittee === undefined;
  const bringsNext = isNextMissing && nextIn(update) && periodOf(network, attested) === period;
  if (finalized <= state.slot && !bringsNext) return KNOWN;
  const later = periodOf(network, signed) - period;
  const committee = later === 0 ? state.committee : later === 1 ? state.nextCommittee : undefined;
  return committee === undefined ? MISSING_COMMITTEE : ({ kind: 'signed by', committee } as const);
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

/** Checks that an update's parts belong to its attested header. Returns the final block, and the root of the next committee. */
function contentsOf(network: BeaconNetwork, state: LightClientState, update: Update) {
  const { attested_header: attested, finalized_header: finalized } = update;
  const { slot, state_root } = attested.beacon;
  const layout = layoutAt(network, slot);
  if (!layout) return UNKNOWN_FORK;
  const block = executionOf(network, finalized);
  if (!block || !executionOf(network, attested))
    return refused('an execution block does not belong to its header');
  const root = headerRoot(finalized.beacon);
  if (!isInBranch(root, update.finality_branch, layout.finalizedRoot, state_root))
    return refused('its finalized header is not that of its attested header');
  const named = nextIn(update);
  const next = named && provenRoot(network, named.committee, named.branch, layout.nextCommittee, state_root);
  if (named && next === undefined)
    return refused('its next sync committee does not belong to its attested header');
  const isOther = named && state.nextCommittee !== undefined && state.nextCommittee !== next;
  if (isOther && periodOf(network, slot) === periodOf(network, state.slot))
    return refused('its next sync committee is not the known one');
  return { kind: 'contents', block, next } as const;
}

function advance(
  network: BeaconNetwork,
  state: LightClientState,
  { attested_header: attested, finalized_header: { beacon }, next_sync_committee: learned }: Update,
  { block, next }: { readonly block: LightClientState['block']; readonly next: string | undefined },
) {
  const { slot } = beacon;
  const period = periodOf(network, state.slot);
  const later = periodOf(network, slot) - period;
  const moves = later === 1 && state.nextCommittee !== undefined;
  const named = later === 0 && periodOf(network, attested.beacon.slot) === period ? next : undefined;
  const committees = moves
    ? { committee: state.nextCommittee, nextCommittee: next }
    : { committee: state.committee, nextCommittee: state.nextCommittee ?? named };
  // An update may name a committee that cannot be taken over yet.
  if (slot <= state.slot && committees.nextCommittee === state.nextCommittee) return KNOWN;
  const newest = slot > state.slot ? { slot, root: toHex(headerRoot(beacon)), block } : {};
  return advanced({ ...state, ...newest, ...committees }, learned);
}

/** SSZ encodes an absent branch as zeros. */
const isEmpty = (branch: readonly Buffer[]): boolean =>
  branch.every((node) => node.every((byte) => byte === 0));

const nextIn = ({ next_sync_committee: committee, next_sync_committee_branch: branch }: Update) =>
  committee && branch && !isEmpty(branch) ? { committee, branch } : undefined;

/** Returns the root of a whole committee that is at a generalized index under the root of a state. */
function provenRoot(
  { committeeSize }: BeaconNetwork,
  committee: Committee,
  branch: readonly Buffer[],
  index: number,
  stateRoot: Buffer,
): string | undefined {
  const root = committeeRoot(committee);
  const isProven = committee.pubkeys.length === committeeSize && isInBranch(root, branch, index, stateRoot);
  return isProven ? toHex(root) : undefined;
}

/** Returns the execution block to which a header's body commits, or undefined if the server gave another one. */
function executionOf(network: BeaconNetwork, header: Header): LightClientState['block'] | undefined {
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
