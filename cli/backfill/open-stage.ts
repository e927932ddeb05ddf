import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { type DeployedService, openDeployedService } from '../deployed-service.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';

interface Wanted extends CommonOptions {
  readonly chain?: string | readonly string[];
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
}

/** @throws CommandError when none is named, since this machine has no Step Functions; it names what does the same here */
export async function openStage({ stage, chain, startDate, endDate }: Wanted): Promise<DeployedService> {
  if (stage !== undefined) return openDeployedService(stage);
  const name = [chain].flat()[0] ?? 'ETHEREUM';
  const days = `--start-date ${startDate ?? '2026-10-01'} --end-date ${endDate ?? '2026-10-31'}`;
  throw new CommandError(
    'A backfill runs on a deployed stage: name it with --stage. On this machine, ingest does the same: ' +
      `npx chain-insights ingest --chain ${name} ${days}`,
    exitCodes.usage,
  );
}
