import type { BlockHeader, SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import type { Chain } from '../chains/chains.ts';
import { type Endpoint, EndpointError } from '../rpc/endpoint.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { getChainId, getHeader } from '../rpc/methods.ts';
import { noEndpointErrors, noneOfThem, type RequestContext, requestWithRetry } from '../rpc/retry.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { checkNumber } from './check-block.ts';

/** What a run reads blocks from. */
export interface Source {
  readonly chain: Chain;
  readonly context: RequestContext;
  /** The endpoints that answered the roll call, in their order; one at least. */
  readonly present: readonly Present[];
  /** The newest block that one of them calls final: nothing after it is counted. */
  readonly head: Head;
}

interface Present {
  readonly upstream: Upstream;
  /** The newest block that it calls final itself: it is not read beyond it. */
  readonly head: Head;
}

type Head = BlockHeader & SeenBlock;

/** The endpoints that have a block and call it final. */
export const upstreamsFor = ({ present }: Source, number: number): readonly Upstream[] =>
  present.filter(({ head }) => head.number >= number).map(({ upstream }) => upstream);

/** Once one has answered, the others have this long: a silent one does not hold a run up. */
const GRACE_MS = 5_000;

/**
 * Asks all endpoints of a chain at once whether they are on it and which block is final.
 * @param confirmations in place of the `finalized` tag, for nodes that lack it: how many blocks must follow a final one
 * @throws NoEndpointError when none of them can say
 */
export async function probeEndpoints(
  chain: Chain,
  context: RequestContext,
  upstreams: readonly Upstream[],
  confirmations: number | undefined,
): Promise<Source> {
  const heads = new Map<Upstream, Head>();
  const what = `the finalized block of ${chain.name}`;
  const answers = upstreams.map(async (upstream) => {
    const head = await requestWithRetry(context, [upstream], what, async (rpc, host) => {
      if (!upstream.isOnItsChain) await checkChainId(rpc, upstream.endpoint);
      upstream.isOnItsChain = true;
      return { ...(await getFinalHead(rpc, chain, confirmations)), host };
    });
    heads.set(upstream, head);
    return head;
  });
  const first = await Promise.any(answers).catch((error: AggregateError) => {
    throw noneOfThem(what, noEndpointErrors(error.errors));
  });
  await Promise.race([Promise.allSettled(answers), context.clock.sleep(GRACE_MS, context.signal)]);

  const present = upstreams.flatMap((upstream) => {
    const head = heads.get(upstream);
    return head ? [{ upstream, head }] : [];
  });
  const head = present.reduce((newest, { head }) => (head.number > newest.number ? head : newest), first);
  return { chain, context, present, head };
}

/** A URL of another chain would give figures that look right, so no endpoint is read before it has said where it is. */
export async function checkChainId(rpc: Rpc, endpoint: Endpoint): Promise<void> {
  const { chain } = endpoint;
  const id = await getChainId(rpc);
  if (id === BigInt(chain.id)) return;
  const problem = `this is chain ${id}, and ${chain.name} is chain ${chain.id}`;
  throw new EndpointError(endpoint, problem, { kind: 'wrong chain' });
}

/**
 * The newest block that a node calls final. One that does not know the tag yet is not ready, and never asked for a block that
 * is not final instead.
 * @throws EndpointError, or BlockError when there are too few blocks for the confirmations or it is another one
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
    throw new BlockError(place, `is the latest, and none has ${confirmations} confirmations yet`);
  }
  const head = await getHeader(rpc, number);
  checkNumber(chain, number, head);
  return head;
}
