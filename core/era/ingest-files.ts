import { type ChainName, chainOf } from '../chains/chains.ts';
import { systemClock } from '../clock.ts';
import type { UtcDay } from '../figures/calendar.ts';
import type { PriceSource } from '../figures/dollars.ts';
import type { SourceSettings } from '../ingest/chain-settings.ts';
import { otherPrice } from '../ingest/days/stated-price.ts';
import { isProofRequired } from '../ingest/hosts.ts';
import { readAggregator } from '../ingest/prices/read-aggregator.ts';
import { probeEndpoints } from '../ingest/probe-endpoints.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { type EraSums, getEraSums } from '../store/era-sums.ts';
import { plannedFirstDay } from '../store/first-day.ts';
import type { ChainStore } from '../store/table.ts';
import { createEraSource } from './choose-source.ts';
import { type BlockFileName, parseFileName } from './file-name.ts';
import { joinEraFiles } from './join-files.ts';
import { type EraFileContext, type FileOutcome, publishEraFile } from './publish-file.ts';
import { UnreadableError } from './source.ts';
import { isSummed, type ProvenNow, readEraFile } from './sum-file.ts';

interface EraSettings extends SourceSettings {
  readonly chain: ChainName;
  readonly startDate?: UtcDay | undefined;
}

interface FileRequest extends EraSettings {
  readonly job: 'prove file';
  /** The mirror or bucket that has the file. */
  readonly url: string;
  readonly file: string;
}

/** An event of a backfill from era files. */
type EraRequest = FileRequest | (EraSettings & { readonly job: 'join files' });

/** The table and the endpoints of a run. */
interface EraContext {
  readonly store: ChainStore;
  readonly upstreams: readonly Upstream[];
  /** Milliseconds since 1970. */
  readonly stopAt: number;
}

/** A run over a file, as it is logged and returned. The state machine reads `final`, `outcome` and `blocks`, as of other runs. */
interface FileReport {
  readonly chain: string;
  readonly file: string;
  readonly outcome: 'proven' | 'out of time' | 'failed';
  /** The file is proven. */
  readonly final: boolean;
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
  /** Days that became final. */
  readonly days: number;
  readonly conflicts: number;
  /** The first days that are not complete, and the first conflicts. */
  readonly reason?: string;
}

export type EraReport = FileReport | JoinReport;

/** Time to confirm the last hash and to save, before the run's deadline. */
const RESERVE_MS = 30_000;
/** An execution of the state machine returns 256 KB at most. */
const MAX_REASONS = 20;

/**
 * Proves one era file of a chain, or joins the proven ones.
 * @throws Error when the file is refused, as no later run can succeed
 */
export const runEra = (request: EraRequest, context: EraContext): Promise<EraReport> =>
  request.job === 'join files' ? joinFiles(request, context) : proveFile(request, context);

/** The end of a run over a file, or the reason why the file cannot be read for now. */
export type FileRunOutcome = FileOutcome | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Proves and sums a file from where the last run over it stopped, and publishes its days.
 * @param sum continues from sums with the prices of a contract, and may throw UnreadableError
 */
export async function runEraFile(
  context: EraFileContext,
  file: BlockFileName,
  sum: (begun: EraSums | undefined, feed: PriceSource | undefined) => Promise<EraSums>,
): Promise<FileRunOutcome> {
  const before = await getEraSums(context.store, file.name);
  // A refused file starts over: it may have been repaired.
  const begun = before.sums?.problem === undefined ? before.sums : undefined;
  try {
    if (begun && isSummed(begun)) return await publishEraFile(context, before, begun);
    const [summed] = begun?.days ?? [];
    const feed = summed ? sourceOf(summed.dollars) : await feedOf(context, file.first);
    return await publishEraFile(context, before, await withPrices(context, await sum(begun, feed)));
  } catch (error) {
    if (error instanceof UnreadableError) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

/** Refuses a file with a price of blobs or of L1 that an endpoint states differently. */
async function withPrices({ probe }: EraFileContext, sums: EraSums): Promise<EraSums> {
  const probed = isSummed(sums) ? await probe() : undefined;
  if (probed?.kind !== 'probed') return sums;
  for (const day of sums.days) {
    const other = await otherPrice(probed.source, day);
    if (other) return { ...sums, problem: other.reason, days: [] };
  }
  return sums;
}

const sourceOf = (sums: PriceSource | undefined): PriceSource | undefined =>
  sums && { aggregator: sums.aggregator, maxAge: sums.maxAge };

/**
 * Finds the contract that recorded prices at the first block of a file, where an endpoint keeps the state of the past. The days of the file
 * have dollars only once readings around them name the same one.
 */
async function feedOf({ chain, probe }: EraFileContext, first: number): Promise<PriceSource | undefined> {
  if (!chain.priceFeed) return undefined;
  const probed = await probe();
  if (probed.kind !== 'probed') return undefined;
  const result = await readAggregator(probed.source, first);
  if (result.kind === 'not read') return undefined;
  return { aggregator: result.reading.aggregator, maxAge: chain.priceFeed.maxAge };
}

async function proveFile(
  request: FileRequest,
  { store, upstreams, stopAt }: EraContext,
): Promise<FileReport> {
  const { chain: chainName, file, url } = request;
  const [chain, clock] = [chainOf(chainName), systemClock];
  const name = parseFileName(file);
  if (!name) throw new Error(`${file} is no era file. Start backfills with npx --no chain-insights.`);
  const startedAt = clock.now();
  let blocks = 0;
  const onBlocks = (proven: ProvenNow) => {
    blocks += proven.blocks;
  };
  const until = (time: number) => AbortSignal.timeout(Math.max(0, time - startedAt));
  const context = { clock, signal: until(stopAt), onFault: () => {} };
  const signal = until(stopAt - RESERVE_MS);
  const source = await createEraSource(url);
  const from = await plannedFirstDay(store, chain, request.startDate, startedAt);
  const probe = () => probeEndpoints(chain, context, upstreams, request);
  const rules = { from, clock, probe, isProofRequired: isProofRequired(chain, request) };
  const end = await runEraFile({ chain, store, ...rules }, name, (begun, feed) =>
    readEraFile(source, { chain, name, clock, signal, begun, feed, onBlocks }),
  );
  if (end.kind === 'refused') throw new Error(`${file}: ${end.reason}`);
  return {
    chain: chainName,
    file,
    outcome: OUTCOMES[end.kind],
    final: end.kind === 'proven',
    blocks,
    seconds: (clock.now() - startedAt) / 1_000,
    days: end.kind === 'proven' ? end.days : [],
    ...('reason' in end && { reason: end.reason }),
    ...('note' in end && { reason: end.note }),
  };
}

const OUTCOMES = { proven: 'proven', unfinished: 'out of time', unreadable: 'failed' } as const;

async function joinFiles(request: EraSettings, { store }: EraContext): Promise<JoinReport> {
  const chain = chainOf(request.chain);
  const { firstDay } = chain;
  const from = await plannedFirstDay(store, chain, request.startDate, systemClock.now());
  const rules = { firstDay, now: systemClock.now(), isProofRequired: isProofRequired(chain, request) };
  const joined = await joinEraFiles(store, { from, ...rules });
  const { files, days, missing, conflicts } = joined;
  const reasons = [
    ...missing.map(({ first, last, reason }) => `${first} to ${last}: ${reason}`),
    ...conflicts.map(({ reason }) => reason),
  ];
  return {
    chain: request.chain,
    outcome: 'joined',
    files,
    days: days.length,
    conflicts: conflicts.length,
    ...(reasons.length > 0 && { reason: reasons.slice(0, MAX_REASONS).join('; ') }),
  };
}
