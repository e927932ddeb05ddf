import type { ChainName } from '../../core/chains/chains.ts';
import { listCheckpoints } from '../../core/store/days/checkpoints.ts';
import { listFinalDays } from '../../core/store/days/days.ts';
import { listWaitingDays } from '../../core/store/days/waiting-days.ts';
import { pluralize, printResult } from '../print.ts';
import { chainsOf, type OperatedService, type ServedChain } from '../service.ts';
import type { StatusOptions } from './status.ts';

/** The days of a chain in a table, whatever read them. */
interface DaysStatus {
  readonly chain: ChainName;
  readonly final: number;
  /** Days of which every block is read, and that become final once the day after them is. */
  readonly waiting: number;
  /** Days of which some blocks are read. */
  readonly begun: number;
}

const FIRST = '0000-01-01';

/** Shows the days of the service on this machine, where a backfill runs only as long as its command. */
export async function showLocalDays(service: OperatedService, options: StatusOptions): Promise<void> {
  const days = await Promise.all(chainsOf(service, options.chain).map(daysOf));
  const found = days.filter(({ final, waiting, begun }) => final + waiting + begun > 0);
  printResult(options, { days: found }, found.map(showChain).join('\n') || 'No days are read yet.');
}

async function daysOf({ name, store }: ServedChain): Promise<DaysStatus> {
  const [final, waiting, begun] = await Promise.all([
    listFinalDays(store, FIRST),
    listWaitingDays(store),
    listCheckpoints(store),
  ]);
  const ended = new Set([...final, ...waiting.map(({ progress }) => progress.day)]);
  return {
    chain: name,
    final: final.length,
    waiting: waiting.filter(({ progress }) => !final.includes(progress.day)).length,
    begun: begun.filter(({ day, progress }) => progress?.first && !ended.has(day)).length,
  };
}

function showChain({ chain, final, waiting, begun }: DaysStatus): string {
  const parts = [
    `${pluralize(final, 'day')} final`,
    ...(waiting > 0 ? [`${pluralize(waiting, 'day')} read, final once the day after is`] : []),
    ...(begun > 0 ? [`${pluralize(begun, 'day')} begun`] : []),
  ];
  return `${chain}: ${parts.join(', ')}.`;
}
