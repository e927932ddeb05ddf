import { ERA_URL } from '../../core/blocks/files/choose-source.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import type { BackfillInput } from '../../lib/backfill/input.ts';
import type { DeployedService } from '../deployed-service.ts';
import { CommandError, confirm, orStopped, usageError } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { chainIn } from '../service.ts';
import { chooseDaysAtOnce } from './days-at-once.ts';
import { type Backfills, createBackfills } from './executions.ts';
import { costOf, type Prices, planBackfill, type RangeOptions, showPlan } from './plan.ts';
import { openFiles, planFiles } from './plan-files.ts';

export interface StartOptions extends CommonOptions, RangeOptions, Prices {
  readonly yes: boolean;
}

/** Shows a plan for the missing days of a range, and starts it when confirmed. */
export async function startBackfill(service: DeployedService, options: StartOptions): Promise<void> {
  const served = chainIn(service, options.chain);
  const backfills = await idleBackfills(service, served.name);
  const daysAtOnce = await chooseDaysAtOnce(service, backfills, options.stage ?? '');
  const plan = await orStopped(planBackfill(served, options, daysAtOnce), 'Nothing was started.');
  if (!plan) {
    const text = `Nothing to backfill: every day of this range that ${served.name} has finalized is already published.`;
    return printResult(options, { chain: served.name, execution: null, dates: [] }, text);
  }
  const cost = costOf(plan.estimate, plan.json_rpc_calls, options);
  printNote(`${showPlan(plan, cost)}\n`);
  // The newest first: each day becomes final once the day after it is.
  const input = { chain: served.name, dates: plan.dates.toReversed(), daysAtOnce };
  await startConfirmed(service, backfills, options, input, { ...plan, cost });
}

/** @param document printed with the name of the execution */
async function startConfirmed(
  service: DeployedService,
  backfills: Backfills,
  options: StartOptions,
  input: BackfillInput,
  document: object,
): Promise<void> {
  const { flags } = service;
  await confirm('Start this backfill?', 'Nothing was started.', options);
  // Another operator may have started one while this one was planned and confirmed.
  await refuseSecond(service, backfills, options.chain);
  const execution = await backfills.start(input);
  const status = commandLine(flags, 'backfill', 'status', { chain: input.chain });
  const text = `Started ${execution}. To see its progress:\n  ${status}`;
  printResult(options, { execution, ...document }, text);
}

async function idleBackfills(service: DeployedService, chain: ChainName): Promise<Backfills> {
  const backfills = createBackfills(service);
  await refuseSecond(service, backfills, chain);
  return backfills;
}

/** @throws CommandError when a backfill runs: a second one would double the load on the endpoints */
async function refuseSecond(service: DeployedService, backfills: Backfills, chain: ChainName): Promise<void> {
  const [running] = await backfills.running(chain);
  if (!running) return;
  throw new CommandError(
    [
      `Backfill ${running.name} of ${chain} is already running. To see its progress, or to stop it:`,
      `  ${commandLine(service.flags, 'backfill', 'status', { chain })}`,
      `  ${commandLine(service.flags, 'backfill', 'stop', { chain })}`,
    ].join('\n'),
  );
}

/** With the URL of a mirror or a bucket. */
type FileStartOptions = StartOptions & { readonly url: string };

/** Finds the missing days in the era files of a mirror or a bucket, and starts their backfill on AWS when confirmed. */
export async function backfillFromFiles(service: DeployedService, options: FileStartOptions): Promise<void> {
  const { url } = options;
  if (!ERA_URL.test(url)) {
    throw usageError('On AWS, --url must be an https:// or s3:// URL. Add --local for a folder.');
  }
  checkBucket(service, options);
  const served = chainIn(service, options.chain);
  const backfills = await idleBackfills(service, served.name);
  const daysAtOnce = await chooseDaysAtOnce(service, backfills, options.stage ?? '');
  const { region } = service.access;
  const opened = await openFiles(served, { url, region });
  const plan = await planFiles(served, opened, options);
  // Scheduled runs read the day in which the files end.
  const dates = plan.dates.filter((day) => day !== plan.cutDay).toReversed();
  if (dates.length === 0) {
    const text = `Nothing to backfill: all complete days of ${served.name} in ${url} are final or wait.`;
    return printResult(options, { chain: served.name, execution: null, dates }, text);
  }
  printNote(
    `${served.name}: ${pluralize(dates.length, 'missing day')} from the era files of ${url}. Cost: docs/operate/scale.md#from-era-files.\n`,
  );
  const input = { chain: served.name, url, dates, daysAtOnce };
  await startConfirmed(service, backfills, options, input, input);
}

/** @throws CommandError when the deployed ingest function may not read the bucket of the URL */
function checkBucket({ outputs }: DeployedService, { url, stage = '' }: FileStartOptions): void {
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
