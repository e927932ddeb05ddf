import type { RequestContext } from './deadline.ts';
import { EndpointError, type FaultKind, quote, UNAVAILABLE_KINDS } from './endpoint.ts';
import { afterSuccess, isBroken, isCoolingDown } from './health.ts';
import type { Rpc } from './json-rpc.ts';
import { CoolingDownError, recordedRpc, recordFault } from './paced-call.ts';
import { nextUpstream, type RequestOrder, setHealth, type Upstream, working } from './upstream.ts';

/** A valid response, or the reasons why no endpoint gave one. */
export type Fetched<T> = { readonly kind: 'fetched'; readonly value: T } | NoEndpoint;

export interface NoEndpoint {
  readonly kind: 'no endpoint';
  /** All reasons in one sentence. */
  readonly reason: string;
  /** The last reason of each endpoint. Each begins with the host. */
  readonly reasons: readonly string[];
  /** True if every endpoint always answered that it does not have the data. Then no retry helps. */
  readonly isUnavailable: boolean;
  /** True if every endpoint gave a block that follows a rule that this version does not know. */
  readonly isRuleChange?: boolean;
  /** True if each endpoint that has the data gave what no rule known here allows, and at least one has it. */
  readonly isRefused?: boolean;
  /** True when files have the data, and it is damaged: only other files help. */
  readonly isDamaged?: boolean;
}

export const fetched = <T>(value: T): Fetched<T> => ({ kind: 'fetched', value });

export const noEndpoint = (
  what: string,
  reasons: readonly string[],
  { isUnavailable = false, isRuleChange = false, isRefused = false } = {},
): NoEndpoint => ({
  kind: 'no endpoint',
  reason: `No endpoint gave a valid response for ${what}. ${reasons.join('. ')}`,
  reasons,
  isUnavailable,
  isRuleChange,
  isRefused,
});

/** Merges the failures of requests that went to one endpoint each. */
export function noneOf(what: string, failures: readonly NoEndpoint[]): NoEndpoint {
  const reasons = failures.flatMap((failure) => failure.reasons);
  return noEndpoint(what, reasons);
}

/** The outcome of one endpoint's turn: a value, or the reason for refusing its response and the kind of fault. */
export type Attempt<T> = { readonly value: T } | Refused;

type Request<T> = (rpc: Rpc, upstream: Upstream) => Promise<Attempt<T>>;

export interface Refused {
  readonly refused: string;
  readonly fault?: FaultKind;
}

/** The number of tries of each endpoint, and of a provider that gives wrong answers. The pauses between them grow. */
const ROUNDS = 3;
/** With these faults a provider is likely to give the same wrong answer at its other endpoints too. */
const WRONG: readonly FaultKind[] = ['invalid block', 'not proven'];
const PAUSE_MS = 250;
/** If all endpoints cool down for longer than this, the run ends and the next one continues. */
const MAX_COOLDOWN_MS = 30_000;
/** Most rate limits count calls per minute, so they pass within this time. A run does not wait for a longer one. */
const MAX_RATE_LIMIT_COOLDOWN_MS = 120_000;
const isRateLimited = ({ fault, health }: Upstream) => fault?.kind === 'rate limit' && !isBroken(health);

/**
 * Requests something from one endpoint after the other until one gives a response that `request` accepts. Each endpoint has three tries
 * with growing pauses in between, but one that has pruned the data is not tried again. A rate limit does not count as a try, because with
 * a low limit many requests wait for their turn while others are answered. After a wrong answer or a timeout, the other endpoints of its
 * provider come after those of other providers. After wrong answers, they also share its tries.
 * @param what names the thing in a failure, such as `ETHEREUM block 12`
 * @throws the signal's reason when that aborts
 */
export async function requestWithFailover<T>(
  context: RequestContext,
  upstreams: readonly Upstream[],
  what: string,
  request: Request<T>,
  order: RequestOrder = 'configured',
): Promise<Fetched<T>> {
  const { clock, signal } = context;
  const faults: Fault[] = [];
  const faultsOf = ({ endpoint: { provider } }: Upstream, kinds: readonly FaultKind[]) =>
    faults.filter(([one, { kind }]) => one.endpoint.provider === provider && kinds.includes(kind)).length;
  const isSpent = (upstream: Upstream) => {
    const kinds = faults.flatMap(([one, { kind }]) =>
      one === upstream && kind !== 'rate limit' ? [kind] : [],
    );
    const tries = kinds.length;
    return kinds.includes('pruned') || tries >= ROUNDS || (tries > 0 && faultsOf(upstream, WRONG) >= ROUNDS);
  };
  // An endpoint in reserve does not help out while another one only waits for its turn.
  const preferred = (some: readonly Upstream[]) =>
    working(working(some, clock.now()), clock.now(), (one) => faultsOf(one, [...WRONG, 'timeout']) > 0);
  let rounds = 0;
  for (;;) {
    const [asked, refused] = [new Set<Upstream>(), new Set<Upstream>()];
    for (;;) {
      const hopeful = upstreams.filter((one) => !isSpent(one) && !refused.has(one));
      const turns = preferred(hopeful).filter((one) => !asked.has(one));
      const upstream = nextUpstream(turns, order, clock.now());
      if (!upstream || isCoolingDown(upstream.health, clock.now())) break;
      asked.add(upstream);
      const attempt = await requestOnce(context, upstream, request);
      if ('value' in attempt) return fetched(attempt.value);
      if (attempt.fault === undefined) continue;
      faults.push([upstream, attempt.fault]);
      if (attempt.fault.kind !== 'rate limit') refused.add(upstream);
    }
    // A round that ended because of rate limits alone does not lengthen later pauses.
    if (refused.size > 0) rounds += 1;
    const able = preferred(upstreams.filter((upstream) => !isSpent(upstream)));
    const soonest = nextUpstream(able, order, clock.now());
    const least = refused.size > 0 ? clock.jitter(PAUSE_MS * 4 ** rounds) : 0;
    const pause = soonest && pauseBefore(soonest, least, context);
    if (pause === undefined) return failureOf(what, upstreams, faults);
    await clock.sleep(pause, signal);
  }
}

type Fault = readonly [Upstream, EndpointError];

/** Faults of blocks that contradict their hashes, or the rules that are known here. */
const REFUSED_KINDS: ReadonlySet<FaultKind> = new Set(['not proven', 'unknown rule']);

/**
 * Ends the cooldown of an endpoint for such faults, when all have them: then they need not be wrong. A fault that only says what the
 * endpoint lacks may have come last. Calls that are under way may still fail, and belong to what is forgiven.
 * @param now milliseconds since 1970
 */
export function absolve(upstream: Upstream, now: number): void {
  const { fault, health } = upstream;
  if (fault && (REFUSED_KINDS.has(fault.kind) || UNAVAILABLE_KINDS.has(fault.kind)))
    setHealth(upstream, { ...afterSuccess(health), coolingDownUntil: 0, changedAt: now });
}

function failureOf(what: string, upstreams: readonly Upstream[], faults: readonly Fault[]): NoEndpoint {
  const last = new Map(faults);
  const reasons = upstreams.map((upstream) => last.get(upstream)?.message ?? cooldownReason(upstream));
  const isAnswered = last.size === upstreams.length;
  const isUnavailable = isAnswered && faults.every(([, { kind }]) => UNAVAILABLE_KINDS.has(kind));
  const kinds = [...last.values()].map(({ kind }) => kind);
  const isRuleChange = isAnswered && kinds.every((kind) => kind === 'unknown rule');
  const given = kinds.filter((kind) => !UNAVAILABLE_KINDS.has(kind));
  const isRefused = isAnswered && given.length > 0 && given.every((kind) => REFUSED_KINDS.has(kind));
  return noEndpoint(what, reasons, { isUnavailable, isRuleChange, isRefused });
}

/** Returns the milliseconds until the next round, at least `least`, or undefined if there is none. It begins with `soonest`. */
function pauseBefore(soonest: Upstream, least: number, context: RequestContext): number | undefined {
  const { clock, mayWait = () => true } = context;
  const now = clock.now();
  if (isCoolingDown(soonest.health, now) && !mayWait(isRateLimited(soonest))) return undefined;
  const pause = Math.max(soonest.health.coolingDownUntil - now, least);
  return pause > (isRateLimited(soonest) ? MAX_RATE_LIMIT_COOLDOWN_MS : MAX_COOLDOWN_MS) ? undefined : pause;
}

const cooldownReason = ({ endpoint, health, fault }: Upstream): string =>
  `${endpoint.host}: cooling down until ${new Date(health.coolingDownUntil).toISOString()}, after ${fault?.message}`;

/** @returns the value, or the fault of the endpoint, which is undefined while it cools down */
async function requestOnce<T>(context: RequestContext, upstream: Upstream, request: Request<T>) {
  const { endpoint } = upstream;
  const startedAt = context.clock.now();
  upstream.requests += 1;
  try {
    const attempt = await request(recordedRpc(context, upstream), upstream);
    if ('refused' in attempt) {
      const { refused, fault = 'invalid block' } = attempt;
      throw new EndpointError(endpoint, quote(endpoint, refused), fault);
    }
    setHealth(upstream, afterSuccess(upstream.health));
    return attempt;
  } catch (error) {
    if (error instanceof CoolingDownError) return { fault: undefined };
    if (!(error instanceof EndpointError)) throw error;
    recordFault(context, upstream, error, startedAt);
    return { fault: error };
  } finally {
    upstream.requests -= 1;
  }
}
