import type { Chain } from '../chains/chains.ts';
import type { BlockHeader } from '../figures/block.ts';
import { inTime, type RequestContext } from '../rpc/deadline.ts';
import { type Endpoint, EndpointError } from '../rpc/endpoint.ts';
import {
  type Attempt,
  type Fetched,
  type NoEndpoint,
  noEndpoint,
  noneOf,
  requestWithFailover,
} from '../rpc/failover.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { findBlockHeader, getChainId } from '../rpc/methods.ts';
import type { Upstream } from '../rpc/upstream.ts';
import type { SourceSettings } from '../settings/chain-settings.ts';
import { type Disputed, type FinalBlock, findAnchor, findProvenAnchor, type Probed } from './anchor.ts';
import { hostsOf, isProofRequired, type Network, quorumOf, type Reachable, upstreamsFor } from './network.ts';
import { getHeader, type HeaderRules, isHashed, validateHeader } from './read-header.ts';

/** The reason why headers are refused from a number on, after a fork that this version does not know. */
type Forked = NoEndpoint & { readonly number: number };

type ProbeResult = (Probed & { readonly forked?: Forked }) | NoEndpoint | Disputed;

/** Returns the block that the chain proves to be final; undefined where hosts are believed; or why the run must wait. */
type FindProof = (network: Network) => Promise<FinalBlock | NoEndpoint | undefined>;

/**
 * Probes all endpoints of a chain at once: whether they serve it, and which block is final to them. Then fixes the anchor.
 * @param findProof absent where only hosts are asked
 * @param known the number of a final block. Where the anchor is behind it, slow hosts are waited for
 */
export async function probeEndpoints(
  chain: Chain,
  context: RequestContext,
  upstreams: readonly Upstream[],
  settings: SourceSettings = {},
  findProof?: FindProof,
  known = 0,
): Promise<ProbeResult> {
  const { confirmations, evidence = 'proven' } = settings;
  const quorum = quorumOf(settings, upstreams);
  const rules = { chain, evidence, context, quorum, isProofRequired: isProofRequired(chain, settings) };
  const what = `the finalized block of ${chain.name}`;
  const probe = (upstream: Upstream, getHead = getFinalHead) =>
    probeUpstream(rules, upstream, what, (rpc) => getHead(rpc, rules, confirmations));
  const probes = upstreams.map((upstream) => probe(upstream));
  const read = (answer: Fetched<Reachable>) =>
    answer.kind === 'fetched'
      ? { host: answer.value.upstream.endpoint.provider, says: 'reachable' }
      : undefined;
  const first = await inTime(context, probes, read, quorum);
  const result = await fixAnchor(rules, what, first, findProof);
  // A slow host may decide what the others dispute, and outvote those that lie about an old block.
  const isNew = result.kind === 'probed' && result.network.anchor.number >= known;
  if (isNew) return result;
  const answers = first.includes(undefined) ? await Promise.all(probes) : first;
  const found = answers === first ? result : await fixAnchor(rules, what, answers, findProof);
  if (found.kind !== 'no endpoint' || !answers.some(isRefused)) return found;
  // The headers after an unknown fork may not hash. A host whose final block does not hash votes with its newest block that does. It
  // might as well call that block final, so this gives a liar nothing.
  const again = answers.map((answer, index) =>
    isRefused(answer) ? probe(upstreams[index] as Upstream, getHashedHead) : answer,
  );
  const earlier = await fixAnchor(rules, what, await Promise.all(again), findProof);
  if (earlier.kind !== 'probed') return found;
  const { anchor, hosts } = earlier.network;
  // A proven anchor may be earlier.
  const heads = hosts.map(({ head }) => head?.number ?? 0).toSorted((a, b) => b - a);
  const number = Math.max(anchor.number, heads[quorum - 1] ?? 0) + 1;
  const isRuleChange = !answers.some((answer) => answer?.kind === 'fetched');
  const refused = noEndpoint(`${chain.name} block ${number}`, found.reasons, { isRuleChange });
  return { ...earlier, forked: { ...refused, number } };
}

const isRefused = (answer: Fetched<Reachable> | undefined): boolean =>
  answer?.kind === 'no endpoint' && answer.isRefused === true;

async function fixAnchor(
  rules: Omit<Network, 'hosts'>,
  what: string,
  answers: readonly (Fetched<Reachable> | undefined)[],
  findProof: FindProof = async () => undefined,
): Promise<ProbeResult> {
  const { chain, context } = rules;
  const reachable = answers.flatMap((answer) => (answer?.kind === 'fetched' ? [answer.value] : []));
  const failures = answers.filter((answer) => answer?.kind === 'no endpoint');
  if (reachable.length === 0) return noneOf(what, failures);
  const hosts = hostsOf(reachable, context.clock.now());
  const network = { ...rules, hosts };
  if (upstreamsFor(network).length === 0)
    return noEndpoint(`the blocks of ${chain.name}`, ['Only #anchor endpoints responded. Add others']);
  const proven = await findProof(network);
  if (proven?.kind === 'no endpoint') return proven;
  // Where blocks are only checked, nothing ties what hosts report to a proven hash.
  if (proven && (rules.isProofRequired || isHashed(rules, proven.number)))
    return findProvenAnchor(network, proven);
  const found = await findAnchor(network);
  return found.kind === 'no endpoint' ? noneOf(what, [found, ...failures]) : found;
}

async function probeUpstream(
  rules: HeaderRules & Pick<Network, 'context'>,
  upstream: Upstream,
  what: string,
  headOf: (rpc: Rpc) => Promise<Attempt<BlockHeader>>,
): Promise<Fetched<Reachable>> {
  if ((await upstream.raw) === 'unclear') upstream.raw = undefined;
  return requestWithFailover<Reachable>(rules.context, [upstream], what, async (rpc) => {
    if (!upstream.isOnItsChain) await checkChainId(rpc, upstream.endpoint);
    upstream.isOnItsChain = true;
    const head = await headOf(rpc);
    return 'refused' in head ? head : { value: { upstream, head: head.value } };
  });
}

/** Checks that an endpoint serves its chain, because figures of another chain would look right. @throws EndpointError if not */
export async function checkChainId(rpc: Rpc, endpoint: Endpoint): Promise<void> {
  const { chain } = endpoint;
  const id = await getChainId(rpc);
  if (id === BigInt(chain.id)) return;
  const problem = `it serves chain ${id}, but ${chain.name} is chain ${chain.id}. Correct the URL`;
  throw new EndpointError(endpoint, problem, 'wrong chain');
}

/**
 * Reads the newest block that is final to a node. A node that does not know the `finalized` tag is refused, and never asked for a
 * block that is not final instead.
 * @throws EndpointError
 */
export async function getFinalHead(
  rpc: Rpc,
  rules: HeaderRules,
  confirmations: number | undefined,
): Promise<Attempt<BlockHeader>> {
  if (confirmations === undefined) {
    const answer = await findBlockHeader(rpc, 'finalized');
    if (answer !== null) return validateHeader(rules, 'finalized', answer);
    const refused = `${rules.chain.name}: the node has no final block yet. Wait for its first one`;
    return { refused, fault: 'not yet' };
  }
  const latest = await getHeader(rpc, rules, 'latest');
  if ('refused' in latest) return latest;
  const number = latest.value.number - confirmations;
  if (number >= 0) return getHeader(rpc, rules, number);
  return {
    refused: `${rules.chain.name} block ${latest.value.number} is the latest, and no block has ${confirmations} confirmations yet`,
  };
}

/**
 * Reads the newest block of a node, up to its final one, whose header hashes. The search goes back in growing steps, as in `searchIn`.
 * @throws EndpointError
 */
const getHashedHead: typeof getFinalHead = async (rpc, rules, confirmations) => {
  const head = await getFinalHead(rpc, { ...rules, evidence: 'checked' }, confirmations);
  if ('refused' in head) return head;
  let found: Attempt<BlockHeader> = { refused: `no header of ${rules.chain.name} hashes to its hash` };
  let [low, high] = [-1, head.value.number + 1];
  for (let step = 1; high > low + 1; step *= 2) {
    const next = low < 0 ? Math.max(high - step, 0) : low + Math.floor((high - low) / 2);
    const header = await getHeader(rpc, rules, next);
    if ('refused' in header && header.fault !== 'not proven') return header;
    if ('refused' in header) high = next;
    else [found, low] = [header, next];
  }
  return found;
};
