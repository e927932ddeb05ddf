import { equal, match } from 'node:assert/strict';
import {
  GetFunctionConfigurationCommand,
  InvokeCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { environment } from '#lambda/environment.ts';
import { eventually } from '../eventually.ts';
import { outputOf, stackOf } from '../stack.ts';
import type { Api } from './api-calls.ts';
import type { Trial } from './prepare.ts';

/** A new key is valid after some seconds. */
const PROPAGATION = { limitMs: 120_000, pauseMs: 5_000 };

/** Invokes the deployed probe without a key, and then with the one that the command issues. */
export async function tryProbe(trial: Trial, api: Api): Promise<void> {
  const { report, target, project, stackName } = trial;
  const lambda = new LambdaClient();
  const FunctionName = outputOf(await stackOf(stackName), 'ProbeFunctionName');
  const invoke = async (): Promise<string> => {
    const { Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
    return Payload?.transformToString() ?? '';
  };
  await report.check('the probe fails without a key, and names the command', async () =>
    match(await invoke(), /The probe has no key\. Issue one: .* keys probe /),
  );
  // In an emulator, no name leads to the API.
  if (target.isEmulator) await setVariables(lambda, FunctionName, { [environment.apiUrl]: api.url });
  await report.step('keys probe issues a key that nobody sees', async () => {
    const printed = await project.commands(['keys', 'probe', '--tier', 'standard']);
    equal(printed.includes(api.key), false);
  });
  await report.check('the probe succeeds with it', () =>
    eventually(async () => {
      const answer = await invoke();
      if (!/"outcome":"ok"/.test(answer)) throw new Error(answer);
    }, PROPAGATION),
  );
}

async function setVariables(
  client: LambdaClient,
  FunctionName: string,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const { Environment } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const Variables = { ...Environment?.Variables, ...changed };
  await client.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  await waitUntilFunctionUpdatedV2({ client, maxWaitTime: 60 }, { FunctionName });
}
