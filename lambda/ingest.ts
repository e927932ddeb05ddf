import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { finalitySourcesOf } from '../core/anchor/prove-final.ts';
import { createEraFiles } from '../core/blocks/era/era-files.ts';
import { createEraSource, ERA_URL } from '../core/blocks/files/choose-source.ts';
import { fileBlocks } from '../core/blocks/files/file-blocks.ts';
import { withBeacon } from '../core/chains/beacon-choice.ts';
import { chainNames, chainOf } from '../core/chains/chains.ts';
import { describeScheduled, urgentForks } from '../core/chains/scheduled-fork.ts';
import { startRunStats } from '../core/days/day-run.ts';
import { isFailed } from '../core/days/outcomes.ts';
import { noteSchedule } from '../core/ingest/ask-schedule.ts';
import { dataAgeSeconds, recordLag, reviewConflicts, unreadSeconds } from '../core/ingest/freshness.ts';
import { type IngestReport, type RunReport, reportOf } from '../core/ingest/report.ts';
import { ingestChain } from '../core/ingest/run.ts';
import { allowSlowConnects } from '../core/rpc/connect-attempts.ts';
import {
  createKnownUpstreams,
  createParameterStore,
  ParameterError,
} from '../core/rpc/endpoints-parameter.ts';
import { chainSettings } from '../core/settings/chain-settings.ts';
import { createDocumentTable } from '../core/store/table/document-table.ts';
import { type ChainStore, chainStore } from '../core/store/table/table.ts';
import { disablePretenuring } from './disable-pretenuring.ts';
import { fromEnvironment } from './environment.ts';
import { createEventBus } from './event-bus.ts';
import { publishMetrics } from './metrics.ts';

const settings = { chain: z.enum(chainNames), ...chainSettings };

/** An event for each job of the function: the settings of a chain, and what the job needs besides. */
const eventSchema = z.discriminatedUnion('job', [
  /** The event of a chain's schedule. Without a `startDate`, the chain begins 30 days before its first run. */
  z.strictObject({ job: z.literal('ingest'), ...settings }),
  /** A day of a backfill, regardless of missing days before it: from the nodes, or from the files of a mirror or a bucket. */
  z.strictObject({
    job: z.literal('ingest day'),
    ...settings,
    date: z.iso.date(),
    url: z.optional(z.string().check(z.regex(ERA_URL))),
  }),
  /** The last step of a backfill: publishes the days that wait, and reads nothing. */
  z.strictObject({ job: z.literal('publish'), ...settings }),
]);

type Request = z.output<typeof eventSchema>;

export type IngestEvent = z.input<typeof eventSchema>;

/** Time for the last checkpoint, before Lambda ends the function. */
const RESERVE_MS = 15_000;

disablePretenuring();
allowSlowConnects();
const table = createDocumentTable(fromEnvironment('tableName'));
const upstreamsOf = createKnownUpstreams(createParameterStore());
const sendEvent = createEventBus(fromEnvironment('stackId'));

/**
 * Runs the ingest of one chain, on schedule or for a day of a backfill. A run that fails returns a report too: its progress is
 * saved, and the next run continues.
 * @throws Error when no later run can succeed: an invalid event, or a bug. The event goes to
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

async function runWithDataAge(request: Request, stopAt: number): Promise<RunReport> {
  const report = await ingest(request, stopAt);
  if (request.job !== 'ingest') return report;
  const store = chainStore(table, request.chain);
  const [dataAge, openConflicts, unread, , forks] = await Promise.all([
    dataAgeSeconds(store),
    reviewConflicts(store, report),
    unreadSeconds(store, report),
    recordLag(store, report),
    readForks(request, store),
  ]);
  const [urgent] = urgentForks(forks, Date.now());
  return {
    ...report,
    ...(urgent && { unknownFork: describeScheduled(urgent) }),
    ...(dataAge !== undefined && { dataAgeSeconds: dataAge }),
    ...(openConflicts !== undefined && { openConflicts }),
    ...(unread !== undefined && { unreadSeconds: unread }),
  };
}

/** Asks the endpoints, and the servers of proofs of finality, once a day what is scheduled. */
function readForks(request: Request, store: ChainStore) {
  const { chain: name, beacon, endpointsParameter } = request;
  const chain = withBeacon(chainOf(name), beacon);
  const { servers } = finalitySourcesOf(chain, request, endpointsParameter === undefined);
  return noteSchedule(chain, store, async () => {
    return { upstreams: await upstreamsOf(chain, endpointsParameter), servers };
  });
}

async function ingest(request: Request, stopAt: number): Promise<IngestReport> {
  const { job, chain: name, startDate: from, beacon, endpointsParameter, trace, ...settings } = request;
  const chain = withBeacon(chainOf(name), beacon);
  const store = chainStore(table, name);
  const day = job === 'ingest day' ? request.date : undefined;
  const stats = startRunStats(name, Date.now(), day !== undefined);
  try {
    const proof = finalitySourcesOf(chain, request, endpointsParameter === undefined);
    const files =
      job === 'ingest day' && request.url !== undefined ? await createEraSource(request.url) : undefined;
    return await ingestChain({
      ...settings,
      chain,
      upstreams: await upstreamsOf(chain, endpointsParameter),
      store,
      from,
      day,
      isClosing: job === 'publish',
      stopAt,
      proof: job === 'ingest' ? proof : undefined,
      blocksOf: files && ((source) => fileBlocks(createEraFiles(files, source.context.signal), source)),
      sendEvent,
      trace: trace ? (line) => console.info({ trace: line }) : undefined,
    });
  } catch (error) {
    // The next run reads the parameter again.
    if (error instanceof ParameterError)
      return reportOf(stats, { kind: 'failed', reason: error.message }, Date.now());
    throw error;
  }
}
