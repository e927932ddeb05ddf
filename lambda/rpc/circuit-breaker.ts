import { type FaultKind, UNAVAILABLE_KINDS } from './endpoint.ts';

/**
 * How an endpoint has been doing, and so how many calls it is given at once and until when it is left alone. Three things
 * in one small state, because each moves the others: concurrency that adapts, backoff, and a circuit breaker.
 */
export interface Health {
  /** Calls at once: one more for each round that went well, half for a round that was too much. */
  readonly concurrency: number;
  /** Faults since the last good answer. */
  readonly faults: number;
  /** Milliseconds since 1970 before which it is not asked. */
  readonly coolingDownUntil: number;
  /** When the last fault that changed all this was met: what was asked before it says nothing new. */
  readonly changedAt: number;
}

/** What went wrong, and when it was asked for, in milliseconds since 1970. */
export interface MetFault {
  readonly kind: FaultKind;
  readonly retryAfter?: string | undefined;
  readonly askedAt: number;
}

const MOST_CALLS = 32;
const BREAKS_AFTER = 5;
const FIRST_PAUSE_MS = 1_000;
/** Each look whether a silent endpoint speaks again costs as much as a block that waits for its answer. */
const FIRST_PAUSE_OF_SILENT_MS = 20_000;
const LONGEST_PAUSE_MS = 300_000;

export const NEW_HEALTH: Health = { concurrency: 8, faults: 0, coolingDownUntil: 0, changedAt: 0 };

/** Whether it did nothing but fail for a while, so that a pause may not be the last. */
export const isBroken = (health: Health): boolean => health.faults >= BREAKS_AFTER;

export const isCoolingDown = (health: Health, now: number): boolean => health.coolingDownUntil > now;

export const afterAnswer = ({ concurrency, ...health }: Health): Health => ({
  ...health,
  faults: 0,
  concurrency: Math.min(MOST_CALLS, concurrency + 1 / concurrency),
});

/**
 * A rate limit pauses at once, for at least as long as Retry-After says, and silence does; other faults do when they come
 * in a row, and from then on a single call at a time tries whether it is over. Each pause is twice as long as the one before.
 */
export function afterFault(
  health: Health,
  { kind, retryAfter, askedAt }: MetFault,
  now: number,
  jitter: (ms: number) => number,
): Health {
  const asked = Math.min(retryAfterMs(retryAfter, now), LONGEST_PAUSE_MS);
  const until = Math.max(health.coolingDownUntil, now + asked);
  // Who does not have a block may be well, and have the next one.
  if (UNAVAILABLE_KINDS.has(kind)) return { ...health, coolingDownUntil: until };
  // Calls that were under way together fail together, and that is one bad moment, not many. (A clock may be set back.)
  if (askedAt < health.changedAt && health.changedAt <= now) return { ...health, coolingDownUntil: until };
  const faults = health.faults + 1;
  const isTooMuch = kind === 'rate limit' || kind === 'timeout';
  const pauses = faults - (isTooMuch ? 1 : BREAKS_AFTER);
  const first = kind === 'timeout' ? FIRST_PAUSE_OF_SILENT_MS : FIRST_PAUSE_MS;
  const pause = pauses < 0 ? 0 : jitter(Math.min(first * 2 ** pauses, LONGEST_PAUSE_MS));
  return {
    concurrency: isTooMuch ? Math.max(1, health.concurrency / 2) : pauses < 0 ? health.concurrency : 1,
    faults,
    coolingDownUntil: Math.max(until, now + pause),
    changedAt: now,
  };
}

/** @param value seconds, or a date as HTTP writes it: RFC 9110, section 10.2.3 */
function retryAfterMs(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
