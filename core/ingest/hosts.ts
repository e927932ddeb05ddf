import type { Chain } from '../chains/chains.ts';
import type { BlockHeader } from '../figures/block.ts';
import type { EvidencePolicy } from '../figures/day-figures.ts';
import type { RequestContext } from '../rpc/failover.ts';
import { byPreference, type Upstream } from '../rpc/upstream.ts';

/** Settings of one chain that an operator chooses. */
export interface SourceSettings {
  /** Blocks that must follow a final one, for nodes that lack the `finalized` tag. */
  readonly confirmations?: number | undefined;
  readonly evidence?: EvidencePolicy | undefined;
  /** Hosts that must support an anchor: 2 where several are configured, else 1. */
  readonly quorum?: number | undefined;
}

/** Returns how many hosts must support an anchor. */
export const quorumOf = ({ quorum }: SourceSettings, upstreams: readonly Upstream[]): number =>
  quorum ?? Math.min(2, new Set(upstreams.map(({ endpoint }) => endpoint.provider)).size);

/** The chain, its rules and the hosts that vote on its blocks. */
export interface Hosts {
  readonly chain: Chain;
  readonly evidence: EvidencePolicy;
  readonly context: RequestContext;
  /** Those that answered the probe, in their configured order; at least one. */
  readonly hosts: readonly Host[];
  /** Hosts that must support an anchor. */
  readonly quorum: number;
}

/** A block that enough hosts call final, and fewer contradict. */
export interface Anchor extends BlockHeader {
  /** Names of the hosts that support it, sorted. */
  readonly hosts: readonly string[];
  /** Names of those that contradict it, sorted; absent without any. */
  readonly opponents?: readonly string[] | undefined;
}

/** Everything that a run reads blocks from. */
export interface Source extends Hosts {
  /** The final block of this run: no later one is counted. */
  readonly anchor: Anchor;
}

/** All endpoints of one provider. */
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

/** Returns the endpoints to read blocks from, in the order in which to ask them. */
export function upstreamsFor({ hosts, context }: Hosts): readonly Upstream[] {
  const all = hosts.flatMap(({ upstreams }) => upstreams);
  const readable = all.filter(({ endpoint }) => !endpoint.isAnchorOnly);
  return byPreference(readable, context.clock.now());
}
