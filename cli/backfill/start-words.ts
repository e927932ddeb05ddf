import type { UtcDay } from '../../core/figures/calendar.ts';

interface Range {
  /** Mirror, bucket or folder of block files; absent when nodes are read. */
  readonly url?: string | undefined;
  readonly startDate?: UtcDay | undefined;
  readonly endDate?: UtcDay | undefined;
}

/** Returns the words of a command that starts a backfill of the same days or files. */
export const startWords = (chain: string, { url, startDate, endDate }: Range): readonly string[] => [
  ...['backfill', 'start', '--chain', chain],
  ...(url === undefined ? [] : ['--from', 'files', '--url', url]),
  ...(startDate === undefined ? [] : ['--start-date', startDate]),
  ...(endDate === undefined ? [] : ['--end-date', endDate]),
];
