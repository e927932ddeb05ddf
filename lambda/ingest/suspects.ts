import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { RequestContext } from '../rpc/retry.ts';
import { RPC_TIMEOUT_MS } from '../rpc/timeouts.ts';
import type { Upstream } from '../rpc/upstream.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { deleteSuspect, listSuspects, saveSuspect } from '../store/suspects.ts';

/*
 * An endpoint that crashes a run while it decodes a response would crash the next run too. So an item in the table says which
 * endpoint's response is big, from before it is read to its end. An item that is left over names a suspect.
 */

/** No call takes that long, so an older item comes from a process that crashed. */
const MIN_AGE_MS = 2 * RPC_TIMEOUT_MS;
const MAX_AGE_MS = 24 * 3_600_000;

/** Identifies this process, which reads one big response at a time. */
const PROCESS = randomUUID();

/** Returns the hosts of the endpoints that preceded a crash in the last 24 hours, and deletes older items. */
export async function findSuspects(store: ChainStore, clock: Clock): Promise<ReadonlySet<string>> {
  const hosts = new Set<string>();
  for (const suspect of await listSuspects(store)) {
    const age = clock.now() - suspect.since;
    if (age > MAX_AGE_MS) await deleteSuspect(store, suspect);
    else if (age > MIN_AGE_MS) hosts.add(suspect.host);
  }
  return hosts;
}

/** Returns the endpoints without the suspects, or all when no other is configured. */
export function withoutSuspects(
  upstreams: readonly Upstream[],
  suspects: ReadonlySet<string>,
): readonly Upstream[] {
  const others = upstreams.filter(({ endpoint }) => !suspects.has(endpoint.host));
  return others.length > 0 ? others : upstreams;
}

/** Returns the hook that saves a suspect for as long as a big response is read. Without a table, it is read all the same. */
export const suspectDuring =
  (store: ChainStore, clock: Clock): NonNullable<RequestContext['onBigResponse']> =>
  async (host) => {
    const suspect = { host, process: PROCESS, since: clock.now() };
    const ignore = () => {};
    await saveSuspect(store, suspect).catch(ignore);
    return () => deleteSuspect(store, suspect).catch(ignore);
  };
