import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames, chainOf } from './chains/chains.ts';
import { later } from './chains/utc-day.ts';
import { fromEnvironment } from './environment.ts';
import { dataAgeSeconds } from './ingest/data-age.ts';
import { ingestChain } from './ingest/ingest-chain.ts';
import { publishFailedRun, publishMetrics } from './ingest/metrics.ts';
import { type IngestReport, isFailed, type RunReport, startRunStats } from './ingest/report.ts';
import { openParameters, ParameterError } from './rpc/endpoints-parameter.ts';
import { knownUpstreams } from './rpc/known-upstreams.ts';
import { chainStore } from './store/chain-store.ts';
import { requestRestatement } from './store/restatements.ts';
import { openTable } from './store/document-table.ts';

/** What a chain's schedule sends, and what an operator does to have a final day read again. */
const eventSchema = z.object({
  chain: z.enum(chainNames),
  /** First day to ingest, YYYY-MM-DD. */
  start_date: z.iso.date(),
  /** The only day to ingest, whatever is missing before it. */
  date: z.optional(z.iso.date()),
  /** How many blocks must follow a final one, for nodes that lack the `finalized` tag. */
  confirmations: z.optional(z.int().check(z.positive())),
  /** An SSM SecureString with the URLs to read from, in order, in place of the chain's public endpoints. */
  endpoints_parameter: z.optional(z.string().check(z.minLength(1))),
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
const upstreamsOf = knownUpstreams(openParameters());

/**
 * One run for one chain, on schedule or for a day of a backfill. A run that could not go on returns what it did and why
 * too: its progress is kept, and the next one goes on.
 * @throws Error for what no later run mends: a bad event, a restatement that could not be noted, a day in conflict with what
 *   is final, a mistake in this code. That ends in the function's on-failure queue and raises an alarm
 */
export async function handler(event: unknown, context: Context): Promise<RunReport> {
  const stopAt = Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
  const wanted = eventSchema.parse(event);
  const report = await reportOf(wanted, stopAt).catch((error: unknown) => {
    if (wanted.date === undefined) publishFailedRun(wanted.chain);
    throw error;
  });
  if (isFailed(report)) console.error(report);
  else console.info(report);
  publishMetrics(report);
  if (report.outcome === 'conflict') throw new Error(report.reason);
  return report;
}

async function reportOf(wanted: z.output<typeof eventSchema>, stopAt: number): Promise<RunReport> {
  const report = await ingest(wanted, stopAt);
  if (wanted.date !== undefined) return report;
  const from = later(wanted.start_date, chainOf(wanted.chain).firstDay);
  const age = await dataAgeSeconds(chainStore(table, wanted.chain), from);
  return { ...report, ...(age !== undefined && { dataAgeSeconds: age }) };
}

async function ingest(wanted: z.output<typeof eventSchema>, stopAt: number): Promise<IngestReport> {
  const { chain: name, start_date: from, date: day, confirmations, restate } = wanted;
  const chain = chainOf(name);
  const store = chainStore(table, name);
  const stats = startRunStats(name, Date.now());
  if (day !== undefined) stats.final = false;
  if (restate) {
    const { date, reason, requested_at } = restate;
    const isNew = await requestRestatement(store, date, { reason, requestedAt: requested_at });
    console.info({ chain: name, restatement: isNew ? 'requested' : 'under way already', ...restate });
  }
  try {
    const upstreams = await upstreamsOf(chain, wanted.endpoints_parameter);
    return await ingestChain({ chain, upstreams, store, from, day, stopAt, confirmations });
  } catch (error) {
    // The next run reads the parameter anew, so it is enough to mend that.
    if (error instanceof ParameterError) return stats.report('failed', Date.now(), error.message);
    throw error;
  }
}
