import type { Source } from '../../core/anchor/network.ts';
import { fileBlocks } from '../../core/blocks/files/file-blocks.ts';
import { addDays, dayOf, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import type { Fetched } from '../../core/rpc/failover.ts';
import { listFinalDays } from '../../core/store/days/days.ts';
import { listWaitingDays } from '../../core/store/days/waiting-days.ts';
import { daysBetween } from '../day-ranges.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { checkOrder } from '../options.ts';
import type { ServedChain } from '../service.ts';
import type { OpenedFiles } from './open-files.ts';

export interface RequestedDays {
  readonly startDate?: UtcDay | undefined;
  readonly endDate?: UtcDay | undefined;
}

/** The days of files that are still to be read. */
export interface FilePlan {
  /** Ascending. */
  readonly dates: readonly UtcDay[];
  /** The last day of the files if they end within it. It is read so that hosts can confirm the days before it. */
  readonly cutDay?: UtcDay | undefined;
  /** Days in the range that are final already. */
  readonly finalBefore: number;
}

/**
 * Finds the days of files that are neither final nor wait.
 * @throws CommandError when no endpoint answers, or the files have no day of the range
 */
export function planFiles(
  served: ServedChain,
  opened: OpenedFiles,
  range: RequestedDays & { readonly url: string },
): Promise<FilePlan> {
  return orStopped(plan(served, opened, range), 'Stopped. No block was read.');
}

async function plan(
  served: ServedChain,
  opened: OpenedFiles,
  range: RequestedDays & { readonly url: string },
): Promise<FilePlan> {
  const { startDate, endDate } = range;
  checkOrder({ ...(startDate && { startDate }), ...(endDate && { endDate }) });
  const source = await probe(served);
  const days = await daysIn(served, opened, source);
  const first = later(days.first, startDate ?? days.first);
  const last = earlier(days.last, endDate ?? days.last);
  if (first > last) throw new CommandError(`${range.url} has no complete day of this range.`);
  const [final, waiting] = await Promise.all([
    listFinalDays(served.store, first),
    listWaitingDays(served.store),
  ]);
  const read = new Set([...final, ...waiting.map(({ progress }) => progress.day)]);
  const all = daysBetween(first, last);
  const dates = all.filter((day) => !read.has(day));
  return {
    dates,
    cutDay: dates.includes(days.cutDay) ? days.cutDay : undefined,
    finalBefore: all.filter((day) => final.includes(day)).length,
  };
}

async function probe(served: ServedChain): Promise<Source> {
  const probed = await probeChain(served, await upstreamsOf(served, undefined), requestContext(interrupted));
  if (probed.kind === 'probed') return probed.source;
  throw new CommandError(`Nothing was started: ${probed.reason}`);
}

/** Returns the first day of files that begins in them, and the last. */
async function daysIn({ store, chain }: ServedChain, { files, first }: OpenedFiles, source: Source) {
  const blocks = fileBlocks(files, source);
  const [reader] = blocks.headers();
  const end = valueIn(await blocks.lastBlock());
  const [head, tail] = [await reader?.read(source, first), await blocks.readKnown(end)];
  if (!head) throw new Error('Files have one reader.');
  const firstDay = dayOf(valueIn(head).timestamp);
  const cutDay = dayOf(valueIn(tail).timestamp);
  const final = new Set(await listFinalDays(store, addDays(firstDay, -1)));
  // The block before the files is known only where it ends a final day.
  const isCut = first > 0 && !final.has(addDays(firstDay, -1));
  return {
    first: isCut ? addDays(firstDay, 1) : later(firstDay, chain.firstDay),
    last: cutDay,
    cutDay: final.has(addDays(cutDay, 1)) ? '' : cutDay,
  };
}

function valueIn<T>(read: Fetched<T>): T {
  if (read.kind === 'fetched') return read.value;
  throw new CommandError(read.reason);
}

/** Returns the words of a command that starts a backfill of the same days or files. @param url of files; absent when nodes are read */
export const startWords = (
  chain: string,
  { url, startDate, endDate }: RequestedDays & { readonly url?: string | undefined },
): readonly string[] => [
  ...['backfill', 'start', '--chain', chain],
  ...(url === undefined ? [] : ['--from', 'files', '--url', url]),
  ...(startDate === undefined ? [] : ['--start-date', startDate]),
  ...(endDate === undefined ? [] : ['--end-date', endDate]),
];
