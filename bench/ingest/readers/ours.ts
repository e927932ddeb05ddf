import type { SummedBlock } from '../../../lambda/chains/block.ts';
import type { Chain } from '../../../lambda/chains/chains.ts';
import { totalFees } from '../../../lambda/chains/fee-parts.ts';
import { addTotals, NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { disablePretenuring } from '../../../lambda/disable-pretenuring.ts';
import { readHeader } from '../../../lambda/ingest/blocks/read.ts';
import { linkedBlocks } from '../../../lambda/ingest/blocks/stream.ts';
import { probeEndpoints } from '../../../lambda/ingest/endpoints.ts';
import { NEW_HEALTH } from '../../../lambda/rpc/circuit-breaker.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { openUpstream, setHealth } from '../../../lambda/rpc/upstream.ts';
import { CALLS_AT_ONCE, type Reader } from './reader.ts';

/**
 * Opens the deployed ingest, with every proof and without its table.
 * @returns a function that yields the last `count` blocks, up to the finalized one
 */
export function openIngest(chain: Chain, url: string): (count: number) => AsyncIterable<SummedBlock> {
  // As in the handler of the ingest.
  disablePretenuring();
  const upstream = openUpstream(endpointOf(chain, url));
  // The concurrency that an endpoint reaches after some hundred successful responses.
  setHealth(upstream, { ...NEW_HEALTH, concurrency: CALLS_AT_ONCE });
  const context = { clock: systemClock, signal: new AbortController().signal, onFault: failOn };
  return async function* (count) {
    const probe = await probeEndpoints(chain, context, [upstream]);
    if (probe.kind !== 'probed') throw new Error(probe.reason);
    const { source } = probe;
    const parent = await readHeader(source, source.anchor.number - count, [upstream]);
    if (parent.kind === 'no endpoint') throw new Error(parent.reason);
    const end = yield* linkedBlocks(source, { block: parent.value, notBefore: 0 }, source.anchor);
    if (end.kind === 'no endpoint') throw new Error(end.reason);
  };
}

function failOn(host: string, kind: string): never {
  throw new Error(`The canned node ${host} caused a fault (${kind}), so the measurement is invalid.`);
}

export function openOurs(chain: Chain, url: string): Reader {
  const blocksOf = openIngest(chain, url);
  return async (count) => {
    let totals = NO_TOTALS;
    for await (const block of blocksOf(count)) totals = addTotals(totals, block.totals);
    return { transactions: totals.transactions, fees: totalFees(totals.fees) };
  };
}
