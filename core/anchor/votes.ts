import type { FastFinalityRules } from '../chains/finality-rules.ts';
import {
  epochBlockAfter,
  epochLengthAt,
  type FastFinalityState,
  followHeaders,
  formOf,
  type HashedHeader,
  startFastFinality,
  type ValidatorSet,
} from '../finality/fast-finality/bep126.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import { type Attempt, type Fetched, fetched, noEndpoint, requestWithFailover } from '../rpc/failover.ts';
import { findBlockHeader, getBlockHeader, getBlockHeaderByHash } from '../rpc/methods.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { voteOn } from './anchor.ts';
import type { Begun, FinalitySource, Followed, ProvenState } from './finality-source.ts';
import { type Network, upstreamsFor } from './network.ts';
import { hashedHeader } from './read-header.ts';

/* Follows BSC's finality by the votes in its headers. Each header is proven by its hash, and each vote by its signature. */

interface VoteSource {
  readonly rules: FastFinalityRules;
  readonly network: Network;
}

/** Returns the proofs of finality in BSC's headers. */
export const voteFinality = (source: VoteSource): FinalitySource => ({
  maxAgeHours: () => 7 * 24,
  resume: (stored) => (stored?.kind === 'fast finality' ? proven(source, stored) : undefined),
  begin: (checkpoint) => begin(source, checkpoint),
});

const proven = (source: VoteSource, state: FastFinalityState): ProvenState => ({
  toStore: state,
  provenAt: state.seenAt,
  proof: state.votes && { kind: state.kind, ...state.votes },
  follow: (save) => follow({ ...source, save }, state),
});

interface Following extends VoteSource {
  /** Saves the state, since many epochs take more than one run. */
  readonly save: (state: FastFinalityState) => Promise<void>;
}

/**
 * Headers to read around a final block. The second block after it contains the votes that make it final, but often does not exist yet,
 * because nodes count votes before a block contains them. Then the headers before that one prove that the previous block is final.
 */
const TIP = 4;
/** Headers from an epoch block on: some blocks have no votes. */
const EPOCH = 6;
/** After this many blocks without votes, the search for votes ends. */
const MAX_SILENT = 200;
/** Seconds. Blocks are final within a few. A host whose final block is older may be stuck, so the next one is asked too. */
const RECENT = 300;
/** Epochs after which the state is saved: two hours of blocks. */
const SAVE_EVERY = 16;

/** Asks one endpoint after another, that with the newest final block first, for the epochs since the state and the votes at the tip. */
async function follow(source: Following, begun: FastFinalityState): Promise<Followed> {
  const reasons: string[] = [];
  let state = begun;
  let isProven = false;
  const hosts = source.network.hosts.toSorted((a, b) => (b.head?.number ?? 0) - (a.head?.number ?? 0));
  for (const { head, upstreams } of hosts) {
    if (!head) continue;
    for (const upstream of upstreams) {
      const epochs = await followEpochs(source, upstream, state, head.number);
      const tip = epochs.reasons ? epochs : await followTip(source, upstream, epochs.state, head.number);
      ({ state } = tip);
      isProven ||= !tip.reasons;
      const isRecent = source.network.context.clock.now() / 1_000 - head.timestamp <= RECENT;
      if (!tip.reasons && isRecent) return { state: proven(source, state) };
      reasons.push(...(tip.reasons ?? []).map((reason) => `${upstream.endpoint.host}: ${reason}`));
    }
  }
  return { state: proven(source, state), reasons: isProven ? undefined : reasons };
}

/** Takes over the validators of each epoch up to a final block. */
async function followEpochs(
  source: Following,
  upstream: Upstream,
  begun: FastFinalityState,
  head: number,
): Promise<Followed<FastFinalityState>> {
  let state = begun;
  for (let count = 1; ; count++) {
    const newest = state.sets.at(-1);
    const next = epochBlockAfter(source.rules, newest?.epochBlock ?? 0, state.seenAt);
    // Waits until all headers that it would read exist. The current validators vote for longer than that.
    if (!newest || next + EPOCH > head + 2) return { state };
    const found = await followEpoch(source, upstream, state, next, newest);
    if (found.reasons) return found;
    ({ state } = found);
    if (count % SAVE_EVERY === 0) await source.save(state);
  }
}

/** Reads headers from an epoch block on, until votes make it final. */
async function followEpoch(
  { rules, network }: VoteSource,
  upstream: Upstream,
  state: FastFinalityState,
  epochBlock: number,
  newest: ValidatorSet,
): Promise<Followed<FastFinalityState>> {
  let headers: readonly HashedHeader[] = [];
  let reason = '';
  for (let first = epochBlock; first <= newest.to; first += EPOCH) {
    const read = await readHeaders(network, upstream, first, EPOCH);
    if (read.kind === 'no endpoint') return { state, reasons: read.reasons };
    const [header] = read.value;
    if (header && headers.length === 0 && !formOf(rules, header).isEpochBlock) {
      // Epochs have become longer since.
      first = epochBlockAfter(rules, newest.epochBlock, header.timestamp) - EPOCH;
      continue;
    }
    const result = followHeaders(rules, state, read.value, headers);
    headers = [...headers, ...read.value];
    if (result.kind === 'refused') reason = result.reason;
    else if (result.state.sets.at(-1) !== newest) return { state: result.state };
  }
  // From there on, the next validators vote.
  const missed = `no votes up to block ${newest.to} prove the validators of the epoch of block ${epochBlock}. Configure a newer checkpoint`;
  return { state, reasons: [reason, missed] };
}

/** Finds the newest votes that make a block final. */
async function followTip(source: VoteSource, upstream: Upstream, state: FastFinalityState, head: number) {
  const { rules, network } = source;
  let reason = '';
  for (let last = head + 2; last > head - MAX_SILENT; last -= TIP) {
    const read = await readHeaders(network, upstream, last - TIP + 1, TIP, head);
    if (read.kind === 'no endpoint') return { state, reasons: read.reasons };
    const result = followHeaders(rules, state, read.value);
    if (result.kind === 'advanced') return { state: result.state };
    ({ reason } = result);
  }
  return { state, reasons: [reason] };
}

/** Reads headers of consecutive blocks. Those after `head` are left out where the endpoint does not have them yet. */
const readHeaders = (
  { context, chain }: Network,
  upstream: Upstream,
  first: number,
  count: number,
  head = Number.POSITIVE_INFINITY,
): Promise<Fetched<readonly HashedHeader[]>> => {
  const numbers = Array.from({ length: count }, (_, index) => first + index).filter((number) => number >= 0);
  const what = `headers ${first} to ${first + count - 1} of ${chain.name}`;
  return requestWithFailover(context, [upstream], what, async (rpc) => {
    const read = (number: number) =>
      number > head ? findBlockHeader(rpc, number) : getBlockHeader(rpc, number);
    const answers = await Promise.all(numbers.map(read));
    const asked = numbers.filter((_, index) => answers[index] !== null);
    const given = answers.filter((answer) => answer !== null);
    return hashedHeaders(what, given, (header, index) => Number(header.number) === asked[index]);
  });
};

function hashedHeaders(
  what: string,
  answers: readonly unknown[],
  isAsked: (header: HashedHeader, index: number) => boolean,
): Attempt<readonly HashedHeader[]> {
  try {
    const headers = answers.map((answer) => hashedHeader(answer));
    if (headers.every(isAsked)) return { value: headers };
    return { refused: `${what}: the node answered with another block` };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: `${what}: ${error.field}: ${error.message}`, fault: 'not proven' };
  }
}

/** Begins with the epoch block whose hash is the checkpoint; without that, with one that hosts of two providers report. */
async function begin(source: VoteSource, checkpoint: string | undefined): Promise<Begun> {
  const { rules, network } = source;
  const header =
    checkpoint === undefined ? await agreedEpochBlock(rules, network) : await readByHash(network, checkpoint);
  if (header.kind === 'no endpoint') return { kind: 'not begun', reason: header.reason };
  const result = startFastFinality(rules, header.value);
  if (result.kind === 'refused') return { kind: 'not begun', reason: result.reason };
  const { state } = result;
  return { kind: 'begun', state: proven(source, state), checkpoint: checkpoint ?? state.block.hash };
}

const readByHash = (network: Network, hash: string): Promise<Fetched<HashedHeader>> => {
  const what = `block ${hash} of ${network.chain.name}`;
  return requestWithFailover(network.context, upstreamsFor(network), what, async (rpc) => {
    const answer = await getBlockHeaderByHash(rpc, hash);
    const headers = hashedHeaders(what, [answer], (header) => header.hash === hash);
    return 'refused' in headers ? headers : { value: headers.value[0] as HashedHeader };
  });
};

/** Reads the newest epoch block that has long been final, if hosts of two providers report it. */
async function agreedEpochBlock(rules: FastFinalityRules, network: Network): Promise<Fetched<HashedHeader>> {
  const heads = network.hosts.flatMap(({ head }) => head ?? []).toSorted((a, b) => b.number - a.number);
  // Two hosts have it, and one that is stuck cannot hold the start back.
  const [, head] = heads;
  const what = `a checkpoint of ${network.chain.name}`;
  const disagreed = (reasons: readonly string[]) =>
    noEndpoint(what, ['Hosts of two providers must agree on it, or the settings must name one', ...reasons]);
  if (!head) return disagreed([]);
  const length = epochLengthAt(rules, head.timestamp);
  const number = Math.floor((head.number - rules.certainAfter) / length) * length;
  const reasons: string[] = [];
  for (const upstream of upstreamsFor(network)) {
    const read = await readHeaders(network, upstream, number, 1);
    if (read.kind === 'no endpoint') reasons.push(...read.reasons);
    const header = read.kind === 'fetched' ? read.value[0] : undefined;
    if (!header) continue;
    const vote = await voteOn({ ...network, quorum: 2 }, { number, hash: header.hash });
    if (vote.kind === 'supported') return fetched(header);
    reasons.push(vote.reason);
  }
  return disagreed(reasons);
}
