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
 * A host is asked last for 24 hours after one of its endpoints gave a block that is not canonical, or crashed a run: while a run decodes a
 * big response, an item in the table names its endpoint, so an item that is left over names a suspect. Other processes find the items too.
 */

/** No call takes that long, so an older item comes from a process that crashed. */
const MIN_AGE_MS = 2 * RPC_TIMEOUT_MS;
const MAX_AGE_MS = 24 * 3_600_000;

/** Identifies this process, which reads one big response at a time. */
const PROCESS = randomUUID();
/** Stored instead of a process when an endpoint gave a wrong block. */
const NOT_CANONICAL = 'not canonical';

/** Finds the suspects of the last 24 hours, and asks their hosts last until then. Deletes older items. @returns the names of endpoints */
export async function findSuspects(
  store: ChainStore,
  clock: Clock,
  upstreams: readonly Upstream[],
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const suspect of await listSuspects(store)) {
    const age = clock.now() - suspect.since;
    if (age > MAX_AGE_MS) await deleteSuspect(store, suspect);
    const isUnderWay = age <= MIN_AGE_MS && suspect.process !== NOT_CANONICAL;
    if (isUnderWay || age > MAX_AGE_MS) continue;
    names.add(suspect.host);
    askLast(upstreams, suspect.host, suspect.since + MAX_AGE_MS);
  }
  return names;
}

/** Returns all endpoints of the host of an endpoint, because one node may answer behind all of them. */
function withSameHost(name: string, upstreams: readonly Upstream[]): readonly Upstream[] {
  const provider = upstreams.find(({ endpoint }) => endpoint.host === name)?.endpoint.provider;
  return upstreams.filter(({ endpoint }) => endpoint.provider === provider);
}

function askLast(upstreams: readonly Upstream[], name: string, until: number): void {
  for (const upstream of withSameHost(name, upstreams))
    upstream.health = { ...upstream.health, lastUntil: Math.max(upstream.health.lastUntil, until) };
}

/** Asks the host of an endpoint later than others for ten minutes, and in this process alone. */
export function askLater({ hosts, context: { clock } }: Network, name: string): void {
  for (const upstream of hosts.flatMap(({ upstreams }) => withSameHost(name, upstreams)))
    upstream.health = askedLater(upstream.health, clock.now());
}

/** Asks the host of an endpoint last for 24 hours, because that gave a block that is not canonical. The reason begins with the name. */
export async function suspect(
  { hosts, context }: Network,
  store: ChainStore,
  name: string,
  reason: string,
): Promise<void> {
  const since = context.clock.now();
  for (const { upstreams } of hosts) askLast(upstreams, name, since + MAX_AGE_MS);
  context.onFault(name, NOT_CANONICAL, reason);
  // If the table fails, this process alone remembers it.
  await saveSuspect(store, { host: name, process: NOT_CANONICAL, since }).catch(() => {});
}

/** Returns the hook that saves a suspect for as long as a big response is read. If the table fails, the response is read nevertheless. */
export const suspectDuring =
  (store: ChainStore, clock: Clock): NonNullable<RequestContext['onBigResponse']> =>
  async (name) => {
    const suspect = { host: name, process: PROCESS, since: clock.now() };
    await saveSuspect(store, suspect).catch(() => {});
    return () => deleteSuspect(store, suspect).catch(() => {});
  };
