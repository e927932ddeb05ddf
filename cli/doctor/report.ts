import { dayOf, earlier, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { type Cell, formatDuration, formatTable } from '../print.ts';
import type { AnchorReport } from './anchor.ts';
import { type EndpointReport, type FailedCheck, REQUIRED_CHECKS } from './checks.ts';
import { describeFeed } from './feed.ts';
import { describeFinality } from './finality.ts';
import { type AnnouncedFork, forkStatuses, forksAhead } from './forks.ts';
import { isWhole } from './history.ts';
import { formatCallRate } from './speed.ts';
import type { Target } from './targets.ts';

/** The prospects of ingesting a chain from its endpoints. */
export interface ChainReport {
  readonly chain: string;
  /** The configured first day. */
  readonly start_date: UtcDay;
  /** True when the chain can be ingested from the start date, faster than it grows. */
  readonly works: boolean;
  /** First day that any endpoint provides; absent when unknown. */
  readonly since?: UtcDay;
  readonly pace?: Pace;
  /** Absent when no endpoint is known. */
  readonly anchor?: AnchorReport;
  readonly summary: string;
  /** Faults of the endpoints with advice, and their call limits. */
  readonly problems: readonly string[];
  /** Announced forks ahead: this version may have to be updated for them. */
  readonly forks: readonly AnnouncedFork[];
  readonly endpoints: readonly EndpointReport[];
}

interface Pace {
  readonly calls_per_second_needed: number;
  readonly calls_per_second_measured: number;
  /** Seconds to ingest all days from the start date on; absent when the chain grows faster. */
  readonly catches_up_in?: number;
}

type Outlook = Pick<ChainReport, 'works' | 'since' | 'pace' | 'summary'>;

const CALLS_PER_BLOCK = 2;

/**
 * @param endpoints in the order in which the ingest uses them
 * @param now seconds since 1970
 */
export function reportChain(
  target: Target,
  endpoints: readonly EndpointReport[],
  anchor: AnchorReport,
  now: number,
): ChainReport {
  const usable = endpoints.filter((endpoint) => isUsable(endpoint, target));
  const problems = endpoints.flatMap(({ failed_checks, limits }) => [
    ...failed_checks.map((failure) => describeFailure(failure, target, usable.length > 0)),
    ...(limits?.refused
      ? [`${limits.refused.reason}, at ${limits.refused.calls_at_once} concurrent calls`]
      : []),
  ]);
  const { name, from } = target;
  const forks = forksAhead(name, dayOf(now));
  return {
    chain: name,
    start_date: from,
    ...(usable.length > 0 && 'reason' in anchor
      ? { works: false, summary: `waits: ${anchor.reason}` }
      : outlookOf(target, endpoints, usable, now)),
    anchor,
    problems,
    forks,
    endpoints,
  };
}

/** Returns whether the ingest would read from an endpoint. */
const isUsable = ({ has_receipts, is_proven }: EndpointReport, { evidence }: Target): boolean =>
  has_receipts === true && (is_proven === true || evidence !== 'proven');

/** Reports a chain whose list of endpoints cannot be read. */
export const reportWithoutEndpoints = ({ name, from }: Target, reason: string): ChainReport => ({
  chain: name,
  start_date: from,
  works: false,
  summary: 'cannot be ingested: its endpoints cannot be read.',
  problems: [reason],
  forks: [],
  endpoints: [],
});

function outlookOf(
  { from, settings }: Target,
  endpoints: readonly EndpointReport[],
  usable: readonly EndpointReport[],
  now: number,
): Outlook {
  const [first] = usable;
  if (!first) return { works: false, summary: unusable(endpoints, settings) };
  const known = usable.flatMap(({ history }) => (history ? [history.since] : []));
  if (known.length === 0) {
    return { works: false, summary: 'can be ingested from today; how far back is unknown.' };
  }
  const since = known.reduce(earlier);
  if (since > from) {
    const reasons = usable.flatMap(({ history }) => history?.ends_because ?? []);
    const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
    const advice = `Set ${settings.from} to ${since} or later, or add an endpoint with more history.`;
    return {
      works: false,
      since,
      summary: `can be ingested from ${since}, not from ${from}${why}. ${advice}`,
    };
  }
  return { since, ...paceOutlook(first, from, now) };
}

/** Returns whether an endpoint keeps up with its chain. */
function paceOutlook(first: EndpointReport, from: UtcDay, now: number): Omit<Outlook, 'since'> {
  const pace = paceOf(first, from, now);
  if (!pace) return { works: true, summary: `can be ingested from ${from}; the speed is unknown.` };
  const needed = `${formatCallRate(pace.calls_per_second_needed)} calls/s needed`;
  const measured = formatCallRate(pace.calls_per_second_measured);
  if (pace.catches_up_in === undefined) {
    const advice = 'Put a faster endpoint first, or choose a plan with more calls.';
    return {
      works: false,
      pace,
      summary: `cannot keep up with new blocks: ${needed}, ${measured} measured at ${first.endpoint}. ${advice}`,
    };
  }
  const time = `at least ${formatDuration(pace.catches_up_in)} to catch up`;
  return {
    works: true,
    pace,
    summary: `can be ingested from ${from} (${needed}, ${measured} measured; ${time}).`,
  };
}

function unusable(endpoints: readonly EndpointReport[], settings: Target['settings']): string {
  return endpoints.some(({ has_receipts }) => has_receipts)
    ? 'waits: no endpoint gives blocks that can be proven. Add another endpoint. To accept such blocks after consistency checks alone, and mark their days, ' +
        `set ${settings.evidence} to checked.`
    : 'cannot be ingested: no endpoint passed the required checks.';
}

/** Derives the pace from the first usable endpoint, since the ingest uses the others only as fallbacks. */
function paceOf({ seconds_per_block, limits }: EndpointReport, from: UtcDay, now: number): Pace | undefined {
  if (!seconds_per_block || !limits) return undefined;
  const needed = CALLS_PER_BLOCK / seconds_per_block;
  const measured = limits.calls_per_second;
  const behind = Math.max(0, now - startOfDay(from)) * needed;
  return {
    calls_per_second_needed: needed,
    calls_per_second_measured: measured,
    ...(measured > needed && { catches_up_in: behind / (measured - needed) }),
  };
}

function describeFailure(failure: FailedCheck, target: Target, hasUsable: boolean): string {
  const advice = failure.check === 'proof' ? proofAdvice(target, hasUsable) : adviceFor(failure, target);
  return advice ? `${failure.reason}. ${advice}` : failure.reason;
}

function proofAdvice({ evidence }: Target, hasUsable: boolean): string {
  if (evidence !== 'proven')
    return 'Its blocks pass consistency checks alone, and mark their days as checked.';
  return hasUsable ? 'The ingest reads from the other endpoints.' : '';
}

/** Faults whose reasons already say what to do. */
const ADVISES: ReadonlySet<string> = new Set(['wrong chain', 'rate limit', 'quota', 'down', 'misconfigured']);

function adviceFor({ check, kind }: FailedCheck, { settings }: Target): string {
  if (check === 'raw blocks') return 'Its blocks are read as JSON.';
  if (check === 'latency' && kind === 'no method') {
    return 'Without eth_getBlockReceipts, a block costs a call for each of its transactions: prefer another endpoint.';
  }
  if (!REQUIRED_CHECKS.has(check) || ADVISES.has(kind)) return '';
  if (kind === 'unreachable' || kind === 'timeout') {
    return 'Check its URL, and whether this machine can reach it.';
  }
  if (kind === 'stale') return 'Wait until the node has synced, or use another endpoint.';
  if (check === 'finalized block') {
    return `If it does not support the finalized tag, set ${settings.confirmations}, or use another endpoint.`;
  }
  if (check === 'receipts') {
    return 'It needs a working eth_getBlockReceipts: use another endpoint or another plan.';
  }
  return 'Check that this is the URL of a JSON-RPC endpoint.';
}

const HEAD = ['chain', 'endpoint', 'status', 'finalized', 'history since', 'latency, ms', 'calls/s', 'raw'];
const LEGEND = [
  'latency: median of 12 calls for blocks, and of 12 for receipts.',
  'calls/s: highest rate, and the number of concurrent calls that reached it.',
  'raw: whether it gives blocks as RLP, which the ingest reads faster than JSON.',
].join('\n');

/** @param now seconds since 1970 */
export function showReports(reports: readonly ChainReport[], now: number): string {
  const rows = reports.flatMap(({ chain, endpoints }) =>
    endpoints.map((endpoint, index) => [index === 0 ? chain : '', ...cellsOf(endpoint, now)]),
  );
  const summaries = reports.map(({ chain, summary, anchor, problems, forks }) => {
    const lines = [...problems, ...describeAnchor(anchor, now), ...forks.map(describeFork)];
    return [`${chain} ${summary}`, ...lines.map((line) => `  ${line}`)].join('\n');
  });
  return [...(rows.length > 0 ? [formatTable(HEAD, rows), LEGEND] : []), ...summaries].join('\n\n');
}

const hostList = new Intl.ListFormat('en', { type: 'conjunction' });

function describeAnchor(anchor: AnchorReport | undefined, now: number): string[] {
  if (!anchor || 'reason' in anchor) return [];
  const { number, timestamp, hosts, contradicted_by: others, finality, feed } = anchor;
  const advice = others
    ? `. ${hostList.format(others)} contradict${others.length === 1 ? 's' : ''} it. Remove the faulty one if this persists`
    : '';
  return [
    `Anchor: block ${number}, ${formatDuration(now - timestamp)} ago, supported by ${hostList.format(hosts)}${advice}.`,
    ...(finality ? describeFinality(finality, now) : []),
    ...(feed ? [describeFeed(feed, now)] : []),
  ];
}

const describeFork = ({ name, date, effect, status, source }: AnnouncedFork): string =>
  `Fork ahead: ${name}, ${date ?? 'not dated yet'}. ${forkStatuses[status]}. ${effect} ${source}`;

/** Shows the first failed check as the status, and leaves cells without a result empty. */
function cellsOf(report: EndpointReport, now: number): Cell[] {
  const { endpoint, finalized, history, block_latency_ms, receipts_latency_ms, limits, offers_raw } = report;
  const [failure] = report.failed_checks;
  return [
    endpoint,
    failure ? `${failure.check}: ${failure.kind}` : 'ok',
    finalized ? `${formatDuration(now - finalized.timestamp)} ago` : '',
    history ? `${history.since}${isWhole(history.block) ? ' (all)' : ''}` : '',
    [block_latency_ms, receipts_latency_ms].filter((latency) => latency !== undefined).join(', '),
    limits ? `${formatCallRate(limits.calls_per_second)} at ${limits.calls_at_once}` : '',
    offers_raw === undefined ? '' : offers_raw ? 'yes' : 'no',
  ];
}
