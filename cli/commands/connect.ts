import type { Command } from 'commander';
import { pMapIterable } from 'p-map';
import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { connectDay, readParentHash } from '../../core/ingest/days/connect-days.ts';
import { getDay, listUnconnectedDays } from '../../core/store/days.ts';
import { plannedFirstDay } from '../../core/store/first-day.ts';
import { refreshCoverage } from '../../core/store/refresh-coverage.ts';
import { formatRange, groupIntoRanges } from '../day-ranges.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { interrupted } from '../interrupt.ts';
import { type CommonOptions, chainsOption, serviceCommand, withExamples } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainsOf, type ServedChain } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
}

export const connectCommand = (): Command =>
  withExamples(
    serviceCommand(
      'connect',
      'Adds the parent hash to days that an earlier version stored, from a few headers each, and reports days that do not continue the day before.',
    )
      .addOption(chainsOption())
      .action(connect),
    'connect',
    'connect --stage prod --chain BASE',
  );

type ChainResult = Awaited<ReturnType<typeof connectChain>>;

async function connect(options: Options): Promise<void> {
  const service = await findService(options);
  const results: ChainResult[] = [];
  for (const served of chainsOf(service, options.chain)) results.push(await connectChain(served));
  printResult(options, results, results.map(showResult).join('\n'));
  if (interrupted.aborted) {
    const chains = options.chain ? ['--chain', ...options.chain] : [];
    printNote(`Stopped. To continue: ${commandLine(service.flags, 'connect', ...chains)}`);
    process.exitCode = exitCodes.interrupted;
  } else if (results.some(({ failed }) => failed.length > 0)) {
    process.exitCode = exitCodes.failed;
  }
}

/** Each waits for one header. */
const CONCURRENCY = 8;

interface DayResult {
  readonly date: UtcDay;
  readonly kind: 'connected' | 'waiting' | 'no endpoint' | 'conflict';
  readonly reason?: string;
}

/** Connects the days of a chain, the latest first. After Ctrl-C, the days connected so far are kept. */
async function connectChain(served: ServedChain) {
  const { name, chain, store, from } = served;
  const days = interrupted.aborted ? [] : (await listUnconnectedDays(store)).toReversed();
  const ends = days.length === 0 ? [] : await connectDays(served, days);
  const connected = ends.filter(({ kind }) => kind === 'connected').map(({ date }) => date);
  if (connected.length > 0) {
    await refreshCoverage(store, await plannedFirstDay(store, chain, from, Date.now()), connected);
  }
  return {
    chain: name,
    connected: connected.length,
    waiting: ends.filter(({ kind }) => kind === 'waiting').map(({ date }) => date),
    failed: ends.filter(({ reason }) => reason !== undefined).map(({ date, reason }) => ({ date, reason })),
  };
}

async function connectDays(served: ServedChain, days: readonly UtcDay[]): Promise<DayResult[]> {
  const { name, store } = served;
  using progress = startProgressBar('days');
  const ends: DayResult[] = [];
  const failed = (reason: string) => days.map((date) => ({ date, kind: 'no endpoint' as const, reason }));
  let done = 0;
  try {
    const upstreams = await upstreamsOf(served, undefined);
    const probe = await probeChain(served, upstreams, requestContext(interrupted));
    if (probe.kind !== 'probed') return failed(probe.reason);
    const { source } = probe;
    const read = async (date: UtcDay) => {
      const figures = interrupted.aborted ? undefined : await getDay(store, date);
      const parent = figures && (await readParentHash(source, figures).catch(ignoreInterrupt));
      return parent && { figures, parent };
    };
    // The day after it confirms the end of each day, so they are stored in this order.
    for await (const one of pMapIterable(days, read, { concurrency: CONCURRENCY })) {
      progress.update(++done / days.length, done, name);
      if (!one) continue;
      const { figures, parent } = one;
      const end = await connectDay({ source, store }, figures, parent).catch(ignoreInterrupt);
      if (end) ends.push({ date: figures.day, ...end });
    }
    return ends;
  } catch (error) {
    if (error instanceof CommandError) return failed(error.message);
    return ignoreInterrupt(error) ?? ends;
  }
}

function ignoreInterrupt(error: unknown): undefined {
  if (!interrupted.aborted) throw error;
}

function showResult({ chain, connected, waiting, failed }: ChainResult): string {
  const byReason = Map.groupBy(failed, ({ reason }) => reason);
  if (connected + waiting.length + failed.length === 0) return `${chain}: all days are connected.`;
  const state = failed.length === 0 ? ', and each day continues the day before' : '';
  return [
    `${chain}: ${pluralize(connected, 'day')} connected${state}.`,
    ...waiting.map((date) => `${date} waits until the day after it is final.`),
    ...[...byReason].map(([reason, days]) => `${formatDates(days)} not connected: ${reason}`),
  ].join('\n');
}

const formatDates = (days: ChainResult['failed']) =>
  groupIntoRanges(days.map(({ date }) => date).toSorted())
    .map(formatRange)
    .join(', ');
