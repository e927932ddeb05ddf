import { chainOf } from '../../lambda/chains/chains.ts';
import type { IngestReport } from '../../lambda/ingest/report.ts';
import { type IngestRun, ingestChain } from '../../lambda/ingest/run.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import type { Table } from '../../lambda/store/table.ts';
import { fastClock } from './clock.ts';
import { DAY } from './sample-days.ts';
import { upstreamsOf } from './source.ts';

export interface GivenRun extends Partial<Omit<IngestRun, 'upstreams' | 'store' | 'stopAt'>> {
  /** Time limit of the run, in milliseconds. */
  readonly ms?: number;
}

const TEN_HOURS = 36_000_000;

/** Runs the ingest from servers, of Ethereum from the first sample day on and with much time unless given. */
export const runIngest = (
  table: Table,
  nodes: readonly { readonly url: string }[],
  { chain = chainOf('ETHEREUM'), clock = fastClock(), ms = TEN_HOURS, ...given }: GivenRun = {},
): Promise<IngestReport> =>
  ingestChain({
    chain,
    upstreams: upstreamsOf(chain, nodes),
    store: chainStore(table, chain.name),
    from: DAY,
    stopAt: clock.now() + ms,
    clock,
    ...given,
  });
