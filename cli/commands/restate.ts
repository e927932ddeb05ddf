import type { Command } from 'commander';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { NoEndpointError } from '../../lambda/rpc/retry.ts';
import type { Upstream } from '../../lambda/rpc/upstream.ts';
import { listRestatements, type Restatement, requestRestatement } from '../../lambda/store/checkpoints.ts';
import { type DayFigures, getDay } from '../../lambda/store/days.ts';
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
import { differingParts, partsOfDay } from '../verify/compare.ts';
import { partsTable } from '../verify/parts-table.ts';

interface Options extends CommonOptions {
  readonly chain: ChainName;
  readonly date: UtcDay;
  readonly reason: string;
  readonly rpcUrl?: readonly string[];
  readonly wait: boolean;
}

/** A final day that is to be read again. */
interface Task {
  readonly service: OperatedService;
  readonly served: ServedChain;
  readonly options: Options;
  readonly before: DayFigures;
}

export const restateCommand = (): Command =>
  withExamples(
    serviceCommand(
      'restate',
      'Reads a final day again and puts what is found in its place. The old figures are kept beside it, with the reason.',
    )
      .addOption(chainOption())
      .addOption(dayOption('--date <day>', 'the day').makeOptionMandatory())
      .requiredOption('--reason <text>', 'why, for whoever finds two revisions of the day')
      .addOption(rpcUrlOption('read these nodes alone, in this order (default: those of the service)'))
      .option('--no-wait', "only ask for it: the service's own ingest does it, soon")
      .action(restate),
    'restate --chain ETHEREUM --date 2026-11-18 --reason "verify found other figures"',
    'restate --stage prod --chain BASE --date 2026-11-18 --reason "a node lied" --no-wait',
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
  if (reason.trim() === '') throw new CommandError('--reason is empty: say why.', exitCodes.usage);
  if (!rpcUrl) return;
  validateRpcUrls(rpcUrl);
  if (wait) return;
  throw new CommandError(
    '--no-wait leaves it to the service, which reads its own nodes: leave out --rpc-url or --no-wait.',
    exitCodes.usage,
  );
}

function notFinal({ flags }: OperatedService, { name, chain }: ServedChain, day: UtcDay): CommandError {
  const problem = `${name} ${day} is not final, so there is nothing to restate.`;
  if (day < chain.firstDay || day >= dayOf(Date.now() / 1_000)) return new CommandError(problem);
  const range = ['--start-date', day, '--end-date', day];
  return new CommandError(
    `${problem} To read it: ${commandLine(flags, 'ingest', '--chain', name, ...range)}`,
  );
}

async function restateLater({ served, options }: Task): Promise<void> {
  const { reason } = await askFor(served, options);
  printResult(
    options,
    { chain: served.name, date: options.date, reason, state: 'requested' },
    `${served.name} ${options.date} will be read again by the next run of the ingest.`,
  );
}

async function restateNow({ service, served, options, before }: Task): Promise<void> {
  const { name } = served;
  const upstreams = await upstreamsOf(served, options.rpcUrl);
  // Before anything is asked for: whoever names nodes that are away does not want it done by others.
  await checkPresent(served, upstreams);
  const { reason } = await askFor(served, options);
  const days = await readAgain({ service, served, options, before }, upstreams);
  const after = (await getDay(served.store, options.date)) ?? before;
  const [a, b] = [partsOfDay(before), partsOfDay(after)];
  const changed = differingParts(a, b);
  const others = days.slice(1).join(', ');
  const text = [
    `${name} ${options.date} is restated: ${reason}`,
    partsTable(['before', 'now'], a, b),
    changed.length === 0
      ? 'Its figures are the same as before.'
      : 'The figures of before are kept beside the new ones.',
    ...(others ? [`It ends with another block now, so these were read again too: ${others}`] : []),
  ];
  const document = { chain: name, date: options.date, reason, state: 'restated', days, changed };
  printResult(options, { ...document, before: a, after: b }, text.join('\n\n'));
}

/** @throws CommandError when none of the nodes can be read */
async function checkPresent(served: ServedChain, upstreams: readonly Upstream[]): Promise<void> {
  const over = new AbortController();
  try {
    await probeChain(served, upstreams, requestContext(AbortSignal.any([interrupted, over.signal])));
  } catch (error) {
    if (interrupted.aborted) throw new CommandError('Stopped. Nothing was asked for.', exitCodes.interrupted);
    if (!(error instanceof NoEndpointError)) throw error;
    throw new CommandError(`Nothing was asked for, because ${error.message}`);
  } finally {
    over.abort();
  }
}

/** @returns the restatement that is under way: this one, or one that was asked for before */
async function askFor({ name, store }: ServedChain, { date, reason, rpcUrl }: Options): Promise<Restatement> {
  const wanted = { reason, requestedAt: new Date().toISOString(), isByHand: rpcUrl !== undefined };
  if (await requestRestatement(store, date, wanted)) return wanted;
  const [checkpoint] = await listRestatements(store, date);
  const asked = checkpoint?.restatement ?? wanted;
  const since = `${name} ${date} is being restated already, since ${asked.requestedAt}: ${asked.reason}`;
  if (wanted.isByHand && !asked.isByHand) {
    throw new CommandError(`${since}. The service reads it from its own nodes: wait until that is done.`);
  }
  printNote(since);
  return asked;
}

/** @returns the days that were read again: those after the first, because the one before ends with another block now */
async function readAgain(task: Task, upstreams: readonly Upstream[]): Promise<readonly UtcDay[]> {
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
  const isAskedFor = async (day: UtcDay) => (await listRestatements(served.store, day)).length > 0;
  try {
    const days: UtcDay[] = [];
    for (let day = options.date; days.length === 0 || (await isAskedFor(day)); day = addDays(day, 1)) {
      const end = await ingestDayFully(work, day);
      if (end.state !== 'final') throw notDone(task, day, end.state === 'failed' ? end.reason : undefined);
      days.push(day);
    }
    return days;
  } finally {
    progress.end();
  }
}

/** @param reason why it could not be read; undefined after Ctrl-C */
function notDone({ service, served, options }: Task, day: UtcDay, reason: string | undefined): CommandError {
  const { name } = served;
  const parameters = ['--chain', name, '--date', day, '--reason', options.reason];
  const goOn = options.rpcUrl
    ? // A URL may hold a secret, so that it is not repeated.
      `Go on with: ${commandLine(service.flags, 'restate', ...parameters)} --rpc-url …`
    : 'The next runs of the ingest go on with it.';
  const stands = 'Until it is done, the old figures stand.';
  return reason === undefined
    ? new CommandError(`Stopped. What was read is saved. ${stands} ${goOn}`, exitCodes.interrupted)
    : new CommandError(`${name} ${day} could not be read again: ${reason}. ${stands} ${goOn}`);
}
