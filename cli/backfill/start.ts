import type { ChainName } from '../../lambda/chains/chains.ts';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { NoEndpointError } from '../../lambda/rpc/retry.ts';
import { configOf, type DeployedService } from '../deployed-service.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import type { CommonOptions } from '../options.ts';
import { printNote, printResult } from '../print.ts';
import { chainIn } from '../service.ts';
import { confirm } from './confirm.ts';
import { type Backfills, openBackfills } from './executions.ts';
import { openStage } from './open-stage.ts';
import { planBackfill } from './plan.ts';
import { showPlan } from './show-plan.ts';

export interface StartOptions extends CommonOptions {
  readonly chain: ChainName;
  readonly startDate: UtcDay;
  readonly endDate?: UtcDay;
  readonly yes: boolean;
}

/** Says what it takes to read the missing days of a range, and has them read. */
export async function startBackfill(options: StartOptions): Promise<void> {
  const service = await openStage(options);
  const served = chainIn(service, options.chain);
  const backfills = openBackfills(service);
  await refuseSecond(backfills, service, served.name);
  const wish = { ...options, daysAtOnce: daysAtOnceOf(options) };
  const plan = await planBackfill(served, wish).catch((error: unknown) => {
    throw whyNoPlan(error, served.name);
  });
  if (!plan) {
    const text = `No day of ${served.name} in this range is left to be read: what is finalized is final.`;
    return printResult(options, { chain: served.name, execution: null, dates: [] }, text);
  }
  printNote(`${showPlan(plan)}\n`);
  await agree(options);
  const execution = await backfills.start({ chain: served.name, dates: plan.dates });
  const next = `npx chain-insights backfill status${service.flags} --chain ${served.name}`;
  printResult(options, { execution, ...plan }, `Started ${execution}. How far it is: ${next}`);
}

/** Two at once would do no harm, but ask the nodes for twice as much as the stage allows. */
async function refuseSecond(backfills: Backfills, { flags }: DeployedService, chain: ChainName) {
  const [running] = await backfills.running(chain);
  if (!running) return;
  throw new CommandError(
    `A backfill of ${chain} is running: ${running.name}. See how far it is with npx chain-insights backfill status${flags} --chain ${chain}, ` +
      `or end it with npx chain-insights backfill stop${flags} --chain ${chain}.`,
  );
}

const daysAtOnceOf = ({ stage = '', chain }: StartOptions): number =>
  configOf(stage).chains.find(({ name }) => name === chain)?.backfillDaysAtOnce ?? 1;

function whyNoPlan(error: unknown, chain: ChainName): unknown {
  if (interrupted.aborted) return new CommandError('Nothing was started.', exitCodes.interrupted);
  if (!(error instanceof NoEndpointError)) return error;
  return new CommandError(
    `Nothing was started, since the nodes of ${chain} do not give what is to be read: ${error.message}. ` +
      'Old days need nodes that have them, and read fast: docs/deploy.md#nodes-of-your-own.',
  );
}

async function agree({ yes }: StartOptions): Promise<void> {
  if (yes) return;
  if (process.stdin.isTTY) return confirm('Start it?');
  throw new CommandError(
    'Nothing was started: where there is no terminal to ask on, add --yes.',
    exitCodes.usage,
  );
}
