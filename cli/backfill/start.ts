import type { ChainName } from '../../core/chains/chains.ts';
import { ERA_URL } from '../../core/era/choose-source.ts';
import { BLOCKS_PER_FILE } from '../../core/era/file-name.ts';
import { confirm } from '../confirm.ts';
import { configOf, type DeployedService } from '../deployed-service.ts';
import { CommandError, exitCodes, usageError } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import type { CommonOptions } from '../options.ts';
import { commandLine, formatCount, pluralize, printNote, printResult } from '../print.ts';
import { chainIn } from '../service.ts';
import { chooseEraFiles, type EraRangeOptions } from './era-files.ts';
import { costOf, type Prices } from './estimate.ts';
import { type Backfills, createBackfills } from './executions.ts';
import { planBackfill, type RangeOptions, showPlan } from './plan.ts';

export interface StartOptions extends CommonOptions, RangeOptions, Prices {
  readonly yes: boolean;
}

/** Shows a plan for the missing days of a range, and starts it when confirmed. */
export async function startBackfill(service: DeployedService, options: StartOptions): Promise<void> {
  const served = chainIn(service, options.chain);
  const backfills = createBackfills(service);
  await checkNoneRuns(backfills, service, served.name);
  const plan = await planBackfill(served, options, daysAtOnceOf(options)).catch((error: unknown) => {
    throw interrupted.aborted ? new CommandError('Nothing was started.', exitCodes.interrupted) : error;
  });
  if (!plan) {
    const text = `Nothing to backfill: all finalized days of ${served.name} in this range are final.`;
    return printResult(options, { chain: served.name, execution: null, dates: [] }, text);
  }
  const cost = costOf(plan.estimate, plan.json_rpc_calls, options);
  printNote(`${showPlan(plan, cost)}\n`);
  await confirm('Start this backfill?', 'Nothing was started.', options);
  // The newest first: each day becomes final once the day after it is.
  const execution = await backfills.start({ chain: served.name, dates: plan.dates.toReversed() });
  const status = commandLine(service.flags, 'backfill', 'status', '--chain', served.name);
  printResult(
    options,
    { execution, ...plan, cost },
    `Started ${execution}. To see its progress:\n  ${status}`,
  );
}

/** @throws CommandError when a backfill runs: a second one would double the load on the endpoints */
async function checkNoneRuns(backfills: Backfills, { flags }: DeployedService, chain: ChainName) {
  const [running] = await backfills.running(chain);
  if (!running) return;
  throw new CommandError(
    [
      `Backfill ${running.name} of ${chain} is already running. To see its progress, or to stop it:`,
      `  ${commandLine(flags, 'backfill', 'status', '--chain', chain)}`,
      `  ${commandLine(flags, 'backfill', 'stop', '--chain', chain)}`,
    ].join('\n'),
  );
}

const daysAtOnceOf = ({ stage = '' }: StartOptions): number => configOf(stage).backfillDaysAtOnce;

export interface EraStartOptions extends CommonOptions, EraRangeOptions {
  readonly chain: ChainName;
  readonly yes: boolean;
}

/** Lists the era files of a mirror or a bucket, and starts their backfill on AWS when confirmed. */
export async function backfillFromFiles(service: DeployedService, options: EraStartOptions): Promise<void> {
  const { url, startDate, endDate } = options;
  if (!ERA_URL.test(url)) {
    throw usageError('On AWS, --url must be an https:// or s3:// URL. Add --local for a folder.');
  }
  checkBucket(service, options);
  const served = chainIn(service, options.chain);
  const backfills = createBackfills(service);
  await checkNoneRuns(backfills, service, served.name);
  const { region } = service.access;
  const files = (await chooseEraFiles(served, { ...options, region })).map(({ name }) => name);
  printNote(
    `${served.name}: ${pluralize(files.length, 'era file')} of ${url}, up to ${formatCount(files.length * BLOCKS_PER_FILE)} blocks. Cost: docs/scale.md#from-era-files.\n`,
  );
  await confirm('Start this backfill?', 'Nothing was started.', options);
  const execution = await backfills.start({ chain: served.name, url, files, startDate, endDate });
  const status = commandLine(service.flags, 'backfill', 'status', '--chain', served.name);
  printResult(
    options,
    { execution, chain: served.name, url, files },
    `Started ${execution}. To see its progress:\n  ${status}`,
  );
}

/** @throws CommandError when the deployed ingest function may not read the bucket of the URL */
function checkBucket({ outputs }: DeployedService, { url, stage = '' }: EraStartOptions): void {
  const { protocol, host } = new URL(url);
  const { EraBucketName: allowed } = outputs;
  if (protocol !== 's3:' || host === allowed) return;
  throw new CommandError(
    [
      `The deployed stage ${stage} may not read the bucket ${host}: its setting eraBucket names ${allowed ?? 'none'}.`,
      `Set eraBucket to '${host}' in lib/stages/${stage}.ts, and deploy it with npx cdk deploy -c stage=${stage}.`,
      'To prove the files on this machine instead, add --local.',
    ].join('\n'),
  );
}
