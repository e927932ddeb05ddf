import type { Anchor, Host, Network } from '#core/anchor/network.ts';
import { nodeBlocks } from '#core/blocks/nodes/node-blocks.ts';
import { chainOf } from '#core/chains/chains.ts';
import { type DayRun, startRunStats } from '#core/days/day-run.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';
import { dispatchBy, dispatchFrom } from '#test/support/servers/in-process-dispatch.ts';
import type { Answer } from './json-rpc-server.ts';
import { requestContextWith } from './source.ts';

/** A host in process: the answers of each of its endpoints, and its final block. */
export interface GivenHost extends Pick<Host, 'head'> {
  readonly endpoints: readonly Answer[];
  /** The fragment of the URLs of its endpoints. */
  readonly options?: string | undefined;
}

/**
 * Serves the hosts a.test, b.test and so on in process until disposed, and then aborts what still asks them: its next tries would look up
 * these names. Their endpoints are called 1, 2 and so on.
 */
export function serveHosts(
  given: readonly GivenHost[],
  {
    context = requestContextWith({ clock: fastClock(100_000) }),
    ...settings
  }: Partial<Pick<Network, 'chain' | 'quorum' | 'evidence' | 'context' | 'isProofRequired'>> = {},
): Network & Disposable {
  const over = new AbortController();
  const chain = chainOf('ETHEREUM');
  const names = given.map((_, index) => `${String.fromCharCode(97 + index)}.test`);
  const served = dispatchBy(
    dispatchFrom(({ hostname, pathname }) => {
      const host = given[names.indexOf(hostname)];
      return host?.endpoints[Number(pathname.slice(1)) - 1];
    }),
  );
  return {
    chain,
    evidence: 'proven',
    quorum: Math.min(2, given.length),
    isProofRequired: false,
    context: { ...context, signal: AbortSignal.any([context.signal, over.signal]) },
    hosts: given.map(({ endpoints, head, options = '' }, index) => ({
      name: names[index] ?? '',
      head,
      upstreams: endpoints.map((_, at) => {
        const name = `${names[index]}/${at + 1}`;
        return createUpstream(endpointOf(chain, `http://${name}#${options}`, name));
      }),
    })),
    ...settings,
    [Symbol.dispose]: () => {
      over.abort(new Error('The hosts are disposed'));
      served[Symbol.dispose]();
    },
  };
}

/** Serves hosts in process that each have one endpoint, and no final block of their own. */
export const serveAnswers = (answers: readonly Answer[], settings?: Parameters<typeof serveHosts>[1]) =>
  serveHosts(
    answers.map((answer) => ({ head: undefined, endpoints: [answer] })),
    settings,
  );

/** Returns what the days of a run share, from the first sample day on. */
export const dayRunOf = (
  hosts: Network,
  anchor: Anchor,
  table: Table,
  given: Partial<DayRun> = {},
): DayRun => ({
  network: { ...hosts, anchor },
  blocks: nodeBlocks({ ...hosts, anchor }),
  store: chainStore(table, hosts.chain),
  from: DAY,
  stats: startRunStats(hosts.chain.name, hosts.context.clock.now(), false),
  sendEvents: async () => {},
  ...given,
});
