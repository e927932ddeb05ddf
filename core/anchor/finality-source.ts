import type { FinalityProof } from '../figures/block.ts';
import type { FinalityState } from '../store/chain/finality-state.ts';

/** The proofs of which block of a chain is final. Runs use them without knowing their kind. */
export interface FinalitySource {
  /** Returns the hours after which a state is refused: who validated then may have left, and may sign anything. @param now in ms since 1970 */
  readonly maxAgeHours: (now: number) => number;
  /** Continues from a stored state. @returns undefined if that is of another kind */
  readonly resume: (stored: FinalityState | undefined) => ProvenState | undefined;
  /** Begins with a checkpoint, or else with one on which independent sources agree. */
  readonly begin: (checkpoint: string | undefined) => Promise<Begun>;
}

/** The newest block that is proven to be final, from which later ones are proven. */
export interface ProvenState {
  readonly toStore: FinalityState;
  /** Seconds since 1970. */
  readonly provenAt: number;
  /** Absent when a start has none yet. */
  readonly proof: FinalityProof | undefined;
  /** Asks for a later block. @param save stores a state on the way there */
  readonly follow: (save: (state: FinalityState) => Promise<void>) => Promise<Followed>;
}

/** The newest state after a run asked for a later one. */
export interface Followed<State = ProvenState> {
  readonly state: State;
  /** The reason why each source proved no final block; absent when one did, if only the known one. */
  readonly reasons?: readonly string[] | undefined;
}

/** A state that begins with a checkpoint, or why there is none. */
export type Begun =
  | { readonly kind: 'begun'; readonly state: ProvenState; readonly checkpoint: string }
  | { readonly kind: 'not begun'; readonly reason: string };
