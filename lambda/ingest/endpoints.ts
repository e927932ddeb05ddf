import type { BlockHeader, SeenBlock } from '../chains/block.ts';
import type { Chain } from '../chains/chains.ts';
import type { EvidencePolicy } from '../chains/evidence.ts';
import { type Endpoint, EndpointError } from '../rpc/endpoint.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { getChainId, getHeader } from '../rpc/methods.ts';
import {
  type Attempt,
  type Fetched,
  type NoEndpoint,
  noneOf,
  type RequestContext,
  requestWithRetry,
} from '../rpc/retry.ts';
import type { Upstream } from '../rpc/upstream.ts';

/** The chain, its rules and the endpoints that a run reads blocks from. */
export interface Source {
  readonly chain: Chain;
  readonly evidence: EvidencePolicy;
  readonly context: RequestContext;
  /** The endpoints that answered the probe, in their configured order; at least one. */
  readonly reachable: readonly Reachable[];
  /** The newest finalized block of all: no later block is counted. */
  readonly head: Head;
}

interface Reachable {
  readonly upstream: Upstream;
  /** The newest block that is final to this endpoint: it is not read beyond it. */
  readonly head: Head;
}

type Head = BlockHeader & SeenBlock;

/** Returns the endpoints to which a block is final. */
export const upstreamsFor = ({ reachable }: Source, number: number): readonly Upstream[] =>
  reachable.filter(({ head }) => head.number >= number).map(({ upstream }) => upstream);

/** After the first endpoint has answered, the others have this long: a silent one must not delay a run. */
const GRACE_MS = 5_000;

/** Settings of one chain that an operator chooses. */
export interface SourceSettings {
  /** Blocks that must follow a final one, for nodes that lack the `finalized` tag. */
  readonly confirmations?: number | undefined;
  readonly evidence?: EvidencePolicy | undefined;
}

/** Probes all endpoints of a chain at once: whether they serve it, and which block is final to them. */
export async function probeEndpoints(
  chain: Chain,
  context: RequestContext,
  upstreams: readonly Upstream[],
  { confirmations = chain.confirmations, evidence = 'proven' }: SourceSettings = {},
): Promise<{ readonly kind: 'probed'; readonly source: Source } | NoEndpoint> {
  const heads = new Map<Upstream, Head>();
  const what = `the finalized block of ${chain.name}`;
  const probes = upstreams.map(async (upstream): Promise<Fetched<Head>> => {
    if ((await upstream.raw) === 'unclear') upstream.raw = undefined;
    const probe = await requestWithRetry<Head>(context, [upstream], what, async (rpc, { endpoint }) => {
      if (!upstream.isOnItsChain) await checkChainId(rpc, upstream.endpoint);
      upstream.isOnItsChain = true;
      const head = await getFinalHead(rpc, { chain, evidence }, confirmations);
      return 'refused' in head ? head : { value: { ...head.value, host: endpoint.host } };
    });
    if (probe.kind === 'fetched') heads.set(upstream, probe.value);
    return probe;
  });
  await firstFetched(probes);
  const grace = new AbortController();
  const graceIsOver = context.clock.sleep(GRACE_MS, AbortSignal.any([context.signal, grace.signal]));
  await Promise.race([Promise.all(probes), graceIsOver]);
  grace.abort();
  const reachable = upstreams.flatMap((upstream) => {
    const head = heads.get(upstream);
    return head ? [{ upstream, head }] : [];
  });
  const [first] = reachable;
  if (!first) {
    const failures = (await Promise.all(probes)).filter((probe) => probe.kind === 'no endpoint');
    return noneOf(what, failures);
  }
  const newest = reachable.reduce((a, b) => (b.head.number > a.head.number ? b : a), first);
  return { kind: 'probed', source: { chain, evidence, context, reachable, head: newest.head } };
}

/** Waits for the first endpoint that answers, or for all of them to fail. */
function firstFetched(probes: readonly Promise<Fetched<Head>>[]): Promise<unknown> {
  const answered = probes.map(async (probe) => {
    const result = await probe;
    if (result.kind === 'no endpoint') await Promise.all(probes);
  });
  return Promise.race(answered);
}

/**
 * Checks that an endpoint serves the chain that it is configured for: figures of another chain would look right.
 * @throws EndpointError if it does not
 */
export async function checkChainId(rpc: Rpc, endpoint: Endpoint): Promise<void> {
  const { chain } = endpoint;
  const id = await getChainId(rpc);
  if (id === BigInt(chain.id)) return;
  const problem = `it serves chain ${id}, but ${chain.name} is chain ${chain.id}. Correct the URL`;
  throw new EndpointError(endpoint, problem, { kind: 'wrong chain' });
}

/**
 * Reads the newest block that is final to a node. A node that does not know the `finalized` tag is refused, and never asked for a
 * block that is not final instead.
 * @throws EndpointError
 */
export async function getFinalHead(
  rpc: Rpc,
  rules: Pick<Source, 'chain' | 'evidence'>,
  confirmations: number | undefined,
): Promise<Attempt<BlockHeader>> {
  if (confirmations === undefined) return getHeader(rpc, rules, 'finalized');
  const latest = await getHeader(rpc, rules, 'latest');
  if ('refused' in latest) return latest;
  const number = latest.value.number - confirmations;
  if (number >= 0) return getHeader(rpc, rules, number);
  return {
    refused: `${rules.chain.name} block ${latest.value.number} is the latest, and no block has ${confirmations} confirmations yet`,
  };
}
