import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { type ChainName, chainNames, chainOf } from './chains/chains.ts';
import { fromEnvironment } from './environment.ts';
import { ingestChain } from './ingest/ingest-chain.ts';
import { publishMetrics } from './ingest/metrics.ts';
import { endpointOf } from './rpc/endpoint.ts';
import { openUpstream, type Upstream } from './rpc/upstream.ts';
import { requestRestatement } from './store/checkpoints.ts';
import { openTable } from './store/table.ts';

/** What a chain's schedule sends, and what an operator does to have a final day read again. */
const eventSchema = z.object({
  chain: z.enum(chainNames),
  /** First day to ingest, YYYY-MM-DD. */
  start_date: z.iso.date(),
  /** How many blocks must follow a final one, for nodes that lack the `finalized` tag. */
  confirmations: z.optional(z.int().check(z.positive())),
  /** With the same reason and time it may be sent twice. */
  restate: z.optional(
    z.object({
      date: z.iso.date(),
      reason: z.string().check(z.minLength(1)),
      requested_at: z.iso.datetime(),
    }),
  ),
});

export type IngestEvent = z.input<typeof eventSchema>;

/** Time that is kept for the checkpoint after whatever is under way has been broken off. */
const RESERVE_MS = 15_000;

const table = openTable(fromEnvironment('tableName'));

/** Kept from run to run, with what was learned of them. */
const upstreams = new Map<ChainName, readonly Upstream[]>();

function upstreamsOf(name: ChainName): readonly Upstream[] {
  const chain = chainOf(name);
  const known =
    upstreams.get(name) ?? chain.publicEndpoints.map((url) => openUpstream(endpointOf(chain, url)));
  upstreams.set(name, known);
  return known;
}

/**
 * One scheduled run for one chain.
 * @throws Error with the reasons when the run could not go on, so that it counts as failed; its progress is kept
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  const { chain, start_date, confirmations, restate } = eventSchema.parse(event);
  if (restate) {
    const { date, reason, requested_at } = restate;
    const isNew = await requestRestatement(table, chain, date, { reason, requestedAt: requested_at });
    console.info({ chain, restatement: isNew ? 'requested' : 'under way already', ...restate });
  }
  const report = await ingestChain({
    chain: chainOf(chain),
    upstreams: upstreamsOf(chain),
    table,
    from: start_date,
    stopAt: Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS,
    confirmations,
  });
  publishMetrics(report);
  if (report.outcome !== 'failed') return console.info(report);
  console.error(report);
  throw new Error(`${chain}: ${report.reason}`);
}
