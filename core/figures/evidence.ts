/**
 * The ground that a day's figures stand on. `proven`: every block was recomputed from data that hashes to the finalized block.
 * `checked`: at least one block could not be, and passed consistency checks alone (docs/definitions.md).
 */
export const evidences = ['proven', 'checked'] as const;
export type Evidence = (typeof evidences)[number];

/** The evidence that a chain's blocks must have: with `checked`, blocks of nodes that cannot be proven are accepted too. */
export type EvidencePolicy = Evidence;
