import type { Disputed } from '../anchor/anchor.ts';
import type { NoEndpoint } from '../rpc/failover.ts';
import type { Conflict, Orphaned } from './undo.ts';

/** A tripwire: the chain follows rules that this version does not know. Retrying does not help, an update does. */
export interface RuleChanged {
  readonly kind: 'rule changed';
  readonly reason: string;
}

/** The reason why a run ends. */
export type RunOutcome =
  /** Every block up to the anchor is read. */
  | { readonly kind: 'up to date' }
  /** Another run saved progress of the same day. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'out of time' }
  /** The table or the endpoints' parameter cannot be read, or an older version wrote the table. */
  | { readonly kind: 'failed'; readonly reason: string }
  | NoEndpoint
  | Disputed
  | Orphaned
  | RuleChanged
  | Conflict;
