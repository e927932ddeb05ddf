import type { Config } from './config.ts';

/* Must not import aws-cdk-lib: `doctor` compares it with the account. */

/** Longer than nearly all requests take. */
const REQUEST_SECONDS = 0.1;

/** Returns the functions that a stage runs at once: every ingest, one backfill, and requests at the stage's rate. */
export function neededConcurrency({ chains, backfillDaysAtOnce, requestsPerSecond }: Config) {
  const ingests = chains.length;
  const requests = Math.ceil(requestsPerSecond * REQUEST_SECONDS);
  const parts = `${ingests} for ingests, ${backfillDaysAtOnce} for a backfill, ${requests} for requests`;
  return { total: ingests + backfillDaysAtOnce + requests, parts };
}
