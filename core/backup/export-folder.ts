/** Prefix of all exports in a bucket. The function may write nowhere else. The stack loads this module, and nothing of the SDK with it. */
export const EXPORTS = 'exports';
