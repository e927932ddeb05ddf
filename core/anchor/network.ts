import type { Chain } from '../chains/chains.ts';
import type { BlockHeader, FinalityProof } from '../figures/block.ts';
import type { EvidencePolicy } from '../figures/day-figures.ts';
import type { PriceSource } from '../figures/dollars.ts';
import type { RequestContext } from '../rpc/deadline.ts';
import { byPreference, type Upstream } from '../rpc/upstream.ts';
import type { SourceSettings } from '../settings/chain-settings.ts';

/** Returns how many hosts must support an anchor. */
export const quorumOf = ({ quorum }: SourceSettings, upstreams: readonly Upstream[]): number =>
  quorum ?? Math.min(2, new Set(upstreams.map(({ endpoint }) => endpoint.provider)).size);

/** Returns whether no host is believed about finality. Chains that prove nothing rely on hosts in any case. */
export const isProofRequired = (chain: Chain, { finality }: SourceSettings): boolean =>
  chain.finality !== undefined && finality === 'proven';

/** A chain, its rules and the hosts that vote on its blocks. */
export interface Network {
  readonly chain: Chain;
  readonly evidence: EvidencePolicy;
  readonly context: RequestContext;
  /** The hosts that answered the probe, in their configured order; at least one. */
  readonly hosts: readonly Host[];
  /** Hosts that must support an anchor. */
  readonly quorum: number;
  /** True when no host is believed about finality: the chain must prove it. */
  readonly isProofRequired: boolean;
  /** The contract that records the price of the coin; absent where it is not known. */
  readonly feed?: PriceSource | undefined;
}

/** A block that the chain proves to be final; or one that enough hosts call final, and fewer contradict. */
export interface Anchor extends BlockHeader {
  /** Absent where only hosts vouch for the block. */
  readonly proof?: FinalityProof | undefined;
  /** Names of the hosts that support it, sorted. */
  readonly hosts: readonly string[];
  /** Names of those that contradict it, sorted; absent without any. */
  readonly opponents?: readonly string[] | undefined;
}

/** Everything that a run reads blocks from. */
export interface AnchoredNetwork extends Network {
  /** The final block of this run: no later one is counted. */
  readonly anchor: Anchor;
}

/** All endpoints of one registered domain and port, which have one vote. */
export interface Host {
  /** Name of its first endpoint. */
  readonly name: string;
  readonly upstreams: readonly Upstream[];
  /** Its newest final block that is not in the future; absent without any. */
  readonly head: BlockHeader | undefined;
}

/** An endpoint that answered the probe, with the block that is final to it. */
export interface Reachable {
  readonly upstream: Upstream;
  readonly head: BlockHeader;
}

/** Milliseconds that the clocks of nodes may be ahead. A final block that is further in the future is ignored. */
const MAX_AHEAD_MS = 15 * 60_000;

/**
 * Groups endpoints by host.
 * @param now milliseconds since 1970
 */
export function hostsOf(reachable: readonly Reachable[], now: number): readonly Host[] {
  const groups = Map.groupBy(reachable, ({ upstream }) => upstream.endpoint.provider);
  return [...groups.values()].map((group) => {
    const heads = group.flatMap(({ head }) => (head.timestamp * 1_000 > now + MAX_AHEAD_MS ? [] : [head]));
    const [first] = group as [Reachable];
    return {
      name: first.upstream.endpoint.host,
      upstreams: group.map(({ upstream }) => upstream),
      head: heads.toSorted((a, b) => b.number - a.number)[0],
    };
  });
}

/** Returns the endpoints to read blocks from as they are asked: first one of each host, since its others may fail or lie like it. */
export function upstreamsFor({ hosts, context }: Pick<Network, 'hosts' | 'context'>): readonly Upstream[] {
  const turns = hosts.flatMap(({ upstreams }) =>
    upstreams.filter(({ endpoint }) => !endpoint.isAnchorOnly).map((upstream, turn) => ({ upstream, turn })),
  );
  turns.sort((a, b) => a.turn - b.turn);
  return byPreference(
    turns.map(({ upstream }) => upstream),
    context.clock.now(),
  );
}
