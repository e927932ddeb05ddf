import type { UtcDay } from '../figures/calendar.ts';
import type { NoEndpoint } from '../rpc/failover.ts';

interface Failure<Kind> {
  readonly kind: Kind;
  readonly reason: string;
}

/** Hosts contradict each other, and none outvotes the rest: a later run may find them in agreement. */
export type Disputed = Failure<'disputed'>;
/** Counted blocks are not canonical: they are discarded, and their endpoint is asked last for 24 hours. */
export type Orphaned = Failure<'orphaned'>;
/** A tripwire: the chain follows rules that this version does not know. Retrying does not help, an update does. */
export type RuleChanged = Failure<'rule changed'>;
/** A day contradicts what is final. Nothing is overwritten; an operator must decide. */
export interface Conflict extends Failure<'conflict'> {
  /** The day whose figures may be wrong. */
  readonly day: UtcDay;
}

export const disputed = (reason: string): Disputed => ({ kind: 'disputed', reason });
export const conflict = (day: UtcDay, reason: string): Conflict => ({ kind: 'conflict', day, reason });

/** The reason why a run ends. */
export type RunOutcome =
  /** Every block up to the anchor is read. */
  | { readonly kind: 'up to date' }
  /** Another run saved progress of the same day. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'out of time' }
  /** The table or the endpoints' parameter cannot be read, or an older version wrote the table. */
  | Failure<'failed'>
  | NoEndpoint
  | Disputed
  | Orphaned
  | RuleChanged
  | Conflict;
