import type { BlockHeader, SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import type { Chain } from '../chains/chains.ts';
import { type Endpoint, EndpointError } from '../rpc/endpoint.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { getChainId, getHeader } from '../rpc/methods.ts';
import { combineErrors, noEndpointErrors, type RequestContext, requestWithRetry } from '../rpc/retry.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { checkNumber } from './check-block.ts';

/** The endpoints that a run reads blocks from. */
export interface Source {
  readonly chain: Chain;
  readonly context: RequestContext;
  /** The endpoints that answered the probe, in their order; at least one. */
  readonly present: readonly Present[];
  /** The newest block that one of them calls final. No later block is counted. */
  readonly head: Head;
}

interface Present {
  readonly upstream: Upstream;
  /** The newest block that it calls final. It is not asked for later blocks. */
  readonly head: Head;
}

type Head = BlockHeader & SeenBlock;

/** Returns the endpoints that call a block final. */
export const upstreamsFor = ({ present }: Source, number: number): readonly Upstream[] =>
  present.filter(({ head }) => head.number >= number).map(({ upstream }) => upstream);

/** Time for the other endpoints after the first response, so that a silent one does not delay a run. */
const GRACE_MS = 5_000;

/**
 * Asks all endpoints of a chain concurrently for their chain ID and finalized block.
 * @param confirmations for nodes without the `finalized` tag: the number of blocks that must follow a final one
 * @throws NoEndpointError when none of them answers
 */
export async function probeEndpoints(
  chain: Chain,
  context: RequestContext,
  upstreams: readonly Upstream[],
  confirmations: number | undefined,
): Promise<Source> {
  const heads = new Map<Upstream, Head>();
  const what = `the finalized block of ${chain.name}`;
  const probes = upstreams.map(async (upstream) => {
    const head = await requestWithRetry(context, [upstream], what, async (rpc, host) => {
      if (!upstream.isOnItsChain) await checkChainId(rpc, upstream.endpoint);
      upstream.isOnItsChain = true;
      return { ...(await getFinalHead(rpc, chain, confirmations)), host };
    });
    heads.set(upstream, head);
    return head;
  });
  const first = await Promise.any(probes).catch((error: AggregateError) => {
    throw combineErrors(what, noEndpointErrors(error.errors));
  });
  await Promise.race([Promise.allSettled(probes), context.clock.sleep(GRACE_MS, context.signal)]);

  const present = upstreams.flatMap((upstream) => {
    const head = heads.get(upstream);
    return head ? [{ upstream, head }] : [];
  });
  const head = present.reduce((newest, { head }) => (head.number > newest.number ? head : newest), first);
  return { chain, context, present, head };
}

/** Guards against a URL of another chain, whose figures would look right. */
export async function checkChainId(rpc: Rpc, endpoint: Endpoint): Promise<void> {
  const { chain } = endpoint;
  const id = await getChainId(rpc);
  if (id === BigInt(chain.id)) return;
  const problem = `it serves chain ${id}, but ${chain.name} is chain ${chain.id}. Correct the URL`;
  throw new EndpointError(endpoint, problem, { kind: 'wrong chain' });
}

/**
 * Reads the newest block that a node calls final. If the node does not know the tag, it is not ready; there is no fallback to
 * a block that is not final.
 * @throws EndpointError; BlockError when the chain has too few blocks for the confirmations
 */
export async function getFinalHead(
  rpc: Rpc,
  chain: Chain,
  confirmations: number | undefined,
): Promise<BlockHeader> {
  if (confirmations === undefined) return getHeader(rpc, 'finalized');
  const latest = await getHeader(rpc, 'latest');
  const number = latest.number - confirmations;
  if (number < 0) {
    const place = { chain: chain.name, block: latest.number };
    throw new BlockError(
      place,
      `it is the latest block, and no block has ${confirmations} confirmations yet`,
    );
  }
  const head = await getHeader(rpc, number);
  checkNumber(chain, number, head);
  return head;
}
