/**
 * Version of the definitions that the stored figures follow: which transactions count and what a fee consists of
 * (docs/definitions.md). It goes up when a rule changes, so that figures of different meaning are never mixed.
 */
export const DEFINITION_VERSION = 1;
