import type { ChainName } from '../../core/chains/chains.ts';
import { coinAmount } from '../../core/figures/amounts.ts';
import { addDays, dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayFigures, Restatement } from '../../core/figures/day-figures.ts';
import { totalFees } from '../../core/figures/fee-parts.ts';
import type { Upstream } from '../../core/rpc/upstream.ts';
import { differingParts, isContiguous, partsOfDay } from '../../core/store/days/compare-figures.ts';
import { getDay } from '../../core/store/days/days.ts';
import { listRestatements, requestRestatement } from '../../core/store/days/restatements.ts';
import { type DayResult, type DayWork, ingestDayFully } from '../backfill/ingest-day.ts';
import { shareOfDay } from '../day-ranges.ts';
import { openSource, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, confirm, exitCodes, interrupted, orStopped } from '../exit-codes.ts';
import { type ChainsOptions, withRpcUrl } from '../options.ts';
import { commandLine, formatCount, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainIn, type OperatedService, type ServedChain } from '../service.ts';
import { partsTable } from '../verify/report.ts';

/**
 * Checks that an endpoint responds, before a restatement is requested: one that this command cannot perform would be left to
 * the service.
 * @throws CommandError when none responds
 */
export async function checkReachable(served: ServedChain, upstreams: readonly Upstream[]): Promise<void> {
  const probed = new AbortController();
  const context = requestContext(AbortSignal.any([interrupted, probed.signal]));
  const probing = openSource(served, upstreams, context, 'No restatement was requested: ');
  await orStopped(
    probing.finally(() => probed.abort()),
    'Stopped. No restatement was requested.',
  );
}

/**
 * Requests the restatement of a day. Returns the pending one if it was requested before.
 * @param isByHand leaves it to commands: the service's runs do not perform it
 * @throws CommandError when the service is to perform a pending one
 */
export async function request(
  { name, store }: ServedChain,
  date: UtcDay,
  { isByHand, ...given }: Pick<Restatement, 'reason' | 'isByHand'>,
): Promise<Restatement> {
  const restatement = { ...given, requestedAt: new Date().toISOString(), isByHand };
  if (await requestRestatement(store, date, restatement)) return restatement;
  const [checkpoint] = await listRestatements(store, date);
  const pending = checkpoint?.restatement ?? restatement;
  const since = `${name} ${date}: a restatement is pending since ${pending.requestedAt}, with the reason "${pending.reason}"`;
  if (isByHand && !pending.isByHand) {
    throw new CommandError(
      `${since}. The service performs it from its own endpoints. Wait until it is done.`,
    );
  }
  printNote(`${since}.`);
  return pending;
}

/** The result of a restatement: the days that were read again, or the day at which it stopped. */
type Performed =
  | { readonly state: 'restated'; readonly days: readonly UtcDay[] }
  | (Exclude<DayResult, { readonly state: 'final' | 'waiting' }> & { readonly day: UtcDay });

/**
 * Performs the requested restatement of a day. When it moves the day's start, the day before was requested too, and is performed too,
 * and so on.
 */
export async function performRestatement(work: DayWork, last: UtcDay): Promise<Performed> {
  const { store } = work.served;
  const days: UtcDay[] = [];
  for (let day = last; ; ) {
    const result = await ingestDayFully(work, day);
    if (result.state === 'waiting') return { state: 'failed', day, reason: UNANCHORED, isUnreachable: false };
    if (result.state !== 'final') return { ...result, day };
    days.push(day);
    const restated = await getDay(store, day);
    day = addDays(day, -1);
    const before = await getDay(store, day);
    const isMoved = before !== undefined && restated !== undefined && !isContiguous(before, restated);
    if (!isMoved || (await listRestatements(store, day)).length === 0) return { state: 'restated', days };
  }
}

const UNANCHORED =
  'its blocks are read, but the day after it is not final, and too few hosts confirm the block after it';

export interface RestateOptions extends ChainsOptions {
  readonly limit: number;
  readonly rpcUrl?: readonly string[];
  readonly wait: boolean;
  readonly yes: boolean;
}

export interface OneDayOptions extends Omit<RestateOptions, 'chain'> {
  readonly chain: ChainName;
  readonly date: UtcDay;
  readonly reason: string;
}

interface Task {
  readonly service: OperatedService;
  readonly served: ServedChain;
  readonly options: OneDayOptions;
  /** The figures to replace. */
  readonly before: DayFigures;
}

/** Restates one final day, or requests that only. */
export async function restateOneDay(service: OperatedService, options: OneDayOptions): Promise<void> {
  const served = chainIn(service, options.chain);
  const before = await getDay(served.store, options.date);
  if (!before) throw notFinal(service, served, options.date);
  const task = { service, served, options, before };
  await askFirst(task);
  if (options.wait) await restateNow(task);
  else await restateLater(task);
}

/** Shows which figures are at stake, and that the reason is public. */
async function askFirst({ served, options, before }: Task): Promise<void> {
  if (options.yes) return;
  const { date, reason } = options;
  const { first, last, totals } = before;
  const blocks = first ? `blocks ${first.number} to ${last.number}` : 'no blocks';
  printNote(
    [
      `${served.name} ${date} now: ${formatCount(totals.transactions)} transactions, fees of ${coinAmount(totalFees(totals.fees))} ${served.chain.coin}, ${blocks}.`,
      'Its blocks are read again. If the figures differ, they replace these for every caller, and an event is sent.',
      `The old figures and the reason stay with the day, for everyone with a key: "${reason}"`,
    ].join('\n'),
  );
  await confirm(`Restate ${served.name} ${date}?`, 'No restatement was requested.', options);
}

function notFinal({ flags }: OperatedService, { name, chain }: ServedChain, day: UtcDay): CommandError {
  const problem = `${name} ${day} is not final, so it cannot be restated.`;
  if (day < chain.firstDay || day >= dayOf(Date.now() / 1_000)) return new CommandError(problem);
  const ingest = commandLine(flags, 'ingest', { chain: name, startDate: day, endDate: day });
  return new CommandError(`${problem} To ingest it: ${ingest}`);
}

const requestOf = ({ reason, rpcUrl }: OneDayOptions) => ({ reason, isByHand: rpcUrl !== undefined });

async function restateLater({ served, options }: Task): Promise<void> {
  const { reason } = await request(served, options.date, requestOf(options));
  printResult(
    options,
    { chain: served.name, date: options.date, reason, state: 'requested' },
    `${served.name} ${options.date}: restatement requested. The next ingest run performs it.`,
  );
}

async function restateNow(task: Task): Promise<void> {
  const { served, options, before } = task;
  const { name } = served;
  const upstreams = await upstreamsOf(served, options.rpcUrl);
  await checkReachable(served, upstreams);
  const { reason } = await request(served, options.date, requestOf(options));
  const days = await performNow(task, upstreams);
  const after = (await getDay(served.store, options.date)) ?? before;
  const [a, b] = [partsOfDay(before), partsOfDay(after)];
  const changed = differingParts(a, b);
  const others = days.slice(1).join(', ');
  const isSame = changed.length === 0;
  const text = [
    isSame ? `${name} ${options.date} read again` : `${name} ${options.date} restated: ${reason}`,
    partsTable(['before', 'now'], a, b),
    isSame ? UNCHANGED : 'The old figures are kept with the day.',
    ...(others ? [`Its first block changed, so the days before it were read again too: ${others}`] : []),
  ];
  const document = { chain: name, date: options.date, reason, state: 'restated', days, changed };
  printResult(options, { ...document, before: a, after: b }, text.join('\n\n'));
}

const UNCHANGED =
  'The figures have not changed, so that no event is sent. A day whose evidence is better now has a new revision.';

/** @returns the days that were read again */
async function performNow(task: Task, upstreams: readonly Upstream[]): Promise<readonly UtcDay[]> {
  using progress = startProgressBar('blocks');
  let blocks = 0;
  const work: DayWork = {
    served: task.served,
    upstreams,
    signal: interrupted,
    onBlock: (day, { timestamp }) => {
      blocks += 1;
      progress.update(shareOfDay(day, timestamp), blocks, day);
    },
  };
  const result = await performRestatement(work, task.options.date);
  if (result.state === 'restated') return result.days;
  throw notDone(task, result.day, result.state === 'failed' ? result.reason : undefined);
}

/** @param reason undefined after Ctrl-C */
function notDone({ service, served, options }: Task, day: UtcDay, reason: string | undefined): CommandError {
  const { name } = served;
  const again = commandLine(service.flags, 'restate', { chain: name, date: day, reason: options.reason });
  const next = options.rpcUrl
    ? `To continue: ${withRpcUrl(again, options.rpcUrl)}`
    : 'The next ingest runs continue it.';
  const unchanged = 'The old figures stay until it is done.';
  return reason === undefined
    ? new CommandError(`Stopped. Blocks read so far are saved. ${unchanged} ${next}`, exitCodes.interrupted)
    : new CommandError(`Restating ${name} ${day} failed: ${reason}. ${unchanged} ${next}`);
}
