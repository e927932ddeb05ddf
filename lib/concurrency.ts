import type { Config } from './config.ts';

/* Must not import aws-cdk-lib: `doctor` compares it with the account. */

/** Longer than nearly all requests take. */
const REQUEST_SECONDS = 0.1;
/** Executions without which an API is of no use: about 30 requests a second. */
const MIN_REQUESTS = 3;

/** Describes who shares the executions at once that an account allows. A run takes minutes while it catches up, and seconds afterwards. */
export function shareConcurrency({ chains, backfillDaysAtOnce, requestsPerSecond }: Config, limit: number) {
  const left = Math.max(0, limit - chains.length);
  const others = chains.length + Math.ceil(requestsPerSecond * REQUEST_SECONDS);
  const all = others + backfillDaysAtOnce;
  const summary =
    `${limit} executions at once: ${chains.length} for ingests while they catch up leave ${left} for requests, about ` +
    `${Math.round(left / REQUEST_SECONDS)} a second. A backfill takes ${backfillDaysAtOnce} more; with it and ${requestsPerSecond} ` +
    `requests a second, ${all} are needed`;
  return { works: left >= MIN_REQUESTS, isEnough: limit >= all, forBackfills: limit - others, summary };
}
