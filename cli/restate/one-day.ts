import type { ChainName } from '../../core/chains/chains.ts';
import { coinAmount } from '../../core/figures/amounts.ts';
import { addDays, dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import type { Restatement } from '../../core/figures/day-figures.ts';
import { totalFees } from '../../core/figures/fee-parts.ts';
import { asSentence } from '../../core/printable.ts';
import { listRestatements, requestRestatement, saveCheckpoint } from '../../core/store/days/checkpoints.ts';
import { differingParts, isContiguous, partsOfDay } from '../../core/store/days/compare-figures.ts';
import { getDay } from '../../core/store/days/days.ts';
import { type DayWork, ingestDayFully } from '../backfill/ingest-day.ts';
import { shareOfDay } from '../day-ranges.ts';
import { openNetwork, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, confirm, exitCodes, interrupted, orStopped } from '../exit-codes.ts';
import { type ChainsOptions, type RpcUrlOptions, withRpcUrl } from '../options.ts';
import { commandLine, formatCount, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainIn, type OperatedService, type ServedChain } from '../service.ts';
import { partsTable } from '../verify/report.ts';

export interface RestateOptions extends ChainsOptions, RpcUrlOptions {
  readonly limit: number;
  readonly wait: boolean;
  readonly yes: boolean;
}

export interface OneDayOptions extends Omit<RestateOptions, 'chain'> {
  readonly chain: ChainName;
  readonly date: UtcDay;
  readonly reason: string;
}

/** Restates one final day, or requests that only. */
export async function restateOneDay(service: OperatedService, options: OneDayOptions): Promise<void> {
  const { chain, date, reason, rpcUrl } = options;
  const served = chainIn(service, chain);
  await askFirst(service, served, options);
  if (options.wait) return restateNow(service, served, options);
  const requested = await request(served, date, { reason, isByHand: rpcUrl !== undefined });
  printResult(
    options,
    { chain, date, reason: requested.reason, state: 'requested' },
    `${chain} ${date}: restatement requested. The next ingest run performs it.`,
  );
}

/** Shows which figures are at stake, and that the reason is public. @throws CommandError when the day is not final */
async function askFirst(
  { flags }: OperatedService,
  { name, store, chain }: ServedChain,
  options: OneDayOptions,
): Promise<void> {
  const { date, reason } = options;
  const before = await getDay(store, date);
  if (!before) {
    const problem = `${name} ${date} is not final, so it cannot be restated.`;
    const isOver = date >= chain.firstDay && date < dayOf(Date.now() / 1_000);
    const ingest = commandLine(flags, 'ingest', { chain: name, startDate: date, endDate: date });
    throw new CommandError(isOver ? `${problem} To ingest it: ${ingest}` : problem);
  }
  if (options.yes) return;
  const { first, last, totals } = before;
  const blocks = first ? `blocks ${first.number} to ${last.number}` : 'no blocks';
  printNote(
    [
      `${name} ${date} now: ${formatCount(totals.transactions)} transactions, fees of ${coinAmount(totalFees(totals.fees))} ${chain.coin}, ${blocks}.`,
      'Its blocks are read again. If the figures differ, they replace these for every caller, and an event is sent.',
      `The old figures and the reason stay with the day, for everyone with a key: "${reason}"`,
    ].join('\n'),
  );
  await confirm(`Restate ${name} ${date}?`, 'No restatement was requested.', options);
}

async function restateNow({ flags }: OperatedService, served: ServedChain, options: OneDayOptions) {
  const { chain, date, rpcUrl } = options;
  const upstreams = await reachableUpstreams(served, rpcUrl);
  using progress = startProgressBar('blocks');
  const onBlock: DayWork['onBlock'] = (day, { timestamp }) =>
    progress.add(1, shareOfDay(day, timestamp), day);
  const asked = { reason: options.reason, isByHand: rpcUrl !== undefined };
  const result = await restateDay({ served, upstreams, signal: interrupted, onBlock }, date, asked);
  progress.end();
  if (result.state !== 'restated')
    throw notDone(flags, options, result.day, result.state === 'failed' ? result.reason : undefined);
  const { reason, days, before, after, changed } = result;
  const others = days.slice(1).join(', ');
  const isSame = changed.length === 0;
  const text = [
    isSame ? `${chain} ${date} read again` : `${chain} ${date} restated: ${reason}`,
    partsTable(['before', 'now'], before, after),
    isSame ? UNCHANGED : 'The old figures are kept with the day.',
    ...(others ? [`Its first block changed, so the days before it were read again too: ${others}`] : []),
  ];
  printResult(options, { chain, date, ...result }, text.join('\n\n'));
}

const UNCHANGED =
  'The figures have not changed. If the evidence is better now, the day has a new revision, and an event is sent.';

/** @param why undefined after Ctrl-C */
function notDone(
  flags: string,
  { chain, reason, rpcUrl }: OneDayOptions,
  date: UtcDay,
  why: string | undefined,
): CommandError {
  const next = rpcUrl
    ? `To continue: ${withRpcUrl(commandLine(flags, 'restate', { chain, date, reason }), rpcUrl)}`
    : 'The next ingest runs continue it.';
  const unchanged = `The old figures stay until it is done. ${next}`;
  return why === undefined
    ? new CommandError(`Stopped. Blocks read so far are saved. ${unchanged}`, exitCodes.interrupted)
    : new CommandError(`Restating ${chain} ${date} failed: ${asSentence(why)} ${unchanged}`);
}

/** Returns endpoints once one responds: what this command cannot perform is left to the service. @throws CommandError */
export async function reachableUpstreams(served: ServedChain, urls: readonly string[] | undefined) {
  const upstreams = await upstreamsOf(served, urls);
  const probed = new AbortController();
  const context = requestContext(AbortSignal.any([interrupted, probed.signal]));
  const probing = openNetwork(served, upstreams, context, 'No restatement was requested: ');
  await orStopped(
    probing.finally(() => probed.abort()),
    'Stopped. No restatement was requested.',
  );
  return upstreams;
}

type Request = Pick<Restatement, 'reason' | 'isByHand'>;

/**
 * Requests the restatement of a day. Returns the pending one if it was requested before.
 * @param isByHand leaves it to commands: the service's runs do not perform it. A later request without it hands the day over to them
 * @throws CommandError when the service is to perform a pending one
 */
export async function request(
  { name, store }: Pick<ServedChain, 'name' | 'store'>,
  date: UtcDay,
  { isByHand, ...given }: Request,
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
  if (checkpoint && !isByHand && pending.isByHand) {
    const handedOver = { ...checkpoint, restatement: { ...pending, isByHand } };
    // A command that still performs it may have saved progress meanwhile.
    if (!(await saveCheckpoint(store, handedOver, checkpoint)))
      return request({ name, store }, date, { isByHand, ...given });
  }
  printNote(`${since}.`);
  return pending;
}

/** Requests the restatement of a final day and performs it. Returns also its reason, and the figures before and after it. */
export async function restateDay(work: DayWork, date: UtcDay, asked: Request) {
  const { served } = work;
  const partsNow = async () => {
    const day = await getDay(served.store, date);
    if (!day) throw new Error(`${served.name} ${date} is not stored`);
    return partsOfDay(day);
  };
  const before = await partsNow();
  const { reason } = await request(served, date, asked);
  const result = await perform(work, date);
  if (result.state !== 'restated') return result;
  const after = await partsNow();
  return { ...result, reason, before, after, changed: differingParts(before, after) };
}

/** Performs a restatement, and that of the day before when it moved its end, and so on. @returns also where it stopped */
async function perform(work: DayWork, last: UtcDay) {
  const { store } = work.served;
  const days: UtcDay[] = [];
  for (let day = last; ; ) {
    const result = await ingestDayFully(work, day);
    if (result.state === 'waiting')
      return { state: 'failed', day, reason: UNANCHORED, isUnreachable: false } as const;
    if (result.state !== 'final') return { ...result, day };
    days.push(day);
    const restated = await getDay(store, day);
    day = addDays(day, -1);
    const before = await getDay(store, day);
    const isMoved = before !== undefined && restated !== undefined && !isContiguous(before, restated);
    if (!isMoved || (await listRestatements(store, day)).length === 0)
      return { state: 'restated', days } as const;
  }
}

const UNANCHORED =
  'its blocks are read, but the day after it is not final, and too few hosts confirm the block after it';
