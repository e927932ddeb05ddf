import { deepEqual, equal } from 'node:assert/strict';
import { resourcesOf } from '../stack.ts';
import { NEW_TIER, updatedSettings } from '../stage-settings.ts';
import { type Api, checkCors, checkFigures, type Expected } from './api-calls.ts';
import { deploy, issueKey } from './deploy.ts';
import type { Trial } from './prepare.ts';

/** Updates the stage (a new tier, CORS on, one chain off), and calls it with the key of before. */
export async function tryUpdate(trial: Trial, api: Api, expected: readonly Expected[]): Promise<void> {
  const { report, target, project, settings, bsc, stackName } = trial;
  project.writeStage(updatedSettings(settings, bsc.name));
  const stack = await deploy(trial, project, 'deploys a new tier, CORS, and one chain less');
  for (const one of expected) await checkFigures(report, api, one);
  await checkCors(report, api, target);
  await report.check(`only ${bsc.name} has no schedule any more`, async () => {
    const schedules = (await resourcesOf(stackName)).filter(
      ({ type, logicalId }) => type === 'AWS::Scheduler::Schedule' && logicalId.startsWith('IngestSchedules'),
    );
    const enabled = Object.entries(settings.chains ?? {}).filter(([, chain]) => chain?.enabled !== false);
    equal(schedules.length, enabled.length - 1);
    deepEqual(
      schedules.filter(({ logicalId }) => logicalId.includes(bsc.name)),
      [],
    );
  });
  await report.check('a key of the new tier is valid', async () => {
    await issueKey(trial, project, stack, NEW_TIER);
  });
}
