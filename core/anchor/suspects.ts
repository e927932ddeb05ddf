import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { RequestContext } from '../rpc/deadline.ts';
import { askedLater } from '../rpc/health.ts';
import { RPC_TIMEOUT_MS } from '../rpc/http/http-request.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { deleteSuspect, listSuspects, saveSuspect } from '../store/chain/suspects.ts';
import type { ChainStore } from '../store/table/table.ts';
import type { Network } from './network.ts';

/*
 * A provider is asked last for 24 hours after an endpoint gave a block that is not canonical, or crashed a run: while a run decodes a big
 * response, an item in the table names its endpoint, so an item that is left over names a suspect. Other processes find the items too.
 */

/** No call takes that long, so an older item comes from a process that crashed. */
const MIN_AGE_MS = 2 * RPC_TIMEOUT_MS;
const MAX_AGE_MS = 24 * 3_600_000;

/** Identifies this process, which reads one big response at a time. */
const PROCESS = randomUUID();
/** Stored instead of a process when an endpoint gave a wrong block. */
const NOT_CANONICAL = 'not canonical';

/** Finds the suspects of the last 24 hours among endpoints, to be asked last until then. Deletes older items. */
export async function findSuspects(store: ChainStore, clock: Clock, upstreams: readonly Upstream[]) {
  const hosts = new Set<string>();
  for (const suspect of await listSuspects(store)) {
    const age = clock.now() - suspect.since;
    if (age > MAX_AGE_MS) await deleteSuspect(store, suspect);
    const isUnderWay = age <= MIN_AGE_MS && suspect.process !== NOT_CANONICAL;
    if (isUnderWay || age > MAX_AGE_MS) continue;
    hosts.add(suspect.host);
    askLast(upstreams, suspect.host, suspect.since + MAX_AGE_MS);
  }
  return hosts;
}

/** Returns all endpoints of a host's provider, because one node may answer behind all of them. */
function providedBy(host: string, upstreams: readonly Upstream[]): readonly Upstream[] {
  const provider = upstreams.find(({ endpoint }) => endpoint.host === host)?.endpoint.provider;
  return upstreams.filter(({ endpoint }) => endpoint.provider === provider);
}

function askLast(upstreams: readonly Upstream[], host: string, until: number): void {
  for (const one of providedBy(host, upstreams))
    one.health = { ...one.health, lastUntil: Math.max(one.health.lastUntil, until) };
}

/** Asks the provider of a host later than others for ten minutes, and in this process alone. */
export function askLater({ voters, context: { clock } }: Network, host: string): void {
  for (const { upstreams } of voters)
    for (const one of providedBy(host, upstreams)) one.health = askedLater(one.health, clock.now());
}

/** Asks the provider of a host last for 24 hours, because the host gave a block that is not canonical. The reason begins with the host. */
export async function suspect(network: Network, store: ChainStore, host: string, reason: string) {
  const { voters, context } = network;
  const since = context.clock.now();
  for (const { upstreams } of voters) askLast(upstreams, host, since + MAX_AGE_MS);
  context.onFault(host, NOT_CANONICAL, reason);
  // If the table fails, this process alone remembers it.
  await saveSuspect(store, { host, process: NOT_CANONICAL, since }).catch(() => {});
}

/** Returns the hook that saves a suspect for as long as a big response is read. If the table fails, the response is read nevertheless. */
export const suspectDuring =
  (store: ChainStore, clock: Clock): NonNullable<RequestContext['onBigResponse']> =>
  async (host) => {
    const suspect = { host, process: PROCESS, since: clock.now() };
    await saveSuspect(store, suspect).catch(() => {});
    return () => deleteSuspect(store, suspect).catch(() => {});
  };
