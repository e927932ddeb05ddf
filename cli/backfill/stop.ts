import type { ChainName } from '../../lambda/chains/chains.ts';
import { CommandError } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { printResult } from '../print.ts';
import { openBackfills } from './executions.ts';
import { openStage } from './open-stage.ts';

export interface StopOptions extends CommonOptions {
  readonly chain: ChainName;
}

/** Ends what runs for a chain; started again, it goes on where it was. */
export async function stopBackfill(options: StopOptions): Promise<void> {
  const service = await openStage(options);
  const backfills = openBackfills(service);
  const { chain } = options;
  const running = await backfills.running(chain);
  if (running.length === 0) {
    throw new CommandError(
      `No backfill of ${chain} is running. Those that have: npx chain-insights backfill status${service.flags}`,
    );
  }
  await Promise.all(running.map(backfills.stop));
  const dates = running.flatMap(({ input }) => input.dates).toSorted();
  const text = [
    `Stopped ${running.map(({ name }) => name).join(', ')}. Final days stay; those half read are kept as far as they are,`,
    'once the runs under way have ended, within five minutes.',
    `Go on with: npx chain-insights backfill start${service.flags} --chain ${chain} --start-date ${dates[0]} --end-date ${dates.at(-1)}`,
  ];
  printResult(options, { chain, stopped: running.map(({ name }) => name) }, text.join('\n'));
}
