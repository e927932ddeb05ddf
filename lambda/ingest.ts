import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { beaconNetworkSchema } from '../core/chains/beacon-network.ts';
import { chainNames, chainOf, withBeaconNetwork } from '../core/chains/chains.ts';
import { createEraSource, ERA_URL } from '../core/era/choose-source.ts';
import { createEraFiles } from '../core/era/era-files.ts';
import { fileBlocks } from '../core/era/file-blocks.ts';
import { createEventBus } from '../core/events/event-bus.ts';
import { type EvidencePolicy, finalityPolicies, isEvidencePolicy } from '../core/figures/day-figures.ts';
import { countConflicts, dataAgeSeconds, recordLag, unreadSeconds } from '../core/ingest/freshness.ts';
import {
  type IngestReport,
  isFailed,
  type RunReport,
  reportOf,
  startRunStats,
} from '../core/ingest/report.ts';
import { ingestChain } from '../core/ingest/run.ts';
import { createParameterStore, ParameterError } from '../core/rpc/endpoints-parameter.ts';
import { lightClientServers } from '../core/rpc/light-client-server.ts';
import { createKnownUpstreams } from '../core/rpc/remembered-endpoints.ts';
import { createDocumentTable } from '../core/store/document-table.ts';
import { requestRestatement } from '../core/store/restatements.ts';
import { chainStore } from '../core/store/table.ts';
import { disablePretenuring } from './disable-pretenuring.ts';
import { fromEnvironment } from './environment.ts';
import { publishMetrics } from './metrics.ts';

/** The event of a chain's schedule, of a backfill, or of an operator who restates a day. */
const eventSchema = z.object({
  chain: z.enum(chainNames),
  /** First day to ingest, YYYY-MM-DD. Without it, the chain begins 30 days before its first run. */
  start_date: z.optional(z.iso.date()),
  /** The only day to ingest, whichever days before it are missing. */
  date: z.optional(z.iso.date()),
  /** For nodes without the `finalized` tag: the number of blocks that must follow a final one. */
  confirmations: z.optional(z.int().check(z.positive())),
  /** `checked`, or `checked from` a block, accepts nodes whose blocks cannot be proven, and marks the days. */
  evidence: z.optional(z.custom<EvidencePolicy>(isEvidencePolicy)),
  /** Hosts that must support an anchor. */
  quorum: z.optional(z.int().check(z.positive())),
  /** `proven` lets days wait until the chain itself proves them; `reported` believes the hosts. Without it, a proof comes first. */
  finality: z.optional(z.enum(finalityPolicies)),
  /** Servers of Ethereum's light-client protocol. */
  beacon_urls: z.optional(z.array(z.url())),
  /** A private beacon chain in place of mainnet's. */
  beacon_network: z.optional(beaconNetworkSchema),
  /** A block that is known to be final, from which a chain's proofs of finality begin. */
  checkpoint: z.optional(z.string()),
  /** SSM SecureString with the endpoints' URLs in the order of failover; overrides the chain's public endpoints. */
  endpoints_parameter: z.optional(z.string().check(z.minLength(1))),
  /** Publishes the days that wait, as the last step of a backfill, and reads nothing. */
  publish: z.optional(z.literal(true)),
  /** Mirror or bucket of era files, which a day is read from in place of the nodes. */
  url: z.optional(z.string().check(z.regex(ERA_URL))),
  /** Idempotent: the reason and the time identify the request. */
  restate: z.optional(
    z.object({
      date: z.iso.date(),
      reason: z.string().check(z.minLength(1)),
      requested_at: z.iso.datetime(),
    }),
  ),
});

export type IngestEvent = z.input<typeof eventSchema>;

/** Time for the last checkpoint, before Lambda ends the function. */
const RESERVE_MS = 15_000;

disablePretenuring();
const table = createDocumentTable(fromEnvironment('tableName'));
const upstreamsOf = createKnownUpstreams(createParameterStore());
const sendEvent = createEventBus(fromEnvironment('stackId'));

/**
 * Runs the ingest of one chain, on schedule or for a day of a backfill. A run that fails returns a report too: its progress is
 * saved, and the next run continues.
 * @throws Error when no later run can succeed: an invalid event, a restatement that could not be stored, or a bug. The event goes to
 *   the dead-letter queue, which raises an alarm
 */
export async function handler(event: unknown, context: Context): Promise<RunReport> {
  const stopAt = Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
  const request = eventSchema.parse(event);
  const report = await runWithDataAge(request, stopAt);
  for (const [endpoint, kinds] of Object.entries(report.faults)) {
    for (const [kind, faultCount] of Object.entries(kinds))
      console.info({ chain: report.chain, endpoint, kind, faultCount });
  }
  if (isFailed(report) || report.unsentEvents !== undefined) console.error(report);
  else console.info(report);
  publishMetrics(report);
  return report;
}

async function runWithDataAge(request: z.output<typeof eventSchema>, stopAt: number): Promise<RunReport> {
  const report = await ingest(request, stopAt);
  if (request.date !== undefined || request.publish) return report;
  const store = chainStore(table, request.chain);
  const [dataAge, openConflicts, unread] = await Promise.all([
    dataAgeSeconds(store),
    countConflicts(store, report),
    unreadSeconds(store, report),
    recordLag(store, report),
  ]);
  return {
    ...report,
    ...(dataAge !== undefined && { dataAgeSeconds: dataAge }),
    ...(openConflicts !== undefined && { openConflicts }),
    ...(unread !== undefined && { unreadSeconds: unread }),
  };
}

async function ingest(request: z.output<typeof eventSchema>, stopAt: number): Promise<IngestReport> {
  const { chain: name, start_date: from, date: day, restate, publish: isClosing } = request;
  const { confirmations, evidence, quorum, finality, checkpoint, endpoints_parameter: parameter } = request;
  const chain = withBeaconNetwork(chainOf(name), request.beacon_network);
  const store = chainStore(table, name);
  const stats = startRunStats(name, Date.now(), day !== undefined);
  if (restate) {
    const { date, reason, requested_at } = restate;
    const isNew = await requestRestatement(store, date, { reason, requestedAt: requested_at });
    console.info({ chain: name, restatement: isNew ? 'requested' : 'already open', ...restate });
  }
  try {
    const upstreams = await upstreamsOf(chain, parameter);
    const servers = lightClientServers(chain, request.beacon_urls, parameter === undefined);
    const isScheduled = day === undefined && !isClosing;
    const era = request.url === undefined ? undefined : await createEraSource(request.url);
    return await ingestChain({
      chain,
      upstreams,
      store,
      from,
      day,
      isClosing,
      stopAt,
      confirmations,
      evidence,
      quorum,
      finality,
      proof: isScheduled ? { servers, checkpoint } : undefined,
      blocksOf: era && ((source) => fileBlocks(createEraFiles(era, source.context.signal), source)),
      sendEvent,
    });
  } catch (error) {
    // The next run reads the parameter again.
    if (error instanceof ParameterError)
      return reportOf(stats, { kind: 'failed', reason: error.message }, Date.now());
    throw error;
  }
}
