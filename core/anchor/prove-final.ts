import type { Chain } from '../chains/chains.ts';
import type { FinalityRules } from '../chains/finality-rules.ts';
import type { FinalityProof } from '../figures/block.ts';
import { forkAt, slotAt, timeOfSlot } from '../finality/sync-committee/network.ts';
import { type NoEndpoint, noEndpoint } from '../rpc/failover.ts';
import { lightClientServers } from '../rpc/light-client-server.ts';
import type { ChainSettings } from '../settings/chain-settings.ts';
import { saveConflict, settleFinality } from '../store/chain/conflicts.ts';
import {
  deleteFinality,
  type FinalityState,
  getFinality,
  type StoredFinality,
  saveFinality,
} from '../store/chain/finality-state.ts';
import type { ChainStore } from '../store/table/table.ts';
import { type FinalBlock, voteOn } from './anchor.ts';
import { beginCommittee, followCommittee } from './committee.ts';
import type { Begun, Followed, Network } from './network.ts';
import { readHeaderByHash } from './read-header.ts';
import { beginVotes, followVotes } from './votes.ts';

/* Decides which proven block of a chain counts: the newest one, the last known one for a while if no newer is proven, or none. */

/** The sources in which a scheduled run looks for a newer proven block. */
export type FinalitySettings = ReturnType<typeof finalitySourcesOf>;

/** @param isPublic whether the chain is read from public nodes, so that public servers serve too */
export const finalitySourcesOf = (
  chain: Chain,
  { beacon, checkpoint }: Pick<ChainSettings, 'beacon' | 'checkpoint'>,
  isPublic: boolean,
) => ({
  // Servers of Ethereum's light-client protocol; empty for other chains.
  servers: lightClientServers(chain, beacon?.urls, isPublic),
  // Root of a beacon block of Ethereum, or hash of an epoch block of BSC, that is known to be final.
  checkpoint,
});

/** After this time without a newer proven block, the hosts are believed again, unless the stage requires proof. */
const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Days after which a state or a checkpoint is refused: those who validated then may have left, and may sign what they like. On Ethereum most
 * of them can have left after 15.7 days, and after about 7 since Gloas: https://eips.ethereum.org/EIPS/eip-8061.
 */
function maxAgeDays(finality: FinalityRules, now: number): number {
  if (finality.kind === 'fast finality') return 7;
  const { network } = finality;
  return forkAt(network, slotAt(network, now / 1_000))?.name === 'gloas' ? 6 : 14;
}

const DAY_SECONDS = 86_400;
/** A quarter of an hour, by which clocks may differ. */
const MAX_AHEAD_DAYS = 1 / 96;

/**
 * Returns the newest block that the chain proves to be final.
 * @param settings absent in commands and backfills, which rely on what scheduled runs have proven
 * @returns undefined when hosts are to be believed
 */
export async function proveFinal(
  network: Network,
  store: ChainStore,
  settings: FinalitySettings | undefined,
): Promise<FinalBlock | NoEndpoint | undefined> {
  const { finality, name } = network.chain;
  if (!finality) return undefined;
  const now = network.context.clock.now();
  const newest = await newestState(finality, network, store, settings);
  const { state } = newest;
  const provenAt = state && timeOf(finality, state) * 1_000;
  const reason = newest.reason ?? stallOf(provenAt, now);
  if (settings && reason === undefined) await settleFinality(store);
  // A server that repeats what is known proves nothing: the hour counts from the newest block that is proven.
  if (settings && reason !== undefined)
    await saveConflict(store, { about: 'finality', reason, since: Math.min(now, provenAt ?? now) });
  const isRecent = provenAt !== undefined && now - provenAt < MAX_WAIT_MS;
  const isCounted = reason === undefined || isRecent || network.isProofRequired;
  const proven = state && isCounted ? blockOf(state) : undefined;
  if (proven || !network.isProofRequired) return proven;
  return noEndpoint(`a proof of which block of ${name} is final`, reason === undefined ? [] : [reason]);
}

/** A chain finalizes a block every few minutes. When the newest that is proven is older, sources stall, or the chain does. */
const MAX_PROOF_AGE_MS = 3_600_000;

function stallOf(provenAt: number | undefined, now: number): string | undefined {
  const age = provenAt === undefined ? 0 : now - provenAt;
  if (age <= MAX_PROOF_AGE_MS) return undefined;
  return `The newest block that is proven to be final is ${Math.floor(age / 60_000)} minutes old, and no source proves a newer one`;
}

/** The newest state, with the reason why this run proved no newer block. */
type Newest = Pick<StoredFinality, 'state'> & { readonly reason?: string | undefined };

/** Continues or begins the state of a chain, and saves it. Returns it with the reason why this run proved no newer block. */
async function newestState(
  finality: FinalityRules,
  network: Network,
  store: ChainStore,
  settings: FinalitySettings | undefined,
): Promise<Newest> {
  const stored = await getFinality(store);
  if (!settings) return { state: stored.state, reason: 'Only scheduled runs prove which block is final' };
  const begun = await beginState(finality, network, store, settings, stored);
  if ('reason' in begun) return begun;
  if (!begun.state) return { reason: 'Another run deleted what was proven' };
  // After another run saved, this one saves no more: its state may be older, or begin elsewhere.
  let current: StoredFinality | undefined = begun;
  const save = async (state: FinalityState) => {
    if (current && state !== current.state)
      current = await saveFinality(store, current, begun.checkpoint ?? '', state);
  };
  const { state, reasons } = await followState(finality, network, settings, begun.state, save);
  const numbered = await withNumber(network, state);
  await save(numbered);
  if (numbered.block.number === undefined)
    return { state: stored.state, reason: 'No endpoint has the proven block' };
  return { state: numbered, reason: reasons?.join('. ') };
}

/**
 * Returns the stored state; or one that begins with a checkpoint, where the stored one is too old or another is configured.
 * @returns why no state continues, with the stored one if it still counts
 */
async function beginState(
  finality: FinalityRules,
  network: Network,
  store: ChainStore,
  settings: FinalitySettings,
  stored: StoredFinality,
): Promise<StoredFinality | Required<Newest>> {
  const { checkpoint } = settings;
  const now = network.context.clock.now();
  const isConfigured = checkpoint === undefined || checkpoint === stored.checkpoint;
  if (isConfigured && stored.state && !ageProblem(finality, stored.state, now)) return stored;
  const begun = await beginFinality(finality, network, settings);
  const reason = begun.kind === 'begun' ? ageProblem(finality, begun.state, now) : begun.reason;
  if (reason === undefined && begun.kind === 'begun')
    return (await saveFinality(store, stored, begun.checkpoint, begun.state)) ?? getFinality(store);
  if (isConfigured) return { state: stored.state, reason };
  // Someone configured another checkpoint, perhaps because the one before was wrong: nothing that follows from that counts any more.
  await deleteFinality(store, stored);
  return { state: undefined, reason: `The configured checkpoint is not in use. ${reason}` };
}

/** Begins a new state with the configured checkpoint, or with one on which independent sources agree. */
export async function beginFinality(
  finality: FinalityRules,
  network: Network,
  { servers, checkpoint }: FinalitySettings,
): Promise<Begun<FinalityState>> {
  if (finality.kind === 'fast finality') return beginVotes({ rules: finality.rules, network }, checkpoint);
  const begun = await beginCommittee(
    { network: finality.network, servers, context: network.context },
    checkpoint,
  );
  if (begun.kind !== 'begun' || checkpoint !== undefined) return begun;
  // Two servers agree, but the hosts, who are others, must have that block too.
  const { block } = await withNumber(network, begun.state);
  if (block.number === undefined)
    return { kind: 'not begun', reason: 'No endpoint has the agreed checkpoint' };
  const vote = await voteOn(network, { number: block.number, hash: block.hash });
  if (vote.kind === 'supported') return begun;
  return { kind: 'not begun', reason: `The hosts do not support the agreed checkpoint: ${vote.reason}` };
}

/**
 * Returns why a state is too old to continue, or cannot be true.
 * @param now milliseconds since 1970
 */
export function ageProblem(finality: FinalityRules, state: FinalityState, now: number): string | undefined {
  const days = (now / 1_000 - timeOf(finality, state)) / DAY_SECONDS;
  if (days < -MAX_AHEAD_DAYS) return 'The checkpoint is of the future. Configure another one';
  const max = maxAgeDays(finality, now);
  if (days <= max) return undefined;
  return `The checkpoint is ${Math.floor(days)} days old, and only ${max} are safe. Configure a newer one`;
}

async function followState(
  finality: FinalityRules,
  network: Network,
  { servers }: FinalitySettings,
  state: FinalityState,
  save: (state: FinalityState) => Promise<void>,
): Promise<Followed<FinalityState>> {
  if (finality.kind === 'sync committee' && state.kind === finality.kind)
    return followCommittee({ network: finality.network, servers, context: network.context }, state);
  if (finality.kind === 'fast finality' && state.kind === finality.kind)
    return followVotes({ rules: finality.rules, network, save }, state);
  throw new Error(
    `${network.chain.name} has a state of ${state.kind}, but its rules are those of ${finality.kind}`,
  );
}

/** Returns the time of the newest proven block, in seconds since 1970. */
export const timeOf = (finality: FinalityRules, state: FinalityState): number => {
  if (state.kind === 'fast finality') return state.seenAt;
  return finality.kind === 'sync committee' ? timeOfSlot(finality.network, state.slot) : 0;
};

/** Adds the number of the block, which the beacon chain does not name since Gloas. */
async function withNumber(network: Network, state: FinalityState): Promise<FinalityState> {
  if (state.kind === 'fast finality' || state.block.number !== undefined) return state;
  const read = await readHeaderByHash(network, state.block.hash);
  if (read.kind === 'no endpoint') return state;
  return { ...state, block: { hash: state.block.hash, number: read.value.number } };
}

/** Returns the block of a state with its proof; undefined when a start has none yet. */
function blockOf(state: FinalityState): FinalBlock | undefined {
  const { hash, number } = state.block;
  const proof: FinalityProof | undefined =
    state.kind === 'sync committee'
      ? { kind: state.kind, slot: state.slot, root: state.root }
      : state.votes && { kind: state.kind, ...state.votes };
  return proof && number !== undefined ? { kind: 'proven', hash, number, proof } : undefined;
}
