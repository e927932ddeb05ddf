import { earlier, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { formatDuration } from '../print.ts';
import { type Examination, NEEDED, type Problem } from './examination.ts';
import { type Limits, shownRate } from './speed.ts';
import type { Target } from './targets.ts';

/** Whether a chain would be ingested with its endpoints, all taken together. */
export interface Verdict {
  readonly chain: string;
  /** First day that it is to be ingested from. */
  readonly start_date: UtcDay;
  /** Whether all of it works from that day on, and fast enough. */
  readonly works: boolean;
  /** First day that any of the endpoints can give; absent where none can, or it is not known. */
  readonly since?: UtcDay;
  readonly pace?: Pace;
  /** The same in a sentence. */
  readonly summary: string;
  /** What is wrong with its endpoints, and what to do; and where they refused more calls. */
  readonly problems: readonly string[];
}

/** Two calls a block. */
interface Pace {
  readonly seconds_per_block: number;
  readonly calls_per_second_needed: number;
  readonly calls_per_second_measured: number;
  /** Seconds until all days since the first are read; absent where it never gets there. */
  readonly catches_up_in?: number;
}

type Verdicts = Omit<Verdict, 'chain' | 'start_date' | 'problems'>;

const CALLS_PER_BLOCK = 2;

/** An endpoint that passed what it cannot do without. What was not finished after that is only not known. */
const isUsable = ({ has_receipts }: Examination): boolean => has_receipts === true;

/**
 * @param examined the endpoints in the order in which the ingest asks them
 * @param now seconds
 */
export function verdictOf(target: Target, examined: readonly Examination[], now: number): Verdict {
  const problems = examined.flatMap((one) => [
    ...one.problems.map((problem) => told(problem, target)),
    ...(one.limits?.refused ? [refusalOf(one.limits.refused)] : []),
  ]);
  const place = { chain: target.name, start_date: target.from };
  return { ...place, ...verdictsOf(target, examined.filter(isUsable), now), problems };
}

/** @param reason why the chain has no endpoints at all */
export const withoutEndpoints = ({ name, from }: Target, reason: string): Verdict => ({
  ...{ chain: name, start_date: from, works: false },
  summary: 'does not work: its endpoints cannot be read',
  problems: [reason],
});

function verdictsOf({ from, settings }: Target, usable: readonly Examination[], now: number): Verdicts {
  const [first] = usable;
  if (!first) return { works: false, summary: 'does not work: no endpoint can be used' };
  const known = usable.flatMap(({ history }) => (history ? [history.since] : []));
  if (known.length === 0) {
    return { works: false, summary: 'works for new days, but how far back is not known' };
  }
  const since = known.reduce(earlier);
  if (since > from) {
    const advice = `set ${settings.from} to that day or a later one, or add an endpoint with more history`;
    const reasons = usable.flatMap(({ history }) => history?.ends_because ?? []);
    const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
    return { works: false, since, summary: `works from ${since} on, and not from ${from}${why}: ${advice}` };
  }
  const pace = paceOf(first, from, now);
  if (!pace) return { works: true, since, summary: `works from ${from} on; how fast is not known` };
  const figures = `${shownRate(pace.calls_per_second_needed)} calls/s needed, ${shownRate(pace.calls_per_second_measured)} measured`;
  if (pace.catches_up_in === undefined) {
    const advice = 'put a faster one first, or take a plan with more calls';
    return {
      works: false,
      since,
      pace,
      summary: `does not keep up at ${first.endpoint} (${figures}): ${advice}`,
    };
  }
  const time = `all days since ${from} take ${formatDuration(pace.catches_up_in)} at least`;
  return { works: true, since, pace, summary: `works from ${from} on (${figures}; ${time})` };
}

/** The ingest reads from the first endpoint that can give a block, so that one sets the pace. */
function paceOf({ seconds_per_block, limits }: Examination, from: UtcDay, now: number): Pace | undefined {
  if (!seconds_per_block || !limits) return undefined;
  const needed = CALLS_PER_BLOCK / seconds_per_block;
  const measured = limits.calls_per_second;
  const behind = Math.max(0, now - startOfDay(from)) * needed;
  return {
    seconds_per_block,
    calls_per_second_needed: needed,
    calls_per_second_measured: measured,
    ...(measured > needed && { catches_up_in: behind / (measured - needed) }),
  };
}

const refusalOf = ({ calls_at_once, reason }: NonNullable<Limits['refused']>) =>
  `${reason}, with ${calls_at_once} calls at once`;

const told = (problem: Problem, target: Target) => {
  const advice = adviceFor(problem, target);
  return advice ? `${problem.reason}. ${advice}` : problem.reason;
};

/** What to do about a problem. */
function adviceFor({ check, kind }: Problem, { name, settings }: Target): string {
  if (kind === 'rate limit') return 'It allows too few calls: take a larger plan, or another endpoint.';
  if (!NEEDED.has(check)) return '';
  if (kind === 'wrong chain') return `Take it out, or give the URL of a node of ${name}.`;
  if (kind === 'not reached' || kind === 'timeout') {
    return 'Check its URL, and whether it can be reached from here.';
  }
  if (kind === 'HTTP error') return 'Check its URL and the key in it.';
  if (kind === 'old') return 'Wait until the node has caught up with its chain, or take another.';
  if (check === 'finalized block') {
    return `If it lacks the finalized tag, set ${settings.confirmations}, or take another endpoint.`;
  }
  if (check === 'receipts') {
    return 'Its eth_getBlockReceipts does not give what is needed: take another node, or another plan.';
  }
  return 'Check whether this is the URL of a JSON-RPC endpoint.';
}
