import type { FastFinalityRules } from '../../chains/finality-rules.ts';
import type { BlockRef } from '../../figures/block.ts';
import type { RpcHeader } from '../../proof/json/rpc-types.ts';
import { addKeys, decodeKey, isSignedBy } from '../bls.ts';
import { type Attestation, attestationIn, type ExtraDataForm, namedValidators } from './extra-data.ts';

/*
 * Fast finality of BSC, BEP-126: a block is final once two thirds of the validators voted for it and for its direct child.
 * https://github.com/bnb-chain/bsc consensus/parlia/parlia.go, `verifyVoteAttestation`, and snapshot.go, `updateAttestation` and `apply`
 */

/** Seconds since 1970, as hex or as a number. */
type Time = string | number;

/** Returns the length of an epoch in blocks, by the rules at a time. */
export const epochLengthAt = ({ epochs }: FastFinalityRules, timestamp: Time): number =>
  epochs.findLast(({ time }) => time <= Number(timestamp))?.length ?? 1;

type Placed = Pick<RpcHeader, 'number' | 'timestamp'>;

export const formOf = (rules: FastFinalityRules, { number, timestamp }: Placed): ExtraDataForm => ({
  isEpochBlock: Number(number) % epochLengthAt(rules, timestamp) === 0,
  hasTurnLength: Number(timestamp) >= rules.bohrTime,
});

/** Returns the number of the epoch block after a block. @param timestamp of a block near it */
export function epochBlockAfter(rules: FastFinalityRules, number: number, timestamp: Time): number {
  const length = epochLengthAt(rules, timestamp);
  return (Math.floor(number / length) + 1) * length;
}

/** The validators that vote for the targets of a range. */
export interface ValidatorSet {
  /** Number of the epoch block that names them. */
  readonly epochBlock: number;
  /** First and last target that they vote for. */
  readonly from: number;
  readonly to: number;
  /** Public keys in hex, in the order of the validators' addresses. */
  readonly voteKeys: readonly string[];
}

/** The newest block that is proven to be final, and the validators that may vote for the next ones. */
export interface FastFinalityState {
  readonly kind: 'fast finality';
  readonly block: BlockRef;
  /** The votes that make it final, as the source; absent after `startFastFinality`. */
  readonly votes?: Pick<Attestation, 'source' | 'target'> | undefined;
  /** Seconds since 1970: a time at which the block existed. */
  readonly seenAt: number;
  /** The sets of the last two epochs, the newest last; only one after `startFastFinality`. */
  readonly sets: readonly ValidatorSet[];
}

/** A header whose hash has been recomputed from its fields. */
export type HashedHeader = Pick<RpcHeader, 'hash' | 'parentHash' | 'number' | 'timestamp' | 'extraData'>;

/** The new state, or the reason why some headers prove none. */
type Followed =
  | { readonly kind: 'advanced'; readonly state: FastFinalityState }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;
const advanced = (state: FastFinalityState) => ({ kind: 'advanced', state }) as const;

/** Starts from an epoch block that is known to be final. */
export function startFastFinality(rules: FastFinalityRules, header: HashedHeader): Followed {
  const block = { number: Number(header.number), hash: header.hash };
  const set = setNamedIn(rules, header, block.number + rules.certainAfter);
  if (!set) return refused(`block ${block.number} is not an epoch block that names validators`);
  return advanced({ kind: 'fast finality', block, seenAt: Number(header.timestamp), sets: [set] });
}

/**
 * Finds the highest block that votes in some headers make final, which may be older than that of the state. Takes over the validators of
 * the next epoch if its epoch block is among the headers and final.
 * @param headers ascending
 * @param before the headers right before them, whose votes were already followed
 */
export function followHeaders(
  rules: FastFinalityRules,
  state: FastFinalityState,
  headers: readonly HashedHeader[],
  before: readonly HashedHeader[] = [],
): Followed {
  const found = headers
    .flatMap((header) => attestationIn(header.extraData, formOf(rules, header)) ?? [])
    .filter(({ source, target }) => target.number === source.number + 1)
    .toSorted((a, b) => b.source.number - a.source.number);
  let reason = 'no header has votes that make a block final';
  for (const attestation of found) {
    const { number } = attestation.target;
    const set = state.sets.find(({ from, to }) => from <= number && number <= to);
    const problem = set ? voteProblem(attestation, set) : 'the validators of that epoch are not proven';
    if (problem === undefined) return advance(rules, state, [...before, ...headers], attestation);
    reason = `the votes for block ${attestation.source.number} do not count: ${problem}`;
  }
  return refused(reason);
}

function voteProblem({ votes, signature, message }: Attestation, { voteKeys }: ValidatorSet) {
  const voters = voteKeys.filter((_, index) => (votes >> BigInt(index)) % 2n === 1n);
  // By number and not by stake: 14 of 21.
  if (voters.length < Math.ceil((2 * voteKeys.length) / 3))
    return `${voters.length} of ${voteKeys.length} validators voted`;
  const keys = voters.flatMap((key) => decodeKey(Buffer.from(key.slice(2), 'hex')) ?? []);
  if (keys.length < voters.length) return 'a validator without a key voted';
  const isSigned = isSignedBy(addKeys(keys), message, signature);
  return isSigned ? undefined : 'their signature is not that of the validators';
}

function advance(
  rules: FastFinalityRules,
  state: FastFinalityState,
  headers: readonly HashedHeader[],
  { source, target }: Attestation,
) {
  const final = finalHeaders(headers, source);
  const newest = state.sets.at(-1);
  const epoch = final.find(
    (header) => Number(header.number) > (newest?.epochBlock ?? 0) && formOf(rules, header).isEpochBlock,
  );
  const set = epoch && newest && setNamedIn(rules, epoch, newest.to + 1);
  // If an epoch block was skipped, nobody has proven its validators.
  const isNext = set && newest && set.epochBlock <= newest.to;
  const isNewer = source.number > state.block.number;
  const seenAt = Math.max(state.seenAt, ...final.map(({ timestamp }) => Number(timestamp)));
  return advanced({
    ...state,
    ...(isNewer && { block: source, votes: { source, target } }),
    seenAt,
    sets: isNext ? [newest, set] : state.sets,
  });
}

/** Returns the headers that lead to a final block by their parents' hashes. */
function finalHeaders(headers: readonly HashedHeader[], { hash }: BlockRef): readonly HashedHeader[] {
  const header = headers.find((one) => one.hash === hash);
  return header ? [...finalHeaders(headers, { number: 0, hash: header.parentHash }), header] : [];
}

/** @param from the first target that the validators vote for, which follows the last target of the set before */
function setNamedIn(rules: FastFinalityRules, header: HashedHeader, from: number): ValidatorSet | undefined {
  const named = namedValidators(header.extraData, formOf(rules, header));
  if (!named) return undefined;
  const epochBlock = Number(header.number);
  // The next validators take over once a majority of these has mined in turn, even if their epoch block is not final.
  const handover = (Math.floor(named.voteKeys.length / 2) + 1) * named.turnLength - 1;
  return {
    epochBlock,
    from,
    to: epochBlock + epochLengthAt(rules, header.timestamp) + handover,
    voteKeys: named.voteKeys,
  };
}
