/* The stack loads this module, and nothing of the SDK with it. */

/** Prefix of all exports in a bucket. The function may write nowhere else. */
export const EXPORTS = 'exports';

/** Name of the last file of an export. */
export const MANIFEST = 'manifest.json';
