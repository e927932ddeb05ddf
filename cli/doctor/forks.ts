import * as z from 'zod';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import forks from './forks.json' with { type: 'json' };

/** Answers of this version to a fork. */
export const forkStatuses = {
  covered: 'This version follows it',
  noticed: 'Days wait for an update',
  'no effect': 'No figure changes',
} as const;

const schema = z.object({
  chain: z.enum(chainNames),
  name: z.string(),
  /** The day that it activates on, where one is announced. */
  date: z.iso.date().optional(),
  /** The change, as it was announced, and how it shows. */
  effect: z.string(),
  status: z.enum(Object.keys(forkStatuses) as (keyof typeof forkStatuses)[]),
  /** A URL that announces it. */
  source: z.url({ protocol: /^https$/ }),
});
export type AnnouncedFork = z.output<typeof schema>;

/** The announced changes of the rules of chains, as of 2026-11-23. Delete an entry once the fork is live and covered. */
export const announcedForks: readonly AnnouncedFork[] = z.array(schema).parse(forks);

/** Returns the forks of a chain that are still ahead on a day, those without a date included. */
export const forksAhead = (chain: ChainName, today: UtcDay): readonly AnnouncedFork[] =>
  announcedForks.filter((fork) => fork.chain === chain && (fork.date ?? today) >= today);
