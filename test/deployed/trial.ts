import {
  type Api,
  checkFigures,
  checkPages,
  checkRefusals,
  checkResponses,
  type Expected,
} from './steps/api-calls.ts';
import { tryBackfill } from './steps/backfill.ts';
import { cleanUp } from './steps/clean-up.ts';
import { checkDoctor, checkTarget, deploy, issueKey } from './steps/deploy.ts';
import { filledDays, fillNewestDays } from './steps/fill.ts';
import { connectNodes, type Trial } from './steps/prepare.ts';
import { tryProbe } from './steps/probe.ts';
import { tryRestore } from './steps/restore.ts';
import { tryUpdate } from './steps/update.ts';
import { checkUpgrade, deployRelease, tryRollback } from './steps/upgrade.ts';

/** Deploys the stage, tries it and destroys it, also after a failure. */
export async function runTrial(trial: Trial): Promise<void> {
  const { report, options } = trial;
  report.section('Target');
  await checkTarget(trial);
  try {
    await report.step('stores the URLs of the nodes', () => connectNodes(trial));
    await checkDoctor(trial);
    await tryStage(trial);
  } finally {
    if (options.keep) report.note(`The stage stays. Remove it with --stage ${options.stage} --clean.`);
    else await cleanUp(trial);
  }
}

async function tryStage(trial: Trial): Promise<void> {
  const { report, target, ethereum, bsc, hasNodes } = trial;
  const api = await deployFilled(trial);
  const newest = { ethereum: filledDays(trial, ethereum), bsc: filledDays(trial, bsc) };

  report.section('Calls');
  await checkFigures(report, api, newest.ethereum);
  await checkFigures(report, api, newest.bsc);
  await checkRefusals(report, api, target);
  await checkPages(report, api, target);

  report.section('Restore');
  await tryRestore(trial, api);

  report.section('Backfill');
  if (hasNodes) await tryBackfill(trial);
  else report.skip('a backfill with one bad day', 'without --node-cert and --node-key');
  const all: Expected = { ...newest.ethereum, final: ethereum.days };
  await checkFigures(report, api, all);

  report.section('Formats');
  await checkResponses(report, api, all);

  report.section('Update');
  await tryUpdate(trial, api, [all, newest.bsc]);

  report.section('Probe');
  await tryProbe(trial, api);
}

/** Deploys the stage, on top of an earlier version if the options name one, with days in its table. */
async function deployFilled(trial: Trial): Promise<Api> {
  const { report, options, project } = trial;
  const ref = options['upgrade-from'];
  if (ref !== undefined) report.section(`Release ${ref}`);
  const release = ref === undefined ? undefined : await deployRelease(trial, ref);
  report.section('Deployment');
  const stack = await deploy(trial, project, release ? 'upgrades the stage' : 'deploys the stage');
  if (release) {
    await checkUpgrade(trial, release, stack);
    await tryRollback(trial, release);
    return release.api;
  }
  const api = await report.step('issues a key', () => issueKey(trial, project, stack, 'standard'));
  await fillNewestDays(trial, stack);
  return api;
}
