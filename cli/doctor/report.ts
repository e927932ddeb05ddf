import type { ChainName } from '../../core/chains/chains.ts';
import { describeScheduled, type ScheduledFork } from '../../core/chains/scheduled-fork.ts';
import { dayOf, earlier, SECONDS_PER_DAY, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { policyAt } from '../../core/figures/day-figures.ts';
import { CALLS_PER_BLOCK } from '../backfill/plan.ts';
import { formatDollars, maxDollars } from '../node-prices.ts';
import { formatDuration, formatRate, formatTable, listed, type TableCell } from '../print.ts';
import { wrapText } from '../wrap.ts';
import { type AnchorReport, describeAnchor } from './anchor.ts';
import type { EndpointReport, FailedCheck } from './checks.ts';
import announcedForks from './forks.json' with { type: 'json' };
import type { Target } from './targets.ts';

/**
 * @param endpoints in the order of the ingest; none when they cannot be read
 * @param now seconds since 1970
 * @param refused the first block that the last run refused, if its rules were not known
 */
export function reportChain(
  target: Target,
  endpoints: readonly EndpointReport[],
  anchor: AnchorReport,
  now: number,
  {
    refused,
    scheduled = [],
  }: { readonly refused?: number | undefined; readonly scheduled?: readonly ScheduledFork[] } = {},
) {
  const { name, from, evidence } = target;
  const usable = endpoints.filter(
    ({ has_receipts, is_proven }) => has_receipts && (is_proven || evidence !== 'proven'),
  );
  const isWaiting = 'reason' in anchor && (usable.length > 0 || endpoints.length === 0);
  const outlook = isWaiting
    ? { works: false, summary: `${usable.length > 0 ? 'waits' : 'cannot be ingested'}: ${anchor.reason}` }
    : outlookOf(target, endpoints, usable, now);
  const problems = endpoints
    .flatMap(({ failed_checks }) => failed_checks)
    .map((failure) => describeFailure(failure, target, usable.length > 0));
  // This version may have to be updated for them.
  const forks = forksAhead(name, dayOf(now));
  const wayOn = refused === undefined ? undefined : wayOnFrom(target, refused);
  return {
    chain: name,
    start_date: from,
    ...outlook,
    anchor,
    problems,
    forks,
    scheduled,
    ...(wayOn && { refused_block: refused, way_on: wayOn }),
    endpoints,
  };
}

/** Returns how a chain continues after an unknown fork; undefined if receipts are believed from its first block on. */
function wayOnFrom({ settingOf, evidence }: Target, refused: number): string | undefined {
  if (policyAt(evidence, refused) === 'stated') return undefined;
  return (
    `The last run refused block ${refused}. If the chain has forked, update. If no version knows the fork yet, and receipts state what senders pay ` +
    `(docs/operate/forks.md#how-a-change-is-noticed), set ${settingOf('evidence')} to 'checked from ${refused}', and deploy or start the service again.`
  );
}

/** Returns whether a chain can be ingested from its start date, faster than it grows, and the first day that any endpoint provides. */
function outlookOf(
  { from, settingOf }: Target,
  endpoints: readonly EndpointReport[],
  usable: readonly EndpointReport[],
  now: number,
) {
  const waits = (summary: string, since?: UtcDay) => ({ works: false, summary, ...(since && { since }) });
  if (usable.length === 0) {
    return endpoints.some(({ has_receipts }) => has_receipts)
      ? waits(
          'waits: no endpoint gives blocks that can be proven. Add another endpoint. To accept such blocks after consistency checks alone, and mark their days, ' +
            `set ${settingOf('evidence')} to checked.`,
        )
      : waits('cannot be ingested: no endpoint passed the required checks.');
  }
  const histories = usable.flatMap(({ history }) => history ?? []);
  if (histories.length === 0) return waits('can be ingested from today; how far back is unknown.');
  const since = histories.map((history) => history.since).reduce(earlier);
  if (since <= from) return { since, ...paceOutlook(usable, from, now) };
  const reasons = histories.flatMap(({ ends_because }) => ends_because ?? []);
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  const advice = `Set ${settingOf('startDate')} to ${since} or later, or add an endpoint with more history.`;
  return waits(`can be ingested from ${since}, not from ${from}${why}. ${advice}`, since);
}

/** Compares the pace of a chain with that of the endpoints that blocks are read from. They share the work where blocks are proven. */
function paceOutlook(usable: readonly EndpointReport[], from: UtcDay, now: number) {
  const sharing = usable.filter(({ is_proven, is_reserve }) => is_proven && !is_reserve);
  const working = (sharing.length > 0 ? sharing : usable.slice(0, 1)).filter(({ limits }) => limits);
  const seconds_per_block = working.find((endpoint) => endpoint.seconds_per_block)?.seconds_per_block;
  if (!seconds_per_block)
    return { works: true, summary: `can be ingested from ${from}; the speed is unknown.` };
  const needed = CALLS_PER_BLOCK / seconds_per_block;
  const measured = working.reduce((sum, { limits }) => sum + (limits?.calls_per_second ?? 0), 0);
  const max_dollars_a_month = maxDollars(needed * SECONDS_PER_DAY * 30);
  const pace = { calls_per_second_needed: needed, calls_per_second_measured: measured, max_dollars_a_month };
  const cost = `Calls of new blocks cost ${formatDollars(max_dollars_a_month)} a month (docs/operate/cost.md#nodes).`;
  const rates = `${formatRate(needed)} calls/s needed, ${formatRate(measured)} measured`;
  if (measured <= needed) {
    const hosts = listed(working.map(({ endpoint }) => endpoint));
    const advice = 'Add an endpoint, or choose a plan with more calls.';
    return {
      works: false,
      pace,
      summary: `cannot keep up with new blocks: ${rates} at ${hosts}. ${advice} ${cost}`,
    };
  }
  // Seconds to ingest all days from the start date on.
  const catches_up_in = (Math.max(0, now - startOfDay(from)) * needed) / (measured - needed);
  const summary = `can be ingested from ${from} (${rates}; at least ${formatDuration(catches_up_in)} to catch up). ${cost}`;
  return { works: true, pace: { ...pace, catches_up_in }, summary };
}

/** Faults whose reasons already say what to do. */
const ADVISING = /^(unreachable|timeout|wrong chain|rate limit|quota|down|misconfigured)$/;

/** Adds what to do to the reason of a failure, unless that says it. */
function describeFailure({ check, kind, reason }: FailedCheck, target: Target, hasUsable: boolean): string {
  if (check === 'proof' && target.evidence !== 'proven')
    return `${reason}. Its blocks pass consistency checks alone, and mark their days as checked.`;
  if (check === 'proof' && hasUsable) return `${reason}. The ingest reads from the other endpoints.`;
  if (check === 'limits' && kind === 'no method')
    return `${reason}. Without eth_getBlockReceipts, a block costs a call for each of its transactions: prefer another endpoint.`;
  if (ADVISING.test(kind)) return reason;
  if (check === 'finalized block')
    return `${reason}. If it does not support the finalized tag, set ${target.settingOf('confirmations')}, or use another endpoint.`;
  if (check === 'receipts')
    return `${reason}. It needs a working eth_getBlockReceipts: use another endpoint or another plan.`;
  return reason;
}

/** @param now seconds since 1970 */
export function showReports(reports: readonly ReturnType<typeof reportChain>[], now: number): string {
  // At most 80 columns wide, with the hosts of the default endpoints.
  const head = ['endpoint', 'status', 'final ago', 'since', 'calls/s'];
  const rows = reports.flatMap(({ chain, endpoints }) =>
    endpoints.length > 0 ? [[chain], ...endpoints.map((endpoint) => cellsOf(endpoint, now))] : [],
  );
  const summaries = reports.map(
    ({ chain, summary, anchor, problems, forks, scheduled, way_on: wayOn, endpoints }) => {
      const lines = [
        ...problems,
        ...endpoints.flatMap(({ endpoint, row = [] }) =>
          row.map((text) => `Differs from the row at ${endpoint}: ${text}`),
        ),
        ...(wayOn === undefined ? [] : [wayOn]),
        ...describeAnchor(anchor, now),
        ...forks.map(describeFork),
        ...scheduled.map(describeScheduled),
      ];
      return wrapText([`${chain} ${summary}`, ...lines.map((line) => `  ${line}`)].join('\n'));
    },
  );
  return [...(rows.length > 0 ? [formatTable(head, rows)] : []), ...summaries].join('\n\n');
}

/** Shows the first word of the first failed check as the status, and leaves cells without a result empty. */
function cellsOf({ endpoint, failed_checks: [failure], ...found }: EndpointReport, now: number): TableCell[] {
  const { finalized, history, limits } = found;
  return [
    `  ${endpoint}`,
    failure?.check.split(' ')[0] ?? 'ok',
    finalized ? formatDuration(now - finalized.timestamp) : '',
    history ? (history.ends_because === undefined ? 'all' : history.since) : '',
    limits ? `${formatRate(limits.calls_per_second)} at ${limits.calls_at_once}` : '',
  ];
}

/** Answers of this version to a fork. */
const forkStatuses: Readonly<Record<string, string>> = {
  covered: 'This version follows it',
  noticed: 'Days wait for an update',
  'no effect': 'No figure changes',
};

/** Returns the announced forks of a chain that are ahead on a day, and those without a date. Delete one once it is live and covered. */
export const forksAhead = (chain: ChainName, today: UtcDay) =>
  announcedForks.filter((fork) => fork.chain === chain && (fork.date ?? today) >= today);

const describeFork = ({ name, date, effect, status, source }: (typeof announcedForks)[number]): string =>
  `Fork ahead: ${name}, ${date ?? 'no date yet'}. ${forkStatuses[status]}. ${effect} ${source}`;
