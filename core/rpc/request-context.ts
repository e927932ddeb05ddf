import type { Clock } from '../clock.ts';
import type { FaultKind } from './endpoint.ts';

/** The time, the deadline and the fault counter that all requests of a run share. */
export interface RequestContext {
  readonly clock: Clock;
  /** Aborts every request under way and every pause. */
  readonly signal: AbortSignal;
  /**
   * Counts a fault of an endpoint.
   * @param reason begins with the host
   */
  readonly onFault: (host: string, kind: FaultKind, reason: string) => void;
  /** Called and awaited before a big response is read further. The function that it returns is awaited when the call has ended. */
  readonly onBigResponse?: (host: string) => Promise<() => Promise<void>>;
  /** Returns whether requests may wait while all endpoints cool down, or for the rate of one. By default they may. */
  readonly mayWait?: (isForRate: boolean) => boolean;
}
