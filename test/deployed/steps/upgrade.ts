import { deepEqual } from 'node:assert/strict';
import { checkOutProject, type Project } from '../project.ts';
import type { Stack } from '../stack.ts';
import { type Api, responsesOf } from './api-calls.ts';
import { deploy, issueKey } from './deploy.ts';
import { fillNewestDays } from './fill.ts';
import type { Trial } from './prepare.ts';

/** An earlier version, deployed and filled. */
export interface Release {
  readonly project: Project;
  readonly stack: Stack;
  readonly api: Api;
  /** Bodies of responses. */
  readonly responses: readonly string[];
}

/** Deploys an earlier version, issues a key and fills its table. */
export async function deployRelease(trial: Trial, ref: string): Promise<Release> {
  const { report, options, settings, placeOf } = trial;
  const release = await report.step(`checks out ${ref} and installs its packages`, () =>
    checkOutProject(placeOf('release'), options.stage, ref),
  );
  release.writeStage(settings);
  const stack = await deploy(trial, release, `deploys ${ref}`);
  const api = await report.step('its command line issues a key', () =>
    issueKey(trial, release, stack, 'standard'),
  );
  await fillNewestDays(trial, stack);
  return { project: release, stack, api, responses: await responsesOf(api, [trial.ethereum, trial.bsc]) };
}

/** Outputs that an upgrade must not change: clients and keys depend on them, and a new table is empty. */
const KEPT = ['Url', 'TableName', 'UsagePlanIdStandard'] as const;

/** Checks that an upgrade kept the table, the keys and every figure. */
export async function checkUpgrade(
  { report, ethereum, bsc }: Trial,
  before: Release,
  now: Stack,
): Promise<void> {
  const kept = ({ outputs }: Stack) => KEPT.map((name) => outputs[name]);
  await report.check(`the upgrade keeps ${KEPT.join(', ')}`, async () =>
    deepEqual(kept(now), kept(before.stack)),
  );
  await report.check('the key of the release returns the same bytes', async () =>
    deepEqual(await responsesOf(before.api, [ethereum, bsc]), before.responses),
  );
}

/** Rolls the stage back to the earlier version and forward again, over the days of both (docs/decisions/0037-expand-and-contract.md). */
export async function tryRollback(trial: Trial, release: Release): Promise<void> {
  const { report, options, ethereum, bsc } = trial;
  const checkBytes = (version: string) =>
    report.check(`${version} returns the same bytes`, async () =>
      deepEqual(await responsesOf(release.api, [ethereum, bsc]), release.responses),
    );
  await deploy(trial, release.project, `rolls back to ${options['upgrade-from']}`);
  await checkBytes('the version before');
  await deploy(trial, trial.project, 'rolls forward again');
  await checkBytes('this version');
}
