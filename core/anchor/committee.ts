import * as z from 'zod/mini';
import type { BeaconNetwork, SyncCommitteeRules } from '../chains/finality-rules.ts';
import type { Committee } from '../finality/sync-committee/answers.ts';
import {
  applyUpdate,
  type Committees,
  checkpointIn,
  committeeIn,
  type LightClientState,
  startLightClient,
} from '../finality/sync-committee/light-client.ts';
import { forkAt, periodOf, slotAt, timeOfSlot } from '../finality/sync-committee/network.ts';
import { EndpointError } from '../rpc/endpoint.ts';
import { type LightClientServer, readLightClientData } from '../rpc/light-client-server.ts';
import { voteOn } from './anchor.ts';
import { countVotes } from './ballot.ts';
import type { Begun, FinalitySource, Followed, ProvenState } from './finality-source.ts';
import type { Network } from './network.ts';
import { readHeaderByHash } from './read-header.ts';

/* Follows the finality of a beacon chain through servers that need not be trusted: each of their answers is verified. */

/** The sync committees of the last state of this process by their roots, 25 KB each, for each beacon chain. The table keeps their roots alone. */
const keptCommittees = new Map<string, Committees>();

interface CommitteeSource {
  readonly beacon: BeaconNetwork;
  /** The age at which its proofs are refused. */
  readonly ages: Pick<SyncCommitteeRules, 'maxAgeHours' | 'gloas'>;
  readonly network: Network;
  readonly servers: readonly LightClientServer[];
}

/** Returns the proofs of finality of a beacon chain. */
export const committeeFinality = (source: CommitteeSource): FinalitySource => ({
  maxAgeHours: (now) => {
    const { beacon, ages } = source;
    const isGloas = forkAt(beacon, slotAt(beacon, now / 1_000))?.name === 'gloas';
    return isGloas ? ages.gloas.maxAgeHours : ages.maxAgeHours;
  },
  resume: (stored) => (stored?.kind === 'sync committee' ? proven(source, stored) : undefined),
  begin: (checkpoint) => begin(source, checkpoint),
});

const proven = (source: CommitteeSource, state: LightClientState): ProvenState => ({
  toStore: state,
  provenAt: timeOfSlot(source.beacon, state.slot),
  proof: { kind: state.kind, slot: state.slot, root: state.root },
  follow: () => follow(source, state),
});

const NO_SERVER =
  'No light-client server is configured. Name some in beacon.urls (locally BEACON_URLS), or set finality to reported to believe hosts';

/** The final block is two to three epochs old. A server that knows none newer than this may be stuck, so others are asked: 20 minutes on Ethereum. */
const MAX_USUAL_EPOCHS = 3.125;

/** Asks one server after another for a newer final block. */
async function follow(source: CommitteeSource, begun: LightClientState): Promise<Followed> {
  const { beacon, network, servers } = source;
  const reasons: string[] = servers.length === 0 ? [NO_SERVER] : [];
  const following = { ...source, committees: new Map(keptCommittees.get(beacon.genesisValidatorsRoot)) };
  const maxUsualAge = MAX_USUAL_EPOCHS * beacon.slotsPerEpoch * beacon.secondsPerSlot;
  let state = begun;
  let isProven = false;
  for (const server of servers) {
    const followed = await followServer(following, server, state);
    ({ state } = followed);
    const age = network.context.clock.now() / 1_000 - timeOfSlot(beacon, state.slot);
    if (followed.reason !== undefined) reasons.push(followed.reason);
    else isProven = true;
    if (followed.reason === undefined && age <= maxUsualAge) break;
  }
  const needed = new Set([state.committee, state.nextCommittee]);
  const kept = [...following.committees].filter(([root]) => needed.has(root));
  keptCommittees.set(beacon.genesisValidatorsRoot, new Map(kept));
  const numbered = await withNumber(network, state);
  return { state: proven(source, numbered), reasons: isProven ? undefined : reasons };
}

/** Periods that one request asks for, of the 128 that servers allow. */
const MAX_UPDATES = 8;
/** Requests for updates to one server. Each reads up to 8 periods, so together they cover more than the age that a state may have. */
const MAX_ROUNDS = 4;
const answersSchema = z.array(z.unknown()).check(z.maxLength(MAX_UPDATES));

interface Following extends CommitteeSource {
  readonly committees: Map<string, Committee>;
}

async function followServer(
  following: Following,
  server: LightClientServer,
  begun: LightClientState,
): Promise<{ readonly state: LightClientState; readonly reason?: string }> {
  const { beacon, network, committees } = following;
  const { context } = network;
  let state = begun;
  const failed = (reason: string) => ({ state, reason: `${server.host}: ${reason}` });
  const now = slotAt(beacon, context.clock.now() / 1_000);
  try {
    const answer = await readLightClientData(server, 'finality_update', context);
    // However it answers, a server may not keep the others from being asked.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = applyUpdate(beacon, state, committees, answer, now);
      if (result.kind === 'known') return { state };
      if (result.kind === 'advanced') return { state: result.state };
      if (result.kind === 'refused') return failed(`its finality update is refused: ${result.reason}`);
      const [before, known] = [state, committees.size];
      state = await learnCommittees(following, server, state, now);
      if (state === before && committees.size === known)
        return failed(`its updates lack the sync committee of period ${periodOf(beacon, state.slot)}`);
    }
    return failed(`${MAX_ROUNDS} requests for updates led to no final block`);
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    context.onFault(server.host, error.kind, error.message);
    return { state, reason: error.message };
  }
}

/** Reads the committees of a state, each of which must match its root, and moves the state on to later periods. */
async function learnCommittees(
  following: Following,
  server: LightClientServer,
  begun: LightClientState,
  now: number,
): Promise<LightClientState> {
  const { beacon, network, committees } = following;
  await learnFromBootstrap(following, server, begun);
  // The update of a period brings the committee of the next one. A young node has none of the period before the state.
  const period = periodOf(beacon, begun.slot);
  const missing = [begun.committee, begun.nextCommittee ?? ''].findIndex((root) => !committees.has(root));
  const from = period + (missing < 0 ? 1 : missing - 1);
  // Leaves out the update of the current period, because Lodestar refuses the whole range while that does not exist.
  const count = Math.max(1, Math.min(MAX_UPDATES, periodOf(beacon, now) - from));
  const path = `updates?start_period=${from}&count=${count}`;
  const { data: answers = [] } = answersSchema.safeParse(
    await readLightClientData(server, path, network.context),
  );
  let state = begun;
  for (const answer of answers) {
    const next = committeeIn(answer);
    const isNeeded = next && (next.root === state.committee || next.root === state.nextCommittee);
    if (isNeeded) committees.set(next.root, next.committee);
    const result = applyUpdate(beacon, state, committees, answer, now);
    if (result.kind !== 'advanced') continue;
    state = result.state;
    if (next && next.root === state.nextCommittee) committees.set(next.root, next.committee);
  }
  return state;
}

/** Reads the committee of a state that another process saved, from the bootstrap of its block. */
async function learnFromBootstrap(following: Following, server: LightClientServer, state: LightClientState) {
  const { beacon, network, committees } = following;
  const { root, committee } = state;
  if (committees.has(committee)) return;
  try {
    const answer = await readLightClientData(server, `bootstrap/${root}`, network.context);
    const result = startLightClient(beacon, root, answer);
    const isRight = result.kind === 'advanced' && result.state.committee === committee;
    if (isRight && result.learned) committees.set(committee, result.learned);
  } catch (error) {
    // Servers keep few of them. The updates bring the committee too.
    if (!(error instanceof EndpointError)) throw error;
  }
}

/**
 * Begins with a checkpoint.
 * @param checkpoint root of a beacon block; without it, that on which servers of two providers agree
 */
async function begin(source: CommitteeSource, checkpoint: string | undefined): Promise<Begun> {
  const { beacon, network, servers } = source;
  if (servers.length === 0) return notBegun(NO_SERVER, []);
  const reasons: string[] = [];
  const read = async (server: LightClientServer, path: string) => {
    try {
      return await readLightClientData(server, path, network.context);
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      reasons.push(error.message);
      return undefined;
    }
  };
  const root = checkpoint ?? (await agreedCheckpoint(servers, (server) => read(server, 'finality_update')));
  if (root === undefined)
    return notBegun(
      'Servers of two providers must agree on a checkpoint, or the settings must name one',
      reasons,
    );
  for (const server of servers) {
    const answer = await read(server, `bootstrap/${root}`);
    const result = answer === undefined ? undefined : startLightClient(beacon, root, answer);
    if (result?.kind === 'refused')
      reasons.push(`${server.host}: its bootstrap is refused: ${result.reason}`);
    if (result?.kind !== 'advanced') continue;
    if (result.learned)
      keptCommittees.set(beacon.genesisValidatorsRoot, new Map([[result.state.committee, result.learned]]));
    const problem = checkpoint === undefined ? await hostProblem(network, result.state) : undefined;
    if (problem !== undefined) return notBegun(problem, []);
    return { kind: 'begun', state: proven(source, result.state), checkpoint: root };
  }
  return notBegun(`No server gave the bootstrap of ${root}`, reasons);
}

const notBegun = (reason: string, reasons: readonly string[]) =>
  ({ kind: 'not begun', reason: [reason, ...reasons].join('. ') }) as const;

async function agreedCheckpoint(
  servers: readonly LightClientServer[],
  read: (server: LightClientServer) => Promise<unknown>,
): Promise<string | undefined> {
  const polls = servers.map(async (server) => {
    return { host: { name: server.provider }, root: checkpointIn(await read(server)) };
  });
  const votes = await Promise.all(polls);
  const isAgreed = (root: string) => countVotes(votes, 2, (vote) => vote.root === root).hasQuorum;
  return votes.find(({ root }) => root !== undefined && isAgreed(root))?.root;
}

/** Returns why a checkpoint on which servers agree does not count. The hosts, who are others, must have its block too. */
async function hostProblem(network: Network, state: LightClientState): Promise<string | undefined> {
  const { hash, number } = (await withNumber(network, state)).block;
  if (number === undefined) return 'No endpoint has the agreed checkpoint';
  const vote = await voteOn(network, { number, hash });
  if (vote.kind === 'supported') return undefined;
  return `The hosts do not support the agreed checkpoint: ${vote.reason}`;
}

/** Adds the number of the block, which the beacon chain does not name since Gloas. */
async function withNumber(network: Network, state: LightClientState): Promise<LightClientState> {
  const { hash, number } = state.block;
  const read = number === undefined ? await readHeaderByHash(network, hash) : undefined;
  return read?.kind === 'fetched' ? { ...state, block: { hash, number: read.value.number } } : state;
}
