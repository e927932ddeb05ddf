import { probeEndpoints } from '../../core/anchor/probe-endpoints.ts';
import { readHeader } from '../../core/anchor/read-header.ts';
import { nodeBlocks } from '../../core/blocks/nodes/node-blocks.ts';
import { type Chain, chainOf } from '../../core/chains/chains.ts';
import { systemClock } from '../../core/clock.ts';
import type { SummedBlock } from '../../core/figures/block.ts';
import { totalFees } from '../../core/figures/fee-parts.ts';
import { addTotals, NO_TOTALS } from '../../core/figures/totals.ts';
import { endpointOf } from '../../core/rpc/endpoint.ts';
import { NEW_HEALTH } from '../../core/rpc/health.ts';
import { createUpstream, setHealth } from '../../core/rpc/upstream.ts';
import { disablePretenuring } from '../../lambda/disable-pretenuring.ts';
import { CALLS_AT_ONCE, type Found } from './reader.ts';

/**
 * Opens the deployed ingest, with every proof and without its table, of the last `count` blocks.
 * @param perSecond calls that each endpoint can sustain, above which it refuses them; without it, a fault makes the measurement invalid
 */
export function createIngest(
  chain: Chain,
  urls: readonly string[],
  perSecond?: number,
): (count: number) => AsyncIterable<SummedBlock> {
  // As in the handler of the ingest.
  disablePretenuring();
  const upstreams = urls.map((url) => createUpstream(endpointOf(chain, url)));
  // The concurrency that an endpoint reaches after some hundred successful responses.
  const health = { ...NEW_HEALTH, concurrency: CALLS_AT_ONCE };
  if (perSecond === undefined) for (const upstream of upstreams) setHealth(upstream, health);
  const onFault = (host: string, kind: string) => {
    if (perSecond === undefined || kind !== 'rate limit') failOn(host, kind);
  };
  const context = { clock: systemClock, signal: new AbortController().signal, onFault };
  return async function* (count) {
    const probe = await probeEndpoints(chain, context, upstreams);
    if (probe.kind !== 'probed') throw new Error(probe.reason);
    const { network } = probe;
    const parent = await readHeader(network, network.anchor.number - count, upstreams);
    if (parent.kind === 'no endpoint') throw new Error(parent.reason);
    const end = yield* nodeBlocks(network).blocks({ block: parent.value, notBefore: 0 }, network.anchor);
    if (end.kind === 'no endpoint') throw new Error(end.reason);
  };
}

function failOn(host: string, kind: string): never {
  throw new Error(`The canned node ${host} caused a fault (${kind}), so the measurement is invalid.`);
}

/** Opens the ingest of a canned node of Ethereum. */
export async function open({ url, blocks }: { readonly url: string; readonly blocks: number }) {
  const blocksOf = createIngest(chainOf('ETHEREUM'), [url]);
  return async (): Promise<Found> => {
    let totals = NO_TOTALS;
    for await (const block of blocksOf(blocks)) totals = addTotals(totals, block.totals);
    return { transactions: totals.transactions, fees: totalFees(totals.fees) };
  };
}
