import type { Chain } from './chains.ts';
import { type BeaconNetwork, withGloas } from './finality-rules.ts';

/** The beacon chain that an operator sets for a chain that proves finality with one. */
interface BeaconChoice {
  readonly network?: BeaconNetwork | undefined;
  readonly gloasEpoch?: number | undefined;
}

/** Returns the first epoch with which Gloas may begin on a chain: it follows the last known fork. */
export function firstGloasEpoch({ finality }: Chain): number {
  const forks = finality?.kind === 'sync committee' ? finality.network.forks : [];
  return (forks.at(-1)?.epoch ?? 0) + 1;
}

/** Returns a chain with the beacon chain that an operator chose, and other chains unchanged. */
export function withBeacon(chain: Chain, { network: chosen, gloasEpoch }: BeaconChoice = {}): Chain {
  const { finality } = chain;
  if (finality?.kind !== 'sync committee') return chain;
  const network = chosen ?? finality.network;
  const { version } = finality.gloas;
  const dated = gloasEpoch === undefined ? network : withGloas(network, gloasEpoch, version);
  return { ...chain, finality: { ...finality, network: dated } };
}
