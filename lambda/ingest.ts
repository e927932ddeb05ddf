import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames, chainOf } from './chains/chains.ts';
import { fromEnvironment } from './environment.ts';
import { ingestChain } from './ingest/ingest-chain.ts';
import { endpointOf } from './rpc/endpoint.ts';
import { openTable } from './store/table.ts';

/** What a chain's schedule sends. */
const eventSchema = z.object({
  chain: z.enum(chainNames),
  /** First day to ingest, YYYY-MM-DD. */
  start_date: z.iso.date(),
});
export type IngestEvent = z.infer<typeof eventSchema>;

/** Time that is kept for the last answers of a run and for its checkpoint. */
const RESERVE_MS = 30_000;

const table = openTable(fromEnvironment('tableName'));

/**
 * One scheduled run for one chain.
 * @throws Error with the reasons when the run could not go on, so that it counts as failed; its progress is kept
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  const { chain: name, start_date } = eventSchema.parse(event);
  const chain = chainOf(name);
  const report = await ingestChain({
    chain,
    endpoints: chain.publicEndpoints.map((url) => endpointOf(chain, url)),
    table,
    from: start_date,
    stopAt: Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS,
  });
  if (report.outcome === 'failed') throw new Error(JSON.stringify(report));
  console.info(report);
}
