import { type Source, upstreamsFor } from '../anchor/network.ts';
import { readBlockFrom } from '../blocks/nodes/read-block.ts';
import type { DayProgress } from '../figures/progress.ts';
import { type NoEndpoint, noEndpoint, requestWithFailover } from '../rpc/failover.ts';

/** A price in a receipt that differs from ours, as `core/proof/prove-block.ts` words it. */
const OTHER_PRICE = /receipts\[\d+\]\.(blobGasPrice|l1Fee): /;

/**
 * Compares the last price of a day that follows from a rule, of blobs or of L1, with the one that an endpoint states. A new price of blobs
 * need not show in headers, and RLP states no prices.
 * @returns why the day is not published; undefined when an endpoint states our price, and when none states any
 */
export async function otherPrice(
  source: Source,
  { priceToCompare: number }: DayProgress,
): Promise<NoEndpoint | undefined> {
  if (number === undefined) return undefined;
  const what = `the prices of ${source.chain.name} block ${number}`;
  const others: string[] = [];
  // A node that has pruned this block has none before it: years of files would ask it in vain for each day.
  const able = upstreamsFor(source).filter(({ lacksReceiptsTo = -1 }) => lacksReceiptsTo < number);
  for (const upstream of able) {
    const read = await requestWithFailover(source.context, [upstream], what, (rpc) =>
      readBlockFrom(source, number, rpc, upstream.endpoint.host),
    );
    if (read.kind === 'fetched' && read.value.isPriceStated) return undefined;
    if (read.kind === 'no endpoint' && read.isUnavailable) upstream.lacksReceiptsTo = number;
    if (read.kind === 'no endpoint') others.push(...read.reasons.filter((one) => OTHER_PRICE.test(one)));
  }
  return others.length > 0 ? noEndpoint(what, others, { isRuleChange: true }) : undefined;
}
