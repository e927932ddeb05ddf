import type { ChainName } from '../../lambda/chains/chains.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { printResult } from '../print.ts';
import { type Backfill, openBackfills } from './executions.ts';
import { readFailures } from './failures.ts';
import { openStage } from './open-stage.ts';
import { type BackfillStatus, showStatus, statusOf } from './show-status.ts';

export interface StatusOptions extends CommonOptions {
  readonly chain?: readonly ChainName[];
}

/** So many that ended are shown beside those that run. */
const RECENT = 10;

/** Tells how far backfills are, and which of their days failed. */
export async function showBackfills(options: StatusOptions): Promise<void> {
  const service = await openStage(options);
  const found = await openBackfills(service).list(RECENT, options.chain);
  const statuses = await Promise.all(
    found.map(async (backfill) => {
      const failures = hasReport(backfill) ? await readFailures(service, backfill.mapRun) : [];
      return statusOf(backfill, failures, new Date());
    }),
  );
  printResult(options, statuses, showStatus(statuses, service.flags));
  if (newestOfEach(statuses).some(({ status }) => status === 'FAILED'))
    process.exitCode = exitCodes.checkFailed;
}

/** The report is written when all days are over. */
const hasReport = (backfill: Backfill): backfill is Backfill & { readonly mapRun: object } =>
  backfill.status === 'FAILED' && backfill.mapRun !== undefined && backfill.mapRun.failed > 0;

/** What failed before may be mended since. */
const newestOfEach = (statuses: readonly BackfillStatus[]): BackfillStatus[] =>
  statuses.filter(({ chain }, index) => statuses.findIndex((other) => other.chain === chain) === index);
