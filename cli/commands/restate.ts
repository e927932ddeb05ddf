import type { Command } from 'commander';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { NoEndpointError } from '../../lambda/rpc/retry.ts';
import type { Upstream } from '../../lambda/rpc/upstream.ts';
import type { Restatement } from '../../lambda/store/checkpoint-item.ts';
import type { DayFigures } from '../../lambda/store/day-item.ts';
import { getDay } from '../../lambda/store/days.ts';
import { listRestatements, requestRestatement } from '../../lambda/store/restatements.ts';
import { shareOfDay } from '../day-ranges.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { type DayWork, ingestDayFully } from '../ingest-day.ts';
import { interrupted } from '../interrupt.ts';
import { openService } from '../open-service.ts';
import {
  type CommonOptions,
  chainOption,
  dayOption,
  rpcUrlOption,
  serviceCommand,
  validateRpcUrls,
  withExamples,
} from '../options.ts';
import { commandLine, printNote, printResult } from '../print.ts';
import { startProgress } from '../progress.ts';
import { chainIn, type OperatedService, type ServedChain } from '../service.ts';
import { differingParts, partsOfDay, partsTable } from '../verify/compare.ts';

interface Options extends CommonOptions {
  readonly chain: ChainName;
  readonly date: UtcDay;
  readonly reason: string;
  readonly rpcUrl?: readonly string[];
  readonly wait: boolean;
}

interface Task {
  readonly service: OperatedService;
  readonly served: ServedChain;
  readonly options: Options;
  /** The figures to replace. */
  readonly before: DayFigures;
}

export const restateCommand = (): Command =>
  withExamples(
    serviceCommand(
      'restate',
      'Reads a final day again and replaces its figures. Keeps the old figures with the day, and the reason.',
    )
      .addOption(chainOption())
      .addOption(dayOption('--date <day>', 'day to restate').makeOptionMandatory())
      .requiredOption('--reason <text>', 'reason, stored with the day')
      .addOption(rpcUrlOption('read only these endpoints, in this order (default: those of the service)'))
      .option('--no-wait', "request the restatement and exit: the service's next ingest run performs it")
      .action(restate),
    'restate --chain ETHEREUM --date 2026-11-18 --reason "verify found other figures"',
    'restate --stage prod --chain BASE --date 2026-11-18 --reason "endpoint served wrong receipts" --no-wait',
  );

async function restate(options: Options): Promise<void> {
  checkOptions(options);
  const service = await openService(options);
  const served = chainIn(service, options.chain);
  const before = await getDay(served.store, options.date);
  if (!before) throw notFinal(service, served, options.date);
  const task = { service, served, options, before };
  if (options.wait) await restateNow(task);
  else await restateLater(task);
}

function checkOptions({ reason, rpcUrl, wait }: Options): void {
  if (reason.trim() === '') {
    throw new CommandError('--reason is empty. Give the reason for the restatement.', exitCodes.usage);
  }
  if (!rpcUrl) return;
  validateRpcUrls(rpcUrl);
  if (wait) return;
  throw new CommandError(
    '--no-wait does not accept --rpc-url: the service reads from its own endpoints. Omit one of them.',
    exitCodes.usage,
  );
}

function notFinal({ flags }: OperatedService, { name, chain }: ServedChain, day: UtcDay): CommandError {
  const problem = `${name} ${day} is not final, so it cannot be restated.`;
  if (day < chain.firstDay || day >= dayOf(Date.now() / 1_000)) return new CommandError(problem);
  const range = ['--start-date', day, '--end-date', day];
  return new CommandError(
    `${problem} To ingest it: ${commandLine(flags, 'ingest', '--chain', name, ...range)}`,
  );
}

async function restateLater({ served, options }: Task): Promise<void> {
  const { reason } = await request(served, options);
  printResult(
    options,
    { chain: served.name, date: options.date, reason, state: 'requested' },
    `${served.name} ${options.date}: restatement requested. The next ingest run performs it.`,
  );
}

async function restateNow({ service, served, options, before }: Task): Promise<void> {
  const { name } = served;
  const upstreams = await upstreamsOf(served, options.rpcUrl);
  // A request that this command cannot perform would be performed by the service, from other endpoints.
  await checkReachable(served, upstreams);
  const { reason } = await request(served, options);
  const days = await ingestDays({ service, served, options, before }, upstreams);
  const after = (await getDay(served.store, options.date)) ?? before;
  const [a, b] = [partsOfDay(before), partsOfDay(after)];
  const changed = differingParts(a, b);
  const others = days.slice(1).join(', ');
  const text = [
    `${name} ${options.date} restated: ${reason}`,
    partsTable(['before', 'now'], a, b),
    changed.length === 0 ? 'The figures have not changed.' : 'The old figures are kept with the day.',
    ...(others ? [`Its last block changed, so the following days were restated too: ${others}`] : []),
  ];
  const document = { chain: name, date: options.date, reason, state: 'restated', days, changed };
  printResult(options, { ...document, before: a, after: b }, text.join('\n\n'));
}

/** @throws CommandError when no endpoint responds */
async function checkReachable(served: ServedChain, upstreams: readonly Upstream[]): Promise<void> {
  const probed = new AbortController();
  try {
    await probeChain(served, upstreams, requestContext(AbortSignal.any([interrupted, probed.signal])));
  } catch (error) {
    if (interrupted.aborted) {
      throw new CommandError('Stopped. No restatement was requested.', exitCodes.interrupted);
    }
    if (!(error instanceof NoEndpointError)) throw error;
    throw new CommandError(`No restatement was requested: ${error.message}`);
  } finally {
    probed.abort();
  }
}

/** Requests the restatement. Returns the pending one if it was requested before. */
async function request(
  { name, store }: ServedChain,
  { date, reason, rpcUrl }: Options,
): Promise<Restatement> {
  const restatement = { reason, requestedAt: new Date().toISOString(), isByHand: rpcUrl !== undefined };
  if (await requestRestatement(store, date, restatement)) return restatement;
  const [checkpoint] = await listRestatements(store, date);
  const pending = checkpoint?.restatement ?? restatement;
  const since = `${name} ${date}: a restatement is pending since ${pending.requestedAt}, with the reason "${pending.reason}"`;
  if (restatement.isByHand && !pending.isByHand) {
    throw new CommandError(
      `${since}. The service performs it from its own endpoints. Wait until it is done.`,
    );
  }
  printNote(`${since}.`);
  return pending;
}

/**
 * Ingests the day, and each following day that needs it because the last block of the day before changed.
 * @returns the ingested days
 */
async function ingestDays(task: Task, upstreams: readonly Upstream[]): Promise<readonly UtcDay[]> {
  const { served, options } = task;
  const progress = startProgress('blocks');
  let blocks = 0;
  const work: DayWork = {
    ...{ served, upstreams, signal: interrupted },
    onBlock: (day, { timestamp }) => {
      blocks += 1;
      progress.update(shareOfDay(day, timestamp), blocks, day);
    },
  };
  const isPending = async (day: UtcDay) => (await listRestatements(served.store, day)).length > 0;
  try {
    const days: UtcDay[] = [];
    for (let day = options.date; days.length === 0 || (await isPending(day)); day = addDays(day, 1)) {
      const result = await ingestDayFully(work, day);
      if (result.state !== 'final') {
        throw notDone(task, day, result.state === 'failed' ? result.reason : undefined);
      }
      days.push(day);
    }
    return days;
  } finally {
    progress.end();
  }
}

/** @param reason undefined after Ctrl-C */
function notDone({ service, served, options }: Task, day: UtcDay, reason: string | undefined): CommandError {
  const { name } = served;
  const parameters = ['--chain', name, '--date', day, '--reason', options.reason];
  const next = options.rpcUrl
    ? // A URL may hold a secret, so it is not repeated.
      `To continue: ${commandLine(service.flags, 'restate', ...parameters)} --rpc-url …`
    : 'The next ingest runs continue it.';
  const unchanged = 'The old figures stay until it is done.';
  return reason === undefined
    ? new CommandError(`Stopped. Blocks read so far are saved. ${unchanged} ${next}`, exitCodes.interrupted)
    : new CommandError(`Restating ${name} ${day} failed: ${reason}. ${unchanged} ${next}`);
}
