import { BLOCKS_PER_FILE, type EraFileName } from '../../core/era/file-name.ts';
import { createAnyEraSource } from '../../core/era/folder-source.ts';
import { UnreadableError } from '../../core/era/source.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import { explainAwsError } from '../aws-errors.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, usageError } from '../exit-codes.ts';
import { findFirstBlock } from '../first-block.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { checkOrder } from '../options.ts';
import type { ServedChain } from '../service.ts';

export interface EraRangeOptions {
  /** Mirror, bucket or folder. */
  readonly url: string;
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
  /** Region of the stage. */
  readonly region?: string | undefined;
}

/**
 * Lists the era files of a place that have blocks of a range of days, with a block before and after it; all files without a range.
 * @throws CommandError when the place cannot be read, or has none
 */
export async function chooseEraFiles(
  served: ServedChain,
  options: EraRangeOptions,
): Promise<readonly EraFileName[]> {
  if (served.name !== 'ETHEREUM') {
    throw usageError(`Era files of ${served.name} do not exist. Leave out --from era to read its nodes.`);
  }
  checkOrder(options);
  const { startDate, endDate, url, region } = options;
  const files = await orStopped(listFiles(url, region), 'Stopped. No file was read.');
  const [first, last] = [
    startDate === undefined ? 0 : eraOf((await firstBlockSince(served, startDate)) - 1),
    endDate === undefined
      ? Number.POSITIVE_INFINITY
      : eraOf(await firstBlockSince(served, addDays(endDate, 1))),
  ];
  const chosen = files.filter(({ era }) => era >= first && era <= last);
  if (chosen.length > 0) return chosen;
  throw new CommandError(`${url} has no era file of Ethereum${files.length > 0 ? ' for these days' : ''}.`);
}

async function listFiles(url: string, region: string | undefined): Promise<readonly EraFileName[]> {
  try {
    return await (await createAnyEraSource(url, region)).list(interrupted);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    // The network errors of a mirror would be explained as those of AWS.
    const explained = url.startsWith('s3://') ? explainAwsError(error.cause) : undefined;
    if (explained !== undefined) throw new CommandError(explained);
    throw new CommandError(`The era files cannot be listed: ${error.message}. Check --url.`);
  }
}

const eraOf = (block: number): number => Math.floor(Math.max(0, block) / BLOCKS_PER_FILE);

/** Returns the number of the first block at or after the beginning of a day. */
async function firstBlockSince(served: ServedChain, day: UtcDay): Promise<number> {
  const context = requestContext(interrupted);
  const probe = await probeChain(served, await upstreamsOf(served, undefined), context);
  const found = probe.kind === 'probed' ? await findFirstBlock(probe.source, day) : probe;
  if (found.kind !== 'found') throw notFound(day, found.reason);
  return found.number;
}

const notFound = (day: UtcDay, reason: string) =>
  new CommandError(`Nothing was started: the first block of ${day} was not found. ${reason}`);
