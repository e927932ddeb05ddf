import { deepEqual } from 'node:assert/strict';
import * as z from 'zod';
import { exitCodes } from '#cli/exit-codes.ts';
import { gapOf, type Target } from '../options.ts';
import type { Project } from '../project.ts';
import { findStack, outputOf, type Stack, stackOf } from '../stack.ts';
import { type Api, waitForKey } from './api-calls.ts';
import { restoreLostStage } from './lost-stage.ts';
import type { Trial } from './prepare.ts';

/** The name of CDK's bootstrap stack. */
export const BOOTSTRAP_STACK = 'CDKToolkit';

/** Ensures that the target is prepared for CDK and has no stack of the trial's name. */
export async function checkTarget({ options, target, report, project, stackName }: Trial): Promise<void> {
  await report.step(`finds no stack ${stackName}`, async () => {
    const stack = await findStack(stackName);
    if (!stack) return;
    throw new Error(
      `Stack ${stackName} exists with status ${stack.status}: an earlier trial left it. Remove it with npm run test:deployed -- --stage ${options.stage} --clean.`,
    );
  });
  if (await findStack(BOOTSTRAP_STACK)) return;
  await report.step('runs cdk bootstrap', async () => {
    // Bootstrapping an account needs an administrator, and what it creates stays.
    if (!target.isEmulator)
      throw new Error('The account is not prepared for CDK. Run npx cdk bootstrap once.');
    await project.cdk('bootstrap', ...contextOf(options.stage));
  });
}

const doctorSchema = z.object({ account: z.array(z.object({ check: z.string(), works: z.boolean() })) });

/** Checks that `doctor` agrees that the stage can be deployed. */
export async function checkDoctor({ report, target, project }: Trial): Promise<void> {
  await report.check(
    'doctor finds nothing that prevents a deployment',
    async () => {
      const codes = [exitCodes.done, exitCodes.checkFailed];
      const { account } = doctorSchema.parse(JSON.parse(await project.commands(['doctor', '--json'], codes)));
      // Little concurrency slows a stage down, but does not prevent its deployment.
      const failed = account.filter(({ check, works }) => !works && check !== 'concurrency');
      deepEqual(failed, []);
    },
    gapOf(target, 'emulators may not know what doctor asks'),
  );
}

export const contextOf = (stage: string): readonly string[] => ['-c', `stage=${stage}`];

/** Deploys the stage of a copy of the project. */
export async function deploy(trial: Trial, { cdk }: Project, claim: string): Promise<Stack> {
  const { report, options, stackName } = trial;
  const stack = await report.step(claim, async () => {
    await cdk('deploy', '--require-approval', 'never', '--progress', 'events', ...contextOf(options.stage));
    return stackOf(stackName);
  });
  await restoreLostStage(trial, stack);
  return stack;
}

/** Issues a key and waits until it is valid. Returns the API with it. */
export async function issueKey(
  { target, ethereum }: Trial,
  { commands }: Project,
  stack: Stack,
  tier: string,
): Promise<Api> {
  const key = await commands(['keys', 'issue', '--name', `trial-${tier}`, '--tier', tier]);
  const api = { url: urlOf(target, outputOf(stack, 'Url')), key: key.trim() };
  await waitForKey(api, ethereum);
  return api;
}

/**
 * Returns the API's URL. An emulator rarely has DNS names for APIs. LocalStack also serves them under a path,
 * https://docs.localstack.cloud/aws/services/apigateway/#accessing-http-resources-via-localstack
 */
function urlOf({ endpoint }: Target, output: string): string {
  if (!endpoint) return output;
  const { hostname, pathname } = new URL(output);
  const [id] = hostname.split('.');
  return new URL(`_aws/execute-api/${id}${pathname}`, endpoint).href;
}
