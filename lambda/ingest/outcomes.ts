import type { NoEndpoint } from '../rpc/retry.ts';

/** Hosts contradict each other, and none outvotes the rest: a later run may find them in agreement. */
export interface Disputed {
  readonly kind: 'disputed';
  readonly reason: string;
}

/** Counted blocks are not canonical: they are discarded, and their endpoint is asked last for 24 hours. */
export interface Orphaned {
  readonly kind: 'orphaned';
  readonly reason: string;
}

/** A tripwire: the chain follows rules that this version does not know. Retrying does not help, an update does. */
export interface RuleChanged {
  readonly kind: 'rule changed';
  readonly reason: string;
}

/** A day contradicts what is final. Nothing is overwritten; an operator must decide. */
export interface Conflict {
  readonly kind: 'conflict';
  readonly reason: string;
}

export const disputed = (reason: string): Disputed => ({ kind: 'disputed', reason });
export const conflict = (reason: string): Conflict => ({ kind: 'conflict', reason });

/** The reason why a run ends. */
export type RunEnd =
  /** Every block up to the anchor is read. */
  | { readonly kind: 'up to date' }
  /** Another run saved progress of the same day. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'out of time' }
  /** The table or the endpoints' parameter cannot be read. */
  | { readonly kind: 'failed'; readonly reason: string }
  | NoEndpoint
  | Disputed
  | Orphaned
  | RuleChanged
  | Conflict;
