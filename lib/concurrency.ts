import type { Config } from './config.ts';

/* Must not import aws-cdk-lib: `doctor` compares it with the account. */

/** Longer than nearly all requests take. */
const REQUEST_SECONDS = 0.1;
/** Executions without which an API is of no use: about 30 requests a second. */
const MIN_REQUESTS = 3;

/** Describes who shares the executions at once that an account allows. A run takes minutes while it catches up, and seconds afterwards. */
export function shareConcurrency(config: Config, limit: number) {
  const { chains, backfillDaysAtOnce, requestsPerSecond } = config;
  const left = Math.max(0, limit - chains.length);
  const all = chains.length + backfillDaysAtOnce + requestsOf(config);
  const summary =
    `${limit} executions at once: ${chains.length} for ingests while they catch up leave ${left} for requests, about ` +
    `${Math.round(left / REQUEST_SECONDS)} a second. A backfill takes ${backfillDaysAtOnce} more; with it and ${requestsPerSecond} ` +
    `requests a second, ${all} are needed`;
  return { works: left >= MIN_REQUESTS, isEnough: limit >= all, summary };
}

const requestsOf = ({ requestsPerSecond }: Config): number => Math.ceil(requestsPerSecond * REQUEST_SECONDS);

/**
 * Returns how many days a backfill may read at once, at most those of the stage. An account that has too few executions for all requests
 * still reads one day at once if the API stays of use.
 * @param others executions of other backfills
 */
export function daysWithin(config: Config, limit: number, others: number): number {
  const left = limit - config.chains.length - others;
  const least = left > MIN_REQUESTS ? 1 : 0;
  return Math.min(config.backfillDaysAtOnce, Math.max(least, left - requestsOf(config)));
}
