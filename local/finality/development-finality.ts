import type { FinalityRules } from '../../core/chains/finality-rules.ts';
import type { RpcHeader } from '../../core/proof/json/rpc-types.ts';
import { type Endpoint, endpointOf } from '../../core/rpc/endpoint.ts';
import { startBeaconServer } from './beacon-server.ts';
import { type NodeCall, startVotingNode } from './voting-node.ts';

/** The evidence of finality of a development chain, signed with keys that anyone can derive. */
export interface DevelopmentFinality {
  /** URLs of light-client servers; none where the votes are in the blocks. */
  readonly beaconUrls: readonly string[];
  /** Returns a block that is final. */
  readonly checkpoint: () => Promise<string>;
}

interface WithFinality {
  /** The node, or what stands in front of it. */
  readonly endpoint: Endpoint;
  /** Absent where the real chain has none. */
  readonly finality?: DevelopmentFinality;
}

/** Returns evidence of finality with other keys, all forks from the start on, and epochs of a few hundred blocks or less. */
export function developmentFinality(finality: FinalityRules): FinalityRules {
  if (finality.kind === 'fast finality')
    return { ...finality, rules: { bohrTime: 0, epochs: [{ time: 0, length: 20 }], certainAfter: 3 } };
  const forks = [{ name: 'fulu', epoch: 0, version: '0x06000001' }] as const;
  const network = { ...finality.network, genesisValidatorsRoot: `0x${'de'.repeat(32)}`, forks };
  return { ...finality, network, publicServers: [] };
}

/** Adds the evidence of finality that the real chain has. */
export async function withFinality(node: Endpoint, rpc: NodeCall): Promise<WithFinality> {
  const { chain } = node;
  switch (chain.finality?.kind) {
    case 'sync committee': {
      const tagOf = (at: number | 'finalized') => (at === 'finalized' ? at : `0x${at.toString(16)}`);
      const read = async (at: number | 'finalized') =>
        (await rpc('eth_getBlockByNumber', tagOf(at), false)) as RpcHeader;
      const { url, checkpoint } = await startBeaconServer(chain.finality.network, read);
      return { endpoint: node, finality: { beaconUrls: [url], checkpoint } };
    }
    case 'fast finality': {
      const { url, checkpoint } = await startVotingNode(chain.finality.rules, rpc);
      return { endpoint: endpointOf(chain, url), finality: { beaconUrls: [], checkpoint } };
    }
    default:
      return { endpoint: node };
  }
}
