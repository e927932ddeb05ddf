import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { type Route, routes } from './api/routes.ts';
import { fromEnvironment } from './environment.ts';
import { versionProblem } from './probe/call-version.ts';

const hookSchema = z.object({ DeploymentId: z.string(), LifecycleEventHookExecutionId: z.string() });
/** ARN of the new version of each query function. */
const versionsSchema = z.partialRecord(z.enum(routes.map(({ handler }) => handler)), z.string());
const lambda = new LambdaClient({});
const codeDeploy = new CodeDeployClient({});

/**
 * Decides, before a release gets any traffic, whether the new versions answer as documented. CodeDeploy calls it once for each function,
 * and it tries all of them: together they are one release.
 */
export async function handler(event: unknown): Promise<{ readonly problems: readonly string[] }> {
  const { DeploymentId: deploymentId, LifecycleEventHookExecutionId } = hookSchema.parse(event);
  const problems = await releaseProblems();
  if (problems.length > 0) console.error({ deploymentId, problems });
  else console.info({ deploymentId, problems });
  const lifecycleEventHookExecutionId = LifecycleEventHookExecutionId;
  const status = problems.length > 0 ? 'Failed' : 'Succeeded';
  await codeDeploy.send(
    new PutLifecycleEventHookExecutionStatusCommand({ deploymentId, lifecycleEventHookExecutionId, status }),
  );
  return { problems };
}

async function releaseProblems(): Promise<string[]> {
  const versions = versionsSchema.parse(JSON.parse(fromEnvironment('releasedVersions')));
  const [chain = ''] = z.array(z.string()).parse(JSON.parse(fromEnvironment('probedChains')));
  const found = await Promise.all(
    Object.entries(versions).map(async ([name, arn]) => {
      const problem = await tryVersion(name as Route['handler'], arn, chain);
      return problem === undefined ? [] : [`${name}: ${problem}`];
    }),
  );
  return found.flat();
}

/** A version that cannot be invoked is not released either. */
const tryVersion = (name: Route['handler'], arn: string, chain: string): Promise<string | undefined> =>
  versionProblem(lambda, name, arn, chain).catch((error: unknown) => `it could not be invoked: ${error}`);
