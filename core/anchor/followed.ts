/** The newest state after a run asked for a later one. */
export interface Followed<State> {
  readonly state: State;
  /** True when a source proved a final block, if only the known one. */
  readonly isProven: boolean;
  /** The reason why each source proved none. */
  readonly reasons: readonly string[];
}

/** A state that begins with a checkpoint, or why there is none. */
export type Begun<State> =
  | { readonly kind: 'begun'; readonly state: State; readonly checkpoint: string }
  | { readonly kind: 'not begun'; readonly reason: string };
