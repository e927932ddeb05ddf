import type { Chain } from '../chains/chains.ts';
import { type NoEndpoint, noEndpoint } from '../rpc/failover.ts';
import { type LightClientServer, lightClientServers } from '../rpc/light-client-server.ts';
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
import type { FinalBlock } from './anchor.ts';
import { committeeFinality } from './committee.ts';
import type { FinalitySource, ProvenState } from './finality-source.ts';
import type { Network } from './network.ts';
import { voteFinality } from './votes.ts';

/* Decides which proven block of a chain counts: the newest one, the last known one for a while if no newer is proven, or none. */

/** The sources in which a scheduled run looks for a newer proven block. */
export interface FinalitySettings {
  /** Servers of the light-client protocol of beacon chains; empty for chains without one. */
  readonly servers: readonly LightClientServer[];
  /** Root of a beacon block, or hash of an epoch block of BSC, that is known to be final. */
  readonly checkpoint: string | undefined;
}

/** @param isPublic whether the chain is read from public nodes, so that public servers serve too */
export const finalitySourcesOf = (
  chain: Chain,
  { beacon, checkpoint }: Pick<ChainSettings, 'beacon' | 'checkpoint'>,
  isPublic: boolean,
): FinalitySettings => ({ servers: lightClientServers(chain, beacon?.urls, isPublic), checkpoint });

/** Returns the proofs of finality of a chain, if it has any. */
export function finalitySourceOf(network: Network, settings?: FinalitySettings): FinalitySource | undefined {
  const { finality } = network.chain;
  if (finality?.kind === 'sync committee')
    return committeeFinality({
      beacon: finality.network,
      ages: finality,
      network,
      servers: settings?.servers ?? [],
    });
  return finality && voteFinality({ rules: finality.rules, network });
}

/** After this time without a newer proven block, the hosts are believed again, unless the stage requires proof. */
const MAX_WAIT_MS = 24 * 3_600_000;

const HOUR_SECONDS = 3_600;
/** A quarter of an hour, by which clocks may differ. */
const MAX_AHEAD_HOURS = 0.25;

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
  const finality = finalitySourceOf(network, settings);
  if (!finality) return undefined;
  const now = network.context.clock.now();
  const newest = await newestState(finality, store, settings, now);
  const { state } = newest;
  const provenAt = state && state.provenAt * 1_000;
  const reason = newest.reason ?? stallOf(provenAt, now);
  if (settings && reason === undefined) await settleFinality(store);
  // A server that repeats what is known proves nothing: the hour counts from the newest block that is proven.
  if (settings && reason !== undefined)
    await saveConflict(store, { about: 'finality', reason, since: Math.min(now, provenAt ?? now) });
  const isRecent = provenAt !== undefined && now - provenAt < MAX_WAIT_MS;
  const isCounted = reason === undefined || isRecent || network.isProofRequired;
  const proven = state && isCounted ? blockOf(state) : undefined;
  if (proven || !network.isProofRequired) return proven;
  const what = `a proof of which block of ${network.chain.name} is final`;
  return noEndpoint(what, reason === undefined ? [] : [reason]);
}

/** A chain finalizes a block every few minutes. When the newest that is proven is older, sources stall, or the chain does. */
const MAX_PROOF_AGE_MS = 3_600_000;

function stallOf(provenAt: number | undefined, now: number): string | undefined {
  const age = provenAt === undefined ? 0 : now - provenAt;
  if (age <= MAX_PROOF_AGE_MS) return undefined;
  return `The newest block that is proven to be final is ${Math.floor(age / 60_000)} minutes old, and no source proves a newer one`;
}

/** The newest state, with the reason why this run proved no newer block. */
type Newest = { readonly state?: ProvenState | undefined; readonly reason?: string | undefined };

/** Continues or begins the state of a chain, and saves it. */
async function newestState(
  finality: FinalitySource,
  store: ChainStore,
  settings: FinalitySettings | undefined,
  now: number,
): Promise<Newest> {
  const stored = await getFinality(store);
  const known = finality.resume(stored.state);
  if (!settings) return { state: known, reason: 'Only scheduled runs prove which block is final' };
  const begun = await beginState(finality, store, settings.checkpoint, stored, now);
  if ('reason' in begun) return begun;
  const first = finality.resume(begun.state);
  if (!first) return { reason: 'Another run deleted what was proven' };
  // After another run saved, this one saves no more: its state may be older, or begin elsewhere.
  let current: StoredFinality | undefined = begun;
  const save = async (state: FinalityState) => {
    if (current && state !== current.state)
      current = await saveFinality(store, current, begun.checkpoint ?? '', state);
  };
  const { state, reasons } = await first.follow(save);
  await save(state.toStore);
  if (state.toStore.block.number === undefined)
    return { state: known, reason: 'No endpoint has the proven block' };
  return { state, reason: reasons?.join('. ') };
}

/**
 * Returns the stored state; or one that begins with a checkpoint, where the stored one is too old or another is configured.
 * @returns why no state continues, with the stored one if it still counts
 */
async function beginState(
  finality: FinalitySource,
  store: ChainStore,
  checkpoint: string | undefined,
  stored: StoredFinality,
  now: number,
): Promise<StoredFinality | Required<Newest>> {
  const known = finality.resume(stored.state);
  const isConfigured = checkpoint === undefined || checkpoint === stored.checkpoint;
  if (isConfigured && known && !ageProblem(finality, known, now)) return stored;
  const begun = await finality.begin(checkpoint);
  const reason = begun.kind === 'begun' ? ageProblem(finality, begun.state, now) : begun.reason;
  if (reason === undefined && begun.kind === 'begun')
    return (await saveFinality(store, stored, begun.checkpoint, begun.state.toStore)) ?? getFinality(store);
  if (isConfigured) return { state: known, reason };
  // Someone configured another checkpoint, perhaps because the one before was wrong: nothing that follows from that counts any more.
  await deleteFinality(store, stored);
  return { state: undefined, reason: `The configured checkpoint is not in use. ${reason}` };
}

/**
 * Returns why a state is too old to continue, or cannot be true.
 * @param now milliseconds since 1970
 */
export function ageProblem(finality: FinalitySource, state: ProvenState, now: number): string | undefined {
  const hours = (now / 1_000 - state.provenAt) / HOUR_SECONDS;
  if (hours < -MAX_AHEAD_HOURS) return 'The checkpoint is of the future. Configure another one';
  const max = finality.maxAgeHours(now);
  if (hours <= max) return undefined;
  const [unit, length] = max < 48 ? ['hours', 1] : ['days', 24];
  return `The checkpoint is ${Math.floor(hours / length)} ${unit} old, and only ${max / length} are safe. Configure a newer one`;
}

/** Returns the block of a state with its proof; undefined when a start has none yet. */
function blockOf({ toStore, proof }: ProvenState): FinalBlock | undefined {
  const { hash, number } = toStore.block;
  return proof && number !== undefined ? { kind: 'proven', hash, number, proof } : undefined;
}
