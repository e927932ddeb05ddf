import type { UtcDay } from '../figures/calendar.ts';

/** Prefix of all exports in a bucket. The function may write nowhere else. */
export const EXPORTS = 'exports';
export const folderOf = (day: UtcDay): string => `${EXPORTS}/${day}`;
