import type { NoEndpoint } from '../rpc/retry.ts';

/** Reasons why a day is not read further for now. Each caller handles every kind. */
export type Stop = NoEndpoint | Disputed | Orphaned | NotFinalYet | RuleChanged | Conflict;

/** Endpoints disagree about a block, or it contradicts itself: a later run may find them in agreement. */
export interface Disputed {
  readonly kind: 'disputed';
  readonly reason: string;
}

/** The last counted block was reorged: no endpoint has it any more, so what was read after it is worthless. */
export interface Orphaned {
  readonly kind: 'orphaned';
  readonly reason: string;
}

/** A block is final to the endpoint that gave it, but to no other endpoint yet. */
export interface NotFinalYet {
  readonly kind: 'not final yet';
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

export const disputed = (chain: string, block: number, problem: string): Disputed => ({
  kind: 'disputed',
  reason: `${chain} block ${block}: ${problem}`,
});
export const conflict = (reason: string): Conflict => ({ kind: 'conflict', reason });
export const NOT_FINAL_YET: NotFinalYet = { kind: 'not final yet' };

/** The end of a run. A complete day is none, since the run continues with the next day. */
export type RunEnd =
  /** Every finalized block is read. */
  | { readonly kind: 'up to date' }
  /** Another run saved progress of the same day. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'out of time' }
  /** The table or the endpoints' parameter cannot be read. */
  | { readonly kind: 'failed'; readonly reason: string }
  | Stop;
