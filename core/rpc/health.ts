import { type EndpointError, type FaultKind, UNAVAILABLE_KINDS } from './endpoint.ts';

/**
 * The state of an endpoint as this process knows it: its limits, whether it answers, and whether its answers were right. This is one value,
 * because the limit of calls, the cooldown and the order of endpoints all depend on the same answers.
 */
export type Health = Readonly<typeof NEW_HEALTH>;

export const NEW_HEALTH = {
  /** Limit of concurrent calls. It grows by one after a successful round, and halves after a timeout or an outage. */
  concurrency: 8,
  /** The calls a second that it can sustain. Infinite until it refuses a call because of a rate limit. */
  rate: Number.POSITIVE_INFINITY,
  /** The average time of a call, in milliseconds. */
  latency: 0,
  /** The number of answers in the current second, and in the second before. */
  answers: [0, 0] as readonly [number, number],
  /** The current second, counted since 1970. */
  second: 0,
  /** Faults since the last valid response. */
  faults: 0,
  /** End of the cooldown, in milliseconds since 1970. */
  coolingDownUntil: 0,
  /** Time of the last fault that counted. Faults of earlier calls do not count again. */
  changedAt: Number.NEGATIVE_INFINITY,
  /** Milliseconds since 1970. Until then, others are asked first, because it lacks a method, was late, or gave blocks that do not link. */
  laterUntil: 0,
  /** Milliseconds since 1970. Until then, it is asked last, because it gave a wrong block, or a process crashed while it read its response. */
  lastUntil: 0,
};

const MAX_CONCURRENCY = 64;
/** This many faults in a row open the circuit: only a single call at a time probes the endpoint. */
const OPENS_AFTER = 5;
const FIRST_COOLDOWN_MS = 1_000;
/**
 * After a rate limit a short pause is enough, because calls are paced from then on. After a timeout the pause is long, because each retry
 * of a silent endpoint delays a block by the full RPC timeout.
 */
const FIRST_COOLDOWNS_MS: Partial<Record<FaultKind, number>> = { 'rate limit': 250, timeout: 20_000 };
const MAX_COOLDOWN_MS = 300_000;
const MAX_QUOTA_COOLDOWN_MS = 6 * 3_600_000;
/** After these faults, fewer calls are made at once. */
const OVERLOADS: ReadonlySet<FaultKind> = new Set(['quota', 'timeout', 'down', 'misconfigured']);
const LATER_FOR_MS = 600_000;

/** Below this rate, waiting costs more than a refusal now and then. */
const MIN_RATE = 0.5;
/** Factors that lower the rate after a refusal. The first rate is counted, so it is close to the limit. */
const FOUND = 0.95;
const REFUSED_AGAIN = 0.9;
/** With each answer, the rate grows by this share of a call a second, and each second by this many calls: 18 become 20 in 40 seconds. */
const GROWTH_SHARE = 0.0025;
const GROWTH_A_SECOND = 0.005;
const LATENCY_SHARE = 0.2;

export const isBroken = (health: Health): boolean => health.faults >= OPENS_AFTER;

export const isCoolingDown = (health: Health, now: number): boolean => health.coolingDownUntil > now;

export const askedLater = (health: Health, now: number): Health => ({
  ...health,
  laterUntil: now + LATER_FOR_MS,
});

/** Returns the health after an answer. @param startedAt milliseconds since 1970 */
export function afterAnswer(health: Health, startedAt: number, now: number, mostPerSecond: number): Health {
  const [current, before] = answersAt(health, now);
  const took = Math.max(0, now - startedAt);
  return {
    ...health,
    answers: [current + 1, before],
    second: Math.floor(now / 1_000),
    rate: Math.min(health.rate + GROWTH_SHARE + GROWTH_A_SECOND / health.rate, mostPerSecond),
    latency: health.latency === 0 ? took : health.latency + LATENCY_SHARE * (took - health.latency),
  };
}

function answersAt({ answers: [current, before], second }: Health, now: number): readonly [number, number] {
  const passed = Math.floor(now / 1_000) - second;
  return passed === 0 ? [current, before] : passed === 1 ? [0, current] : [0, 0];
}

export const afterSuccess = (health: Health): Health => ({
  ...health,
  faults: 0,
  concurrency: Math.min(MAX_CONCURRENCY, health.concurrency + 1 / health.concurrency),
});

/**
 * Returns the health after a fault. An overload and a rate limit start a cooldown at once, and a rate limit also paces later calls.
 * Other faults start a cooldown after five in a row, and then a single call at a time probes the endpoint. Each cooldown is twice as long as
 * the one before, with jitter, and never shorter than the endpoint asks.
 * @param startedAt the time of the call, in milliseconds since 1970
 */
export function afterFault(
  health: Health,
  { kind, pauseMs = 0 }: Pick<EndpointError, 'kind' | 'pauseMs'>,
  startedAt: number,
  now: number,
  jitter: (ms: number) => number,
): Health {
  const most = kind === 'quota' ? MAX_QUOTA_COOLDOWN_MS : MAX_COOLDOWN_MS;
  const same = {
    ...health,
    coolingDownUntil: Math.max(health.coolingDownUntil, now + Math.min(pauseMs, most)),
    // If a method is missing, a block may take a hundred calls.
    ...(kind === 'timeout' || kind === 'no method' ? { laterUntil: now + LATER_FOR_MS } : {}),
  };
  // An endpoint without this block may be healthy and have the next one.
  if (UNAVAILABLE_KINDS.has(kind)) return same;
  // Concurrent calls fail together, which counts as one incident. (The clock may be set back.)
  if (startedAt <= health.changedAt && health.changedAt <= now) return same;
  const faults = health.faults + 1;
  const isForRate = kind === 'rate limit';
  const isOverload = OVERLOADS.has(kind);
  const doublings = faults - (isOverload || isForRate ? 1 : OPENS_AFTER);
  const first = FIRST_COOLDOWNS_MS[kind] ?? FIRST_COOLDOWN_MS;
  const cooldown = doublings < 0 ? 0 : jitter(Math.min(first * 2 ** doublings, MAX_COOLDOWN_MS));
  const calls = isForRate || doublings < 0 ? health.concurrency : 1;
  return {
    ...same,
    rate: isForRate ? rateAfter(health, now) : health.rate,
    concurrency: isOverload ? Math.max(1, health.concurrency / 2) : calls,
    faults,
    coolingDownUntil: Math.max(same.coolingDownUntil, now + cooldown),
    changedAt: now,
  };
}

/** Returns the rate after a refusal. The first is counted from the answers of the last second. Each later refusal lowers it. */
function rateAfter(health: Health, now: number): number {
  if (health.rate !== Number.POSITIVE_INFINITY) return Math.max(MIN_RATE, REFUSED_AGAIN * health.rate);
  const [current, before] = answersAt(health, now);
  const answered = current + before * (1 - (now % 1_000) / 1_000);
  return Math.max(MIN_RATE, FOUND * answered);
}
