import type { ChainName } from '../../core/chains/chains.ts';
import { unprovenOf } from '../../core/chains/provable.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { Upstream } from '../../core/rpc/upstream.ts';
import { differingParts, partsOfDay } from '../../core/store/compare-figures.ts';
import { getDay, listCheckedDays } from '../../core/store/days.ts';
import { listRestatements } from '../../core/store/restatements.ts';
import { shareOfDay } from '../day-ranges.ts';
import { upstreamsOf } from '../endpoints.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { DayWork } from '../ingest-day.ts';
import { interrupted } from '../interrupt.ts';
import { type CommonOptions, withRpcUrl } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainsOf, type OperatedService, oncePerChain, type ServedChain } from '../service.ts';
import { checkReachable, performRestatement, request } from './one-day.ts';

export interface AllCheckedOptions extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly limit: number;
  readonly rpcUrl?: readonly string[];
  readonly wait: boolean;
}

/** The reason that is stored with each day. */
const REASON = 'prove a day that was only checked';

interface DayReport {
  readonly chain: ChainName;
  readonly date: UtcDay;
  /** Names of the figures that changed. */
  readonly changed?: readonly string[];
  /** The reason that the day could not be restated. */
  readonly reason?: string;
}

/**
 * Restates stored days whose evidence is `checked`, so that their figures are proven: the newest first, up to a limit. Running it
 * again continues with the others.
 */
export async function restateAllChecked(service: OperatedService, options: AllCheckedOptions): Promise<void> {
  const chains = chainsOf(service, options.chain);
  const { provable, notes } = await findCheckedDays(chains);
  for (const note of notes) printNote(note);
  const chosen = provable.slice(0, options.limit);
  if (chosen.length > 0) {
    const verb = options.wait ? 'Restating' : 'Requesting the restatement of';
    printNote(
      `${verb} ${chosen.length} of ${pluralize(provable.length, 'checked day')} (--limit ${options.limit}).`,
    );
  }
  const reports = options.wait ? await restateNow(chosen, options) : await requestAll(chosen);
  const remaining = (await findCheckedDays(chains)).provable.length;
  conclude(service, options, reports, { remaining, hasOthers: notes.length > 0 });
}

async function requestAll(days: readonly CheckedDay[]): Promise<DayReport[]> {
  for (const { served, day } of days) await request(served, day, { reason: REASON, isByHand: false });
  return days.map(({ served, day }) => ({ chain: served.name, date: day }));
}

/** Restates days one by one. After a chain's endpoints fail to respond, its other days are not tried. */
async function restateNow(days: readonly CheckedDay[], { rpcUrl }: AllCheckedOptions): Promise<DayReport[]> {
  const reports: DayReport[] = [];
  using progress = startProgressBar('blocks');
  const createUpstreams = oncePerChain(async (served) => {
    const upstreams = await upstreamsOf(served, rpcUrl);
    await checkReachable(served, upstreams);
    return upstreams;
  });
  const unreachable = new Set<ServedChain>();
  let blocks = 0;
  for (const [index, { served, day }] of days.entries()) {
    if (unreachable.has(served)) continue;
    const onBlock: DayWork['onBlock'] = (read, { timestamp }) => {
      blocks += 1;
      const note = `${served.name} ${read}, day ${index + 1} of ${days.length}`;
      progress.update((index + shareOfDay(read, timestamp)) / days.length, blocks, note);
    };
    const result = await restateDay(createUpstreams, { served, signal: interrupted, onBlock }, day);
    if (interrupted.aborted) break;
    if (result.isUnreachable) unreachable.add(served);
    reports.push(result.report);
  }
  return reports;
}

/** Requests the restatement by hand: a day that no endpoint can prove must not stop the service's own runs. */
async function restateDay(
  createUpstreams: (served: ServedChain) => Promise<readonly Upstream[]>,
  work: Omit<DayWork, 'upstreams'>,
  date: UtcDay,
): Promise<{ readonly report: DayReport; readonly isUnreachable?: boolean }> {
  const { name: chain, store } = work.served;
  try {
    const upstreams = await createUpstreams(work.served);
    const before = await getDay(store, date);
    await request(work.served, date, { reason: REASON, isByHand: true });
    const result = await performRestatement({ ...work, upstreams }, date);
    if (result.state === 'failed') {
      return { report: { chain, date, reason: result.reason }, isUnreachable: result.isUnreachable };
    }
    const after = await getDay(store, date);
    const changed = before && after ? differingParts(partsOfDay(before), partsOfDay(after)) : [];
    return { report: { chain, date, changed } };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { report: { chain, date, reason: error.message }, isUnreachable: true };
  }
}

function conclude(
  { flags }: OperatedService,
  options: AllCheckedOptions,
  reports: readonly DayReport[],
  { remaining, hasOthers }: { readonly remaining: number; readonly hasOthers: boolean },
): void {
  const failed = reports.filter(({ reason }) => reason !== undefined);
  const done = reports.filter(({ reason }) => reason === undefined);
  const state = options.wait ? 'restated' : 'requested';
  const text = [
    ...describeDone(done, options.wait),
    ...failed.map(({ chain, date, reason }) => `${chain} ${date} failed: ${reason}`),
    remaining === 0
      ? describeProven(reports, hasOthers || (!options.wait && reports.length > 0))
      : `${pluralize(remaining, 'checked day')} ${remaining === 1 ? 'remains' : 'remain'}.`,
  ];
  printResult(options, { [state]: done, failed, remaining }, text.join('\n'));
  if (remaining > 0) printNote(`To continue: ${lineToContinue(flags, options)}`);
  if (interrupted.aborted) process.exitCode = exitCodes.interrupted;
  else if (failed.length > 0) process.exitCode = exitCodes.checkFailed;
}

/** @param isSomeLeft true when days that were left out, or that are only requested, may not be proven */
function describeProven(reports: readonly DayReport[], isSomeLeft: boolean): string {
  const nothing = reports.length === 0 ? ' There is nothing to restate.' : '';
  return `Every ${isSomeLeft ? 'other ' : ''}final day is proven.${nothing}`;
}

function describeDone(days: readonly DayReport[], wait: boolean): string[] {
  if (days.length === 0) return [];
  const count = pluralize(days.length, 'day');
  if (!wait) return [`Requested the restatement of ${count}. The next ingest runs perform them.`];
  const changed = days.filter((day) => day.changed && day.changed.length > 0);
  return [
    `Restated ${count}: every block is proven now.`,
    ...changed.map(({ chain, date, changed = [] }) => `${chain} ${date} changed: ${changed.join(', ')}`),
  ];
}

function lineToContinue(flags: string, { chain, limit, rpcUrl, wait }: AllCheckedOptions): string {
  const parameters = [
    ...(chain ? ['--chain', ...chain] : []),
    ...['--limit', String(limit)],
    ...(wait ? [] : ['--no-wait']),
  ];
  const line = commandLine(flags, 'restate', '--all-checked', ...parameters);
  return withRpcUrl(line, rpcUrl);
}

interface CheckedDay {
  readonly served: ServedChain;
  readonly day: UtcDay;
}

/** The final days whose evidence is `checked`. */
interface CheckedDays {
  /** Days that a restatement can prove, the newest first: nodes are likelier to have them. */
  readonly provable: readonly CheckedDay[];
  /** The reasons that other days are left out, in sentences. */
  readonly notes: readonly string[];
}

/** Finds the checked days of chains. Days whose restatement is left to the service are not among them. */
export async function findCheckedDays(chains: readonly ServedChain[]): Promise<CheckedDays> {
  const found = await Promise.all(chains.map(findInChain));
  return {
    provable: found
      .flatMap(({ provable }) => provable)
      .toSorted((a, b) => b.day.localeCompare(a.day) || a.served.name.localeCompare(b.served.name)),
    notes: found.flatMap(({ notes }) => notes),
  };
}

async function findInChain(served: ServedChain): Promise<CheckedDays> {
  const { name, chain, store, evidence } = served;
  const [checked, requests] = await Promise.all([
    listCheckedDays(store, chain.firstDay),
    listRestatements(store),
  ]);
  const left = new Set(requests.filter(({ restatement }) => !restatement?.isByHand).map(({ day }) => day));
  const reasonOf = ({ day, first }: (typeof checked)[number]) =>
    evidence !== undefined && evidence !== 'proven'
      ? "the chain's setting `evidence` accepts blocks that are not proven"
      : ((first && unprovenOf(chain.rules, first.number)?.reason) ??
        (left.has(day) ? 'the ingest was requested to restate them' : undefined));
  const byReason = Map.groupBy(checked, reasonOf);
  return {
    provable: (byReason.get(undefined) ?? []).map(({ day }) => ({ served, day })),
    notes: [...byReason].flatMap(([reason, days]) =>
      reason ? [`${name}: ${pluralize(days.length, 'checked day')} left out: ${reason}.`] : [],
    ),
  };
}
