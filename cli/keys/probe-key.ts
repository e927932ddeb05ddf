import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { createParameterStore } from '../../core/rpc/endpoints-parameter.ts';
import { probeKeyParameter } from '../../lib/stages/probe-key.ts';
import type { DeployedService } from '../deployed-service.ts';
import type { CommonOptions } from '../options.ts';
import { printNote, printResult } from '../print.ts';
import { chooseTier } from './choose.ts';
import type { Keys } from './keys.ts';

export interface ProbeOptions extends CommonOptions {
  readonly tier?: string;
}

const NAME = 'probe';

/**
 * Issues the key of the probe, and stores it where the probe reads it: nobody sees it. Then disables the keys that it replaces. Run again
 * to rotate the key.
 */
export async function issueProbeKey(
  keys: Keys,
  { stackName, access }: Pick<DeployedService, 'stackName' | 'access'>,
  options: ProbeOptions,
): Promise<void> {
  const tier = chooseTier(keys, options.tier);
  const old = (await keys.list()).filter(({ name, enabled }) => name === NAME && enabled);
  const { key, value } = await keys.issue({ name: NAME, tier: tier.name });
  const parameter = probeKeyParameter(stackName);
  try {
    const put = { Name: parameter, Value: value, Type: 'SecureString', Overwrite: true } as const;
    await createParameterStore(access).send(new PutParameterCommand(put));
  } catch (error) {
    await keys.setEnabled(key, false);
    throw error;
  }
  for (const replaced of old) await keys.setEnabled(replaced, false);
  printNote(
    `The probe reads the key within 20 minutes. To try it now, invoke the function of the output ProbeFunctionName.`,
  );
  printResult(
    options,
    { ...key, parameter },
    `Issued key ${key.id} for the probe, and stored it in ${parameter}.`,
  );
}
