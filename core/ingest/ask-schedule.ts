import type { Chain } from '../chains/chains.ts';
import type { ScheduledFork } from '../chains/scheduled-fork.ts';
import { systemClock } from '../clock.ts';
import type { Endpoint } from '../rpc/endpoint.ts';
import { call, type Rpc } from '../rpc/json-rpc.ts';
import { type LightClientServer, readSpec } from '../rpc/light-client-server.ts';
import { callContract, getConfig } from '../rpc/methods.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { getSchedule, saveSchedule } from '../store/chain/schedule.ts';
import type { ChainStore } from '../store/table/table.ts';
import { tryBriefly } from './freshness.ts';
import { forksOfArbos, forksOfConfig, forksOfSpec } from './scheduled-forks.ts';

/** ArbOwnerPublic, and the selector of getScheduledUpgrade(): https://github.com/OffchainLabs/nitro precompiles/ArbOwnerPublic.go. */
const UPGRADE = { to: `0x${'6b'.padStart(40, '0')}`, data: '0x81ef944c' };

/** A silent host must not delay a run. */
const LIMIT_MS = 3_000;
const DAY_MS = 86_400_000;

export interface Asked {
  readonly endpoints: readonly Endpoint[];
  readonly servers: readonly LightClientServer[];
}

/** Asks each host what is scheduled. One that lacks the method, or fails, has no answer, which counts as no fault. */
export async function askSchedule(
  { rules, finality }: Chain,
  { endpoints, servers }: Asked,
  now: number,
): Promise<{ host: string; forks: readonly Omit<ScheduledFork, 'host'>[] | undefined }[]> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const seconds = Math.floor(now / 1_000);
  const ofEndpoint = async (endpoint: Endpoint) => {
    const rpc: Rpc = (method, params, decode) => call(endpoint, method, params, decode, { signal });
    if (rules.family === 'ethereum') return forksOfConfig(await getConfig(rpc), rules.blobSchedule, seconds);
    if (rules.family !== 'arbitrum') return undefined;
    return forksOfArbos(await callContract(rpc, UPGRADE, 'latest'), rules.lastArbosVersion, seconds);
  };
  const ofServer = async (server: LightClientServer) =>
    finality?.kind === 'sync committee' && rules.family === 'ethereum'
      ? forksOfSpec(await readSpec(server, { signal }), finality.network, rules.blobSchedule, seconds)
      : undefined;
  const asking = [
    ...endpoints.map((one) => ({ host: one.host, forks: ofEndpoint(one) })),
    ...servers.map((one) => ({ host: one.host, forks: ofServer(one) })),
  ];
  return Promise.all(
    asking.map(async ({ host, forks }) => ({ host, forks: await forks.catch(() => undefined) })),
  );
}

interface Hosts {
  readonly upstreams: readonly Upstream[];
  readonly servers: readonly LightClientServer[];
}

/**
 * Asks the hosts of a chain once a day, and keeps what they say. Asks only endpoints that were found on their chain. If a host does not
 * answer, what it said before is kept until the fork begins, or the host is no longer configured.
 * @param readHosts is called only when they are asked
 * @returns the forks that are known to be scheduled; none if the table fails, since no run may depend on this
 */
export async function noteSchedule(
  chain: Chain,
  store: ChainStore,
  readHosts: () => Promise<Hosts>,
  now = Date.now(),
): Promise<readonly ScheduledFork[]> {
  const problem = 'the schedule of forks is unknown';
  return (
    (await tryBriefly(
      store,
      updateSchedule(chain, store, readHosts, now),
      problem,
      systemClock,
      2 * LIMIT_MS,
    )) ?? []
  );
}

async function updateSchedule(chain: Chain, store: ChainStore, readHosts: () => Promise<Hosts>, now: number) {
  const before = await getSchedule(store);
  if (before && now - Date.parse(before.asked_at) < DAY_MS) return before.forks;
  const { upstreams, servers } = await readHosts();
  const endpoints = upstreams.filter((one) => one.isOnItsChain).map(({ endpoint }) => endpoint);
  const answers = await askSchedule(chain, { endpoints, servers }, now);
  const answered = answers.filter(({ forks }) => forks !== undefined).map(({ host }) => host);
  const configured = [...upstreams.map(({ endpoint }) => endpoint), ...servers].map(({ host }) => host);
  const isKept = ({ host, at }: ScheduledFork) =>
    configured.includes(host) && !answered.includes(host) && Date.parse(at) > now;
  const forks = [
    ...(before?.forks ?? []).filter(isKept),
    ...answers.flatMap(({ host, forks = [] }) => forks.map((fork) => ({ ...fork, host }))),
  ];
  // A run that reached no node asks again.
  if (answers.length > 0) await saveSchedule(store, { asked_at: new Date(now).toISOString(), forks });
  return forks;
}
