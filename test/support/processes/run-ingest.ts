import { chainOf } from '#core/chains/chains.ts';
import type { IngestReport } from '#core/ingest/report.ts';
import { type IngestRun, ingestChain } from '#core/ingest/run.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';

export interface GivenRun extends Partial<Omit<IngestRun, 'upstreams' | 'store'>> {
  /** Time limit of the run, in milliseconds. */
  readonly ms?: number;
}

/** An hour of a fast clock, which a busy machine does not use up. */
const MUCH_TIME = 3_600_000_000;

/** Runs the ingest from servers, of Ethereum from the first sample day on and with much time unless given. */
export const runIngest = (
  table: Table,
  nodes: readonly { readonly url: string }[],
  { chain = chainOf('ETHEREUM'), clock = fastClock(), ms = MUCH_TIME, ...given }: GivenRun = {},
): Promise<IngestReport> =>
  ingestChain({
    chain,
    upstreams: upstreamsOf(chain, nodes),
    store: chainStore(table, chain),
    from: DAY,
    stopAt: clock.now() + ms,
    clock,
    ...given,
  });

/** Returns the answers of a node that never answers for the receipts of a block and later ones. */
export const silentFrom =
  (first: number, answer: NodeAnswer): NodeAnswer =>
  (call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) >= first ? { hang: true } : answer(call);
