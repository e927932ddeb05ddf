import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames, chainOf } from './chains/chains.ts';
import { evidences } from './chains/evidence.ts';
import { systemClock } from './clock.ts';
import { fromEnvironment } from './environment.ts';
import { parseFileName } from './era/file-name.ts';
import { joinEraFiles, type MissingDays } from './era/join-files.ts';
import { ERA_URL, openEraSource } from './era/open-source.ts';
import { type FileRunEnd, runEraFile } from './era/run-file.ts';
import { probeEndpoints } from './ingest/endpoints.ts';
import { plannedFirstDay } from './ingest/first-day.ts';
import { openParameters } from './rpc/endpoints-parameter.ts';
import { knownUpstreams } from './rpc/known-upstreams.ts';
import { chainStore } from './store/chain-store.ts';
import { openTable } from './store/document-table.ts';

/** The event for one file of a backfill; without `url` and `file`, for joining the files that are proven. */
const eventSchema = z.object({
  chain: z.enum(chainNames),
  /** First day of the chain's schedule, YYYY-MM-DD. */
  start_date: z.optional(z.iso.date()),
  confirmations: z.optional(z.int().check(z.positive())),
  evidence: z.optional(z.enum(evidences)),
  endpoints_parameter: z.optional(z.string().check(z.minLength(1))),
  /** Mirror or bucket. */
  url: z.optional(z.string().check(z.regex(ERA_URL))),
  /** Name of the file. */
  file: z.optional(z.string()),
});

type Request = z.output<typeof eventSchema>;

/** A run over a file, as it is logged and returned. */
interface FileReport {
  readonly chain: string;
  readonly file: string;
  readonly outcome: FileRunEnd['kind'];
  readonly blocks: number;
  readonly seconds: number;
  /** Days that became final. */
  readonly days: readonly string[];
  readonly reason?: string;
}

/** The result of joining files. */
interface JoinReport {
  readonly chain: string;
  readonly outcome: 'joined';
  readonly files: number;
  readonly days: number;
  /** The first of them. */
  readonly missing: readonly MissingDays[];
  readonly conflicts: number;
  /** The first missing days and conflicts, for the message of the backfill. */
  readonly reason?: string;
}

/** Time to confirm the last hash and to save, before Lambda ends the function. */
const RESERVE_MS = 60_000;
/** An execution of the state machine returns 256 KB at most. */
const MOST_REASONS = 20;

const table = openTable(fromEnvironment('tableName'));
const upstreamsOf = knownUpstreams(openParameters());

/**
 * Proves one era file of a chain, or joins the proven ones.
 * @throws Error when the event is invalid, or the table does not respond
 */
export async function handler(event: unknown, context: Context): Promise<FileReport | JoinReport> {
  const stopAt = Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
  const request = eventSchema.parse(event);
  const report = request.file === undefined ? await join(request) : await proveFile(request, stopAt);
  if ('reason' in report) console.error(report);
  else console.info(report);
  return report;
}

async function proveFile(request: Request, stopAt: number): Promise<FileReport> {
  const { chain: chainName, start_date, file = '', url = '' } = request;
  const chain = chainOf(chainName);
  const store = chainStore(table, chainName);
  const name = parseFileName(file);
  if (!name) throw new Error(`${file} is no era file. Start backfills with npx chain-insights.`);
  const startedAt = Date.now();
  let blocks = 0;
  const upstreams = await upstreamsOf(chain, request.endpoints_parameter);
  const context = {
    clock: systemClock,
    signal: AbortSignal.timeout(stopAt - startedAt + RESERVE_MS),
    onFault: () => {},
  };
  const end = await runEraFile({
    ...{ chain, name, stopAt, store, source: await openEraSource(url) },
    from: await plannedFirstDay(store, chain, start_date, startedAt),
    clock: systemClock,
    probe: () => probeEndpoints(chain, context, upstreams, request),
    onBlocks: (count) => {
      blocks += count;
    },
  });
  return {
    ...{ chain: chainName, file, outcome: end.kind, blocks, seconds: (Date.now() - startedAt) / 1_000 },
    days: end.kind === 'proven' ? end.days : [],
    ...('reason' in end && { reason: end.reason }),
  };
}

async function join(request: Request): Promise<JoinReport> {
  const chain = chainOf(request.chain);
  const { firstDay } = chain;
  const store = chainStore(table, request.chain);
  const from = await plannedFirstDay(store, chain, request.start_date, Date.now());
  const { files, days, missing, conflicts } = await joinEraFiles(store, { firstDay, from, now: Date.now() });
  const reasons = [
    ...missing.map(({ first, last, reason }) => `${first} to ${last}: ${reason}`),
    ...conflicts.map(({ reason }) => reason),
  ];
  return {
    ...{
      chain: request.chain,
      outcome: 'joined',
      files,
      days: days.length,
      missing,
      conflicts: conflicts.length,
    },
    ...(reasons.length > 0 && { reason: reasons.slice(0, MOST_REASONS).join('; ') }),
  };
}
