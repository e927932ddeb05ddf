/**
 * Version of the definitions in docs/definitions.md: which transactions count, and the parts of a fee. Increase it when a
 * rule changes, so that figures with different meanings are never mixed.
 */
export const DEFINITION_VERSION = 1;
