import type { ChainName } from '../../lambda/chains/chains.ts';
import { BLOCKS_PER_FILE } from '../../lambda/era/file-name.ts';
import { ERA_URL } from '../../lambda/era/open-source.ts';
import type { DeployedService } from '../deployed-service.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { commandLine, formatCount, pluralize, printNote, printResult } from '../print.ts';
import { chainIn } from '../service.ts';
import { chooseEraFiles, type EraRangeOptions } from './era-files.ts';
import { openBackfills } from './executions.ts';
import { checkNoneRuns, confirm } from './start.ts';

export interface EraStartOptions extends CommonOptions, EraRangeOptions {
  readonly chain: ChainName;
  readonly yes: boolean;
}

/** Lists the era files of a mirror or a bucket, and starts their backfill on AWS when confirmed. */
export async function backfillFromFiles(service: DeployedService, options: EraStartOptions): Promise<void> {
  const { url } = options;
  if (!ERA_URL.test(url)) {
    throw new CommandError(
      'On AWS, --url must be an https:// or s3:// URL. Add --local for a folder.',
      exitCodes.usage,
    );
  }
  const served = chainIn(service, options.chain);
  const backfills = openBackfills(service);
  await checkNoneRuns(backfills, service, served.name);
  const files = (await chooseEraFiles(served, options)).map(({ name }) => name);
  printNote(
    `${served.name}: ${pluralize(files.length, 'era file')} of ${url}, up to ${formatCount(files.length * BLOCKS_PER_FILE)} blocks. Cost: docs/scale.md#from-era-files.\n`,
  );
  await confirm(options);
  const execution = await backfills.start({ chain: served.name, url, files });
  const status = commandLine(service.flags, 'backfill', 'status', '--chain', served.name);
  printResult(
    options,
    { execution, chain: served.name, url, files },
    `Started ${execution}. To see its progress:\n  ${status}`,
  );
}
