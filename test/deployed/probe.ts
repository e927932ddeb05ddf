import { equal, match } from 'node:assert/strict';
import {
  GetFunctionConfigurationCommand,
  InvokeCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { environment } from '#lambda/environment.ts';
import type { Api } from './api-calls.ts';
import { eventually } from './eventually.ts';
import type { Trial } from './prepare.ts';
import { outputOf, stackOf } from './stack.ts';
import { PUBLIC_CHAIN } from './stage-settings.ts';

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
  // The days of a trial may be older than those of a service. In an emulator, no name leads to the API.
  await setVariables(lambda, FunctionName, {
    [environment.maxAgeHours]: '1000',
    ...(target.isEmulator && { [environment.apiUrl]: api.url }),
  });
  await report.step('keys probe issues a key that nobody sees', async () => {
    const printed = await project.commands(['keys', 'probe', '--tier', 'standard']);
    equal(printed.includes(api.key), false);
  });
  await report.check('the probe succeeds with it', () =>
    eventually(async () => {
      const answer = await invoke();
      // In an account, the days of the public chain may not be final yet.
      const others = answer.replaceAll(
        new RegExp(`${PUBLIC_CHAIN}: none of the last .*? has a row`, 'g'),
        '',
      );
      if (!/"outcome":"ok"/.test(answer) && /(ETHEREUM|BSC): |no key|status is/.test(others))
        throw new Error(answer);
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
