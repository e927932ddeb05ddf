import { type Fault, type FaultKind, UNAVAILABLE_KINDS } from './endpoint.ts';

/**
 * Recent behaviour of an endpoint. One state for adaptive concurrency, exponential backoff and the circuit breaker, because
 * each depends on the others.
 */
export interface Health {
  /** Limit of concurrent calls: plus one after a successful round, half after an overload. */
  readonly concurrency: number;
  /** Faults since the last valid response. */
  readonly faults: number;
  /** End of the cooldown, in milliseconds since 1970. */
  readonly coolingDownUntil: number;
  /** Time of the last fault that counted. Faults of earlier calls do not count again. */
  readonly changedAt: number;
}

/** A fault of one call, which started at `startedAt`, in milliseconds since 1970. */
export interface CallFault extends Fault {
  readonly startedAt: number;
}

const MAX_CONCURRENCY = 64;
/** Faults in a row that open the circuit. */
const OPENS_AFTER = 5;
const FIRST_COOLDOWN_MS = 1_000;
/** After a few milliseconds, as some endpoints ask for, they refuse most calls again. */
const MIN_COOLDOWN_MS = 250;
/** Longer than the others, because each retry of a silent endpoint delays a block by the full RPC timeout. */
const FIRST_COOLDOWN_AFTER_TIMEOUT_MS = 20_000;
const MAX_COOLDOWN_MS = 300_000;
const MAX_QUOTA_COOLDOWN_MS = 6 * 3_600_000;
/** Faults after which fewer calls are made at once. */
const OVERLOADS: ReadonlySet<FaultKind> = new Set([
  'rate limit',
  'quota',
  'timeout',
  'down',
  'misconfigured',
]);

export const NEW_HEALTH: Health = { concurrency: 8, faults: 0, coolingDownUntil: 0, changedAt: 0 };

/** Returns whether the circuit is open: the endpoint failed several times in a row. */
export const isBroken = (health: Health): boolean => health.faults >= OPENS_AFTER;

export const isCoolingDown = (health: Health, now: number): boolean => health.coolingDownUntil > now;

const grown = ({ concurrency }: Health) => Math.min(MAX_CONCURRENCY, concurrency + 1 / concurrency);

export const afterSuccess = (health: Health): Health => ({
  ...health,
  faults: 0,
  concurrency: grown(health),
});

/**
 * Returns the health after a fault. An overload starts a cooldown at once. Other faults start one after five in a row, and then a single call
 * at a time probes the endpoint. Each cooldown is twice as long as the one before, with jitter, and never shorter than the endpoint asks.
 */
export function afterFault(
  health: Health,
  { kind, pause = {}, startedAt }: CallFault,
  now: number,
  jitter: (ms: number) => number,
): Health {
  const asked = Math.max(0, pause.ms ?? (pause.until ?? now) - now);
  const most = kind === 'quota' ? MAX_QUOTA_COOLDOWN_MS : MAX_COOLDOWN_MS;
  const same = {
    ...health,
    coolingDownUntil: Math.max(health.coolingDownUntil, now + Math.min(asked, most)),
  };
  // An endpoint without this block may be healthy and have the next one.
  if (UNAVAILABLE_KINDS.has(kind)) return same;
  // Concurrent calls fail together, which is one incident, not many. (The clock may be set back.)
  if (startedAt < health.changedAt && health.changedAt <= now) return same;
  const faults = health.faults + 1;
  const isOverload = OVERLOADS.has(kind);
  const doublings = faults - (isOverload ? 1 : OPENS_AFTER);
  const first =
    kind === 'timeout'
      ? FIRST_COOLDOWN_AFTER_TIMEOUT_MS
      : Math.min(FIRST_COOLDOWN_MS, Math.max(MIN_COOLDOWN_MS, asked || Infinity));
  const cooldown = doublings < 0 ? 0 : jitter(Math.min(first * 2 ** doublings, MAX_COOLDOWN_MS));
  return {
    concurrency: isOverload ? Math.max(1, health.concurrency / 2) : doublings < 0 ? health.concurrency : 1,
    faults,
    coolingDownUntil: Math.max(same.coolingDownUntil, now + cooldown),
    changedAt: now,
  };
}
