import { shareConcurrency } from '../../lib/concurrency.ts';
import type { Config } from '../../lib/config.ts';
import { CONCURRENCY_QUOTA, readConcurrencyLimit } from '../concurrency-limit.ts';
import { configOf, type DeployedService } from '../deployed-service.ts';
import { CommandError, explainAwsError } from '../exit-codes.ts';
import { formatCount, pluralize, printNote } from '../print.ts';
import type { Backfills } from './executions.ts';

/**
 * Returns how many days to read at once: those of the stage, or fewer, so that the account's other executions are enough for scheduled
 * runs, running backfills and requests. Says so if it is fewer, or if AWS does not tell the limit.
 * @throws CommandError when not even one day fits
 */
export async function chooseDaysAtOnce(
  { access }: DeployedService,
  backfills: Backfills,
  stage: string,
): Promise<number> {
  const config = configOf(stage);
  const { backfillDaysAtOnce: most, chains } = config;
  const limit = await readConcurrencyLimit(access).catch((error: unknown) => {
    const reason = explainAwsError(error);
    if (reason === undefined) throw error;
    printNote(
      `Not checked whether the account allows ${pluralize(most, 'more execution')} at once. ${reason}\n`,
    );
  });
  if (limit === undefined) return most;
  const others = (await backfills.list(0, undefined)).reduce(
    (sum, { input }) => sum + (input.daysAtOnce ?? most),
    0,
  );
  const days = daysWithin(config, limit, others);
  if (days === most) return most;
  const running = others > 0 ? `, ${formatCount(others)} for other backfills` : '';
  const account = `the account allows ${formatCount(limit)} executions at once: ${chains.length} for scheduled runs${running}, and the others for requests.`;
  const advice = `For more, ask under ${CONCURRENCY_QUOTA}`;
  if (days === 0) {
    const wait = others > 0 ? ', or wait until the other backfills end' : '';
    throw new CommandError(`Nothing was started: ${account} ${advice}${wait}.`);
  }
  printNote(`Reads ${pluralize(days, 'day')} at once instead of ${most}, because ${account} ${advice}.\n`);
  return days;
}

/**
 * Returns how many days a backfill may read at once, at most those of the stage. An account that has too few executions for all requests
 * still reads one day at once if the API stays of use.
 * @param others executions of other backfills
 */
export function daysWithin(config: Config, limit: number, others: number): number {
  const { forBackfills } = shareConcurrency(config, limit - others);
  const least = shareConcurrency(config, limit - others - 1).works ? 1 : 0;
  return Math.min(config.backfillDaysAtOnce, Math.max(least, forBackfills));
}
