import { BACKFILL_DAYS, type KnownChain, storedDay } from '../known-chain.ts';
import { outputOf, type Stack } from '../stack.ts';
import { PUBLIC_CHAIN, parameterOf, publicDay } from '../stage-settings.ts';
import type { Expected } from './api-calls.ts';
import { importDays } from './backfill.ts';
import { invokeIngest, waitForDays, waitForProgress } from './ingest.ts';
import type { Trial } from './prepare.ts';

/** Fills the table with the newest days of both chains, by the ingest if it can reach the nodes. */
export async function fillNewestDays(trial: Trial, stack: Stack): Promise<void> {
  const { report, target, hasNodes, ethereum, bsc } = trial;
  for (const chain of [ethereum, bsc]) {
    if (hasNodes) await ingestNewestDays(trial, stack, chain);
    else await importAllDays(trial, chain);
  }
  if (!hasNodes) report.skip('the ingest reads known blocks', 'without --node-cert and --node-key');
  if (target.isEmulator) return report.skip('schedules start the ingest', 'emulators may not fire schedules');
  await report.step(`a schedule reads ${PUBLIC_CHAIN} from public nodes`, () =>
    waitForProgress(outputOf(stack, 'TableName'), PUBLIC_CHAIN, publicDay(trial.today)),
  );
}

async function ingestNewestDays(trial: Trial, stack: Stack, { name, days }: KnownChain): Promise<void> {
  const { report, target, options } = trial;
  const newest = days.slice(BACKFILL_DAYS);
  const [startDate = ''] = newest;
  if (!target.isEmulator) {
    return report.step(`a schedule completes ${newest.length} days of ${name}`, () =>
      waitForDays(outputOf(stack, 'TableName'), name, newest),
    );
  }
  const endpointsParameter = parameterOf(options.stage, name);
  const event = { job: 'ingest' as const, chain: name, startDate, endpointsParameter };
  return report.step(`the ingest completes ${newest.length} days of ${name}`, () =>
    invokeIngest(outputOf(stack, 'IngestFunctionName'), event, newest),
  );
}

const importAllDays = ({ report, project }: Trial, chain: KnownChain): Promise<void> =>
  report.step(`imports ${chain.days.length} days of ${chain.name}`, () =>
    importDays(
      project,
      chain.days.map((day) => storedDay(chain, day)),
    ),
  );

/** Returns the days of a chain that are final after `fillNewestDays`. */
export const filledDays = ({ hasNodes }: Trial, chain: KnownChain): Expected => ({
  chain,
  final: hasNodes ? chain.days.slice(BACKFILL_DAYS) : chain.days,
});
