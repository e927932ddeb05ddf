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
  /** Awaited before a big response of an endpoint is read further; the function it returns, when the call has ended. */
  readonly onBigResponse?: (host: string) => Promise<() => Promise<void>>;
  /** Returns whether requests may wait while all endpoints cool down, or one for its rate. Always, when absent. */
  readonly mayWait?: (isForRate: boolean) => boolean;
}
