import { unprovenOf } from '../../core/chains/provable.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { listRestatements } from '../../core/store/days/checkpoints.ts';
import { type CheckedDay, listCheckedDays } from '../../core/store/days/days.ts';
import type { DayWork } from '../backfill/ingest-day.ts';
import { shareOfDay } from '../day-ranges.ts';
import { CommandError, confirm, exitCodes, interrupted } from '../exit-codes.ts';
import { withRpcUrl } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainsOf, type OperatedService, oncePerChain, type ServedChain } from '../service.ts';
import type { ChainDay } from '../verify/verify-days.ts';
import { type RestateOptions, reachableUpstreams, request, restateDay } from './one-day.ts';

interface DayReport {
  readonly chain: string;
  readonly date: UtcDay;
  /** Names of the figures that changed. */
  readonly changed?: readonly string[];
  /** The reason that the day could not be restated. */
  readonly reason?: string;
}

const REASON = 'prove a day that was only checked';

/** Restates the days that are not proven: the newest first, up to a limit. Running it again continues with the others. */
export async function restateCheckedDays(service: OperatedService, options: RestateOptions): Promise<void> {
  const chains = chainsOf(service, options.chain);
  const { found, notes } = await findCheckedDays(chains);
  for (const note of notes) printNote(note);
  const chosen = found.slice(0, options.limit);
  if (chosen.length > 0) {
    await confirm(
      `Restate ${pluralize(chosen.length, 'day')}, with the public reason "${REASON}"?`,
      'No restatement was requested.',
      options,
    );
    const verb = options.wait ? 'Restating' : 'Requesting the restatement of';
    printNote(
      `${verb} ${chosen.length} of ${pluralize(found.length, 'checked day')} (--limit ${options.limit}).`,
    );
  }
  const reports = options.wait ? await restateNow(chosen, options) : await requestAll(chosen);
  const remaining = (await findCheckedDays(chains)).found.length;
  conclude(service, options, reports, remaining);
}

async function requestAll(days: readonly ChainDay[]): Promise<DayReport[]> {
  for (const { served, day } of days) await request(served, day, { reason: REASON, isByHand: false });
  return days.map(({ served, day }) => ({ chain: served.name, date: day }));
}

/** Restates days by hand, since one that cannot be proven must not stop the service's runs. Skips unreachable chains. */
async function restateNow(days: readonly ChainDay[], { rpcUrl }: RestateOptions): Promise<DayReport[]> {
  const reports: DayReport[] = [];
  using progress = startProgressBar('blocks');
  const upstreamsOf = oncePerChain((served) => reachableUpstreams(served, rpcUrl));
  const unreachable = new Set<ServedChain>();
  for (const [index, { served, day }] of days.entries()) {
    if (unreachable.has(served)) continue;
    const onBlock: DayWork['onBlock'] = (read, { timestamp }) => {
      const note = `${served.name} ${read}, day ${index + 1} of ${days.length}`;
      progress.add(1, (index + shareOfDay(read, timestamp)) / days.length, note);
    };
    const asked = { reason: REASON, isByHand: true };
    const result = await upstreamsOf(served)
      .then((upstreams) => restateDay({ served, upstreams, signal: interrupted, onBlock }, day, asked))
      .catch(failureOf);
    if (interrupted.aborted) break;
    const isFailed = result.state === 'failed';
    if (isFailed && result.isUnreachable) unreachable.add(served);
    const outcome =
      result.state === 'restated' ? { changed: result.changed } : isFailed && { reason: result.reason };
    reports.push({ chain: served.name, date: day, ...outcome });
  }
  return reports;
}

function failureOf(error: unknown) {
  if (!(error instanceof CommandError)) throw error;
  return { state: 'failed', reason: error.message, isUnreachable: true } as const;
}

function conclude(
  { flags }: OperatedService,
  options: RestateOptions,
  reports: readonly DayReport[],
  remaining: number,
): void {
  const failed = reports.filter(({ reason }) => reason !== undefined);
  const done = reports.filter(({ reason }) => reason === undefined);
  const state = options.wait ? 'restated' : 'requested';
  const text = [
    ...describeDone(done, options.wait),
    ...failed.map(({ chain, date, reason }) => `${chain} ${date} failed: ${reason}`),
    remaining === 0
      ? `There is ${reports.length > 0 ? 'no other' : 'no'} checked day to restate.`
      : `${pluralize(remaining, 'checked day')} ${remaining === 1 ? 'remains' : 'remain'}.`,
  ];
  printResult(options, { [state]: done, failed, remaining }, text.join('\n'));
  if (remaining > 0) {
    const { chain, limit, rpcUrl, wait, yes } = options;
    const line = commandLine(flags, 'restate', '--all-checked', { chain, limit, noWait: !wait, yes });
    printNote(`To continue: ${withRpcUrl(line, rpcUrl)}`);
  }
  if (interrupted.aborted) process.exitCode = exitCodes.interrupted;
  else if (failed.length > 0) process.exitCode = exitCodes.failed;
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

/** Finds days of chains that may be proven. Those that the service was requested to read again are left to it. */
export async function findCheckedDays(chains: readonly ServedChain[]) {
  const inChains = await Promise.all(chains.map(findInChain));
  return {
    // The newest first: nodes are likelier to have them.
    found: inChains
      .flatMap(({ found }) => found)
      .toSorted((a, b) => b.day.localeCompare(a.day) || a.served.name.localeCompare(b.served.name)),
    // The reasons that other days are left out, in sentences.
    notes: inChains.flatMap(({ notes }) => notes),
  };
}

async function findInChain(served: ServedChain) {
  const { name, chain, store } = served;
  const [checked, requests] = await Promise.all([
    listCheckedDays(store, chain.firstDay),
    listRestatements(store),
  ]);
  const left = new Set(requests.filter(({ restatement }) => !restatement?.isByHand).map(({ day }) => day));
  const byReason = Map.groupBy(
    checked,
    (one) =>
      problemOf(served, one) ?? (left.has(one.date) ? 'the ingest was requested to restate them' : undefined),
  );
  return {
    found: (byReason.get(undefined) ?? []).map(({ date }): ChainDay => ({ served, day: date })),
    notes: [...byReason].flatMap(([reason, own]) =>
      reason ? [`${name}: ${pluralize(own.length, 'checked day')} left out: ${reason}.`] : [],
    ),
  };
}

/** Returns why reading a day again would not prove it. */
function problemOf({ chain, evidence }: ServedChain, { first_block: first }: CheckedDay): string | undefined {
  if (evidence !== undefined && evidence !== 'proven')
    return "the chain's setting `evidence` accepts blocks that are not proven";
  return first && unprovenOf(chain.rules, first.number)?.reason;
}
