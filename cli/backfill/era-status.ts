import type { ChainName } from '../../core/chains/chains.ts';
import { countCompleteDays } from '../../core/era/complete-days.ts';
import { blocksIn, isSummed } from '../../core/era/sum-file.ts';
import { listEraSums } from '../../core/store/era-sums.ts';
import { formatCount, formatRate, pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';

/** The block files of a chain that are proven so far, by all backfills. */
interface EraStatus {
  readonly chain: ChainName;
  readonly proven: number;
  readonly refused: number;
  readonly blocks: number;
  /** Of one function, or one thread on this machine. */
  readonly blocks_per_second: number;
  /** Days of which every block is proven. */
  readonly days: number;
  readonly function_hours: number;
  /** Present with a price. */
  readonly cost?: number;
}

/** @param pricePerHour of the ingest function */
export async function eraStatusOf(
  { name, store, chain }: ServedChain,
  pricePerHour: number | undefined,
): Promise<EraStatus> {
  const files = await listEraSums(store);
  const blocks = files.reduce((sum, file) => sum + blocksIn(file), 0);
  const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
  const hours = seconds / 3_600;
  return {
    chain: name,
    proven: files.filter(isSummed).length,
    refused: files.filter(({ problem }) => problem !== undefined).length,
    blocks,
    blocks_per_second: seconds > 0 ? blocks / seconds : 0,
    days: countCompleteDays(files, chain.firstDay),
    function_hours: hours,
    ...(pricePerHour !== undefined && { cost: hours * pricePerHour }),
  };
}

export function showEraStatus(status: EraStatus): string {
  const { chain, proven, refused, blocks, blocks_per_second, days, function_hours, cost } = status;
  if (proven + refused === 0) return `${chain}: No era files yet.`;
  const price = cost === undefined ? '' : `, cost ${cost.toFixed(2)}`;
  return (
    `${chain}: ${pluralize(proven, 'file')} proven, ${formatCount(refused)} refused. ${pluralize(blocks, 'block')}, ` +
    `${formatRate(blocks_per_second)} blocks/s for each worker. ${pluralize(days, 'day')} complete. ` +
    `${function_hours.toFixed(2)} hours of work so far${price}.`
  );
}
