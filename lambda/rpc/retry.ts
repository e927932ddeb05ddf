import { BlockError } from '../chains/block-error.ts';
import type { Clock } from '../clock.ts';
import { afterAnswer, afterFault, isBroken, isCoolingDown } from './circuit-breaker.ts';
import { EndpointError, type FaultKind, UNAVAILABLE_KINDS } from './endpoint.ts';
import { call, type Rpc } from './json-rpc.ts';
import { setHealth, type Upstream } from './upstream.ts';

/** What a run asks with. */
export interface RequestContext {
  readonly clock: Clock;
  /** Ends everything that is under way and all waiting. */
  readonly signal: AbortSignal;
  /** Is told of each fault, to count it. */
  readonly onFault: (host: string, kind: FaultKind) => void;
}

/** Every endpoint was asked and none gave a valid answer; the message holds the last reason of each. */
export class NoEndpointError extends Error {
  override readonly name = 'NoEndpointError';
  /** One of each endpoint, beginning with its host. */
  readonly reasons: readonly string[];
  /** Whether each, each time that it was asked, said that it does not have what it was asked for: no fault that passes. */
  readonly isUnavailable: boolean;

  constructor(what: string, reasons: readonly string[], isUnavailable = false) {
    super(`no endpoint gave a valid answer for ${what}. ${reasons.join('. ')}`);
    this.reasons = reasons;
    this.isUnavailable = isUnavailable;
  }
}

/** Errors that are all expected to be of no endpoint; any other is thrown. */
export function noEndpointErrors(errors: readonly unknown[]): readonly NoEndpointError[] {
  return errors.map((error) => {
    if (error instanceof NoEndpointError) return error;
    throw error;
  });
}

/** The same question was put to several endpoints, each by itself, and none gave an answer. */
export const noneOfThem = (what: string, errors: readonly NoEndpointError[]): NoEndpointError =>
  new NoEndpointError(
    what,
    errors.flatMap(({ reasons }) => reasons),
  );

/** How often each endpoint is asked the same, with a growing pause in between. */
const ROUNDS = 3;
const PAUSE_MS = 250;
/** A run whose endpoints are all to be left alone for longer than this ends, and the next one goes on. */
const MAX_COOLDOWN_MS = 30_000;
/** Most limits are of calls a minute, and pass; not one that is met whenever it is tried. */
const MAX_RATE_LIMIT_COOLDOWN_MS = 120_000;
const isLimited = ({ fault, health }: Upstream) => fault?.kind === 'rate limit' && !isBroken(health);

/**
 * Asks one endpoint after the other, in their order, until one gives an answer that the question does not refuse.
 * @param what says in an error what was asked for, such as `ETHEREUM block 12`
 * @param question throws EndpointError or BlockError to refuse what an endpoint said
 * @throws NoEndpointError when all are refused, again and again, or all want to be left alone
 */
export async function requestWithRetry<T>(
  context: RequestContext,
  upstreams: readonly Upstream[],
  what: string,
  question: (rpc: Rpc, host: string) => Promise<T>,
): Promise<T> {
  const { clock, signal } = context;
  const refusals: [Upstream, EndpointError][] = [];
  for (let rounds = 0; ; ) {
    let isRefused = false;
    for (const upstream of upstreams) {
      if (isCoolingDown(upstream.health, clock.now())) continue;
      try {
        return await requestOnce(context, upstream, question);
      } catch (error) {
        if (error instanceof CoolingDownError) continue;
        if (!(error instanceof EndpointError)) throw error;
        refusals.push([upstream, error]);
        isRefused ||= error.kind !== 'rate limit';
      }
    }
    // A rate limit is no answer to the question, and costs no round: where it is low, many questions wait for their turn.
    if (isRefused) rounds += 1;
    const soonest = upstreams.toSorted((a, b) => a.health.coolingDownUntil - b.health.coolingDownUntil)[0];
    const untilOneIsOpen = (soonest?.health.coolingDownUntil ?? Infinity) - clock.now();
    const patience = soonest && isLimited(soonest) ? MAX_RATE_LIMIT_COOLDOWN_MS : MAX_COOLDOWN_MS;
    const pause = Math.max(untilOneIsOpen, isRefused ? clock.jitter(PAUSE_MS * 4 ** rounds) : 0);
    if (!soonest || rounds === ROUNDS || pause > patience) {
      const last = new Map(refusals);
      throw new NoEndpointError(
        what,
        upstreams.map((upstream) => last.get(upstream)?.message ?? whyPaused(upstream)),
        last.size === upstreams.length && refusals.every(([, { kind }]) => UNAVAILABLE_KINDS.has(kind)),
      );
    }
    await clock.sleep(pause, signal);
  }
}

/** An endpoint wants to be left alone for now. */
class CoolingDownError extends Error {}

const whyPaused = ({ endpoint, health, fault }: Upstream): string =>
  `${endpoint.host}: left alone until ${new Date(health.coolingDownUntil).toISOString()}, after ${fault?.message}`;

/** @throws EndpointError when the answer is refused, CoolingDownError when there is none for now */
async function requestOnce<T>(
  { clock, signal, onFault }: RequestContext,
  upstream: Upstream,
  question: (rpc: Rpc, host: string) => Promise<T>,
): Promise<T> {
  const { endpoint, limit } = upstream;
  const noted = new Set<EndpointError>();
  const note = (fault: EndpointError, askedAt: number) => {
    if (noted.has(fault)) return;
    noted.add(fault);
    const { kind, retryAfter } = fault;
    upstream.fault = fault;
    setHealth(
      upstream,
      afterFault(upstream.health, { kind, retryAfter, askedAt }, clock.now(), clock.jitter),
    );
    onFault(endpoint.host, kind);
  };
  const rpc: Rpc = (method, params, schema) =>
    limit(async () => {
      const askedAt = clock.now();
      // It may have asked to be left alone while this call waited for its turn.
      if (isCoolingDown(upstream.health, askedAt)) throw new CoolingDownError();
      try {
        return await call(endpoint, method, params, schema, signal);
      } catch (error) {
        // Here, before the next call gets its turn.
        if (error instanceof EndpointError) note(error, askedAt);
        throw error;
      }
    });
  const startedAt = clock.now();
  try {
    const answer = await question(rpc, endpoint.host);
    setHealth(upstream, afterAnswer(upstream.health));
    return answer;
  } catch (error) {
    const fault =
      error instanceof BlockError ? new EndpointError(endpoint, error.message, { kind: 'bad block' }) : error;
    if (fault instanceof EndpointError) note(fault, startedAt);
    throw fault;
  }
}
