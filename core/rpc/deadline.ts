import type { Clock } from '../clock.ts';
import type { FaultKind } from './endpoint.ts';
import type { Trace } from './trace.ts';

/** The time, the deadline and the fault counter that all requests of a run share. */
export interface RequestContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Counts a fault of an endpoint. The reason begins with the host. */
  readonly onFault: (host: string, kind: FaultKind, reason: string) => void;
  /** Called and awaited before a big response is read further. The function that it returns is awaited when the call has ended. */
  readonly onBigResponse?: (host: string) => Promise<() => Promise<void>>;
  /** Returns whether requests may wait while all endpoints cool down, or for the rate of one. By default they may. */
  readonly mayWait?: (isForRate: boolean) => boolean;
  /** Receives a line for each request; absent when nobody asked for a trace. */
  readonly trace?: Trace | undefined;
}

export class OutOfTimeError extends Error {}

/** Milliseconds for the last checkpoint, after everything else is aborted. */
const SAVE_WITHIN_MS = 10_000;

/**
 * Runs work that a deadline or a signal aborts. Requests to the table cannot be aborted: if saving takes too long, the work is
 * abandoned. That is safe, because each write is conditional.
 * @throws OutOfTimeError when the work did not end in time
 */
export async function withDeadline<T>(
  { stopAt, signal }: { readonly stopAt: number; readonly signal?: AbortSignal },
  clock: Clock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const timer = new AbortController();
  const either = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal;
  const cutOff = async (): Promise<never> => {
    await clock.sleep(stopAt - clock.now(), either).catch(() => timer.signal.throwIfAborted());
    end.abort(new OutOfTimeError());
    await clock.sleep(SAVE_WITHIN_MS, timer.signal);
    throw new OutOfTimeError();
  };
  try {
    return await Promise.race([cutOff(), work(end.signal)]);
  } finally {
    timer.abort();
    end.abort(new Error('The run is over'));
  }
}

/** After enough hosts agree, the others have this long: a silent endpoint must not delay a run. */
export const GRACE_MS = 3_000;

/**
 * Waits for all answers, or until enough hosts agree and the grace period is over. If hosts contradict each other, a slow one may decide.
 * @param read returns the usable part of an answer
 * @returns each answer, undefined where it did not come in time
 */
export async function inTime<T>(
  { clock, signal }: RequestContext,
  requests: readonly Promise<T>[],
  read: (answer: T) => { readonly host: string; readonly says: string } | undefined,
  enough: number,
): Promise<readonly (T | undefined)[]> {
  const answers = Array<T | undefined>(requests.length).fill(undefined);
  const isEnough = Promise.withResolvers<void>();
  const heard: { readonly host: string; readonly says: string }[] = [];
  const all = Promise.all(
    requests.map(async (request, index) => {
      const answer = await request;
      answers[index] = answer;
      const good = read(answer);
      if (!good) return;
      heard.push(good);
      const agreeing = heard.filter(({ says }) => says === good.says);
      if (new Set(agreeing.map(({ host }) => host)).size >= enough) isEnough.resolve();
    }),
  );
  await Promise.race([all, isEnough.promise]);
  const grace = new AbortController();
  const graceIsOver = clock.sleep(GRACE_MS, AbortSignal.any([signal, grace.signal]));
  await Promise.race([all, graceIsOver]);
  grace.abort();
  // A copy, because later answers still come: the caller asks which ones were late.
  return [...answers] as const;
}

/** Runs work with a time limit of its own, and returns undefined if that is over. After the end of the run, only that limit aborts it. */
export async function within<T>(
  context: RequestContext,
  ms: number,
  work: (context: RequestContext) => Promise<T>,
): Promise<T | undefined> {
  const { clock, signal } = context;
  const limit = new AbortController();
  const timer = new AbortController();
  const isRunOver = signal.aborted;
  const end = () => limit.abort(new Error('out of time'));
  clock.sleep(ms, timer.signal).then(end, () => {});
  try {
    const either = isRunOver ? limit.signal : AbortSignal.any([signal, limit.signal]);
    return await work({ ...context, signal: either });
  } catch (error) {
    if (limit.signal.aborted && (isRunOver || !signal.aborted)) return undefined;
    throw error;
  } finally {
    timer.abort();
  }
}
