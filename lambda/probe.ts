import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import * as z from 'zod/mini';
import { createParameterStore } from '../core/rpc/endpoints-parameter.ts';
import { fromEnvironment } from './environment.ts';
import { probeApi } from './probe/call-api.ts';

const parameters = createParameterStore();

/**
 * Calls the API for each chain like a client, on schedule and after a deployment.
 * @throws Error when a response is wrong, which the function's metric counts and an alarm reports
 */
export async function handler(): Promise<{ readonly outcome: 'ok'; readonly chains: readonly string[] }> {
  const chains = z.array(z.string()).parse(JSON.parse(fromEnvironment('probedChains')));
  const key = await readKey();
  const [url, maxAgeHours] = [fromEnvironment('apiUrl'), Number(fromEnvironment('maxAgeHours'))];
  const probes = chains.map(async (chain) => {
    const problem = await probeApi({ url, key, chain, maxAgeHours, now: Date.now() });
    if (problem !== undefined) console.error({ chain, outcome: 'failed', reason: problem });
    return problem === undefined ? [] : [`${chain}: ${problem}`];
  });
  const problems = (await Promise.all(probes)).flat();
  if (problems.length > 0)
    throw new Error(`The probe failed. ${problems.join('. ')}. See docs/runbook.md#probe-failing.`);
  console.info({ chains, outcome: 'ok' });
  return { outcome: 'ok', chains };
}

/** @throws Error when no key is issued, or it cannot be read */
async function readKey(): Promise<string> {
  try {
    const { Parameter } = await parameters.send(
      new GetParameterCommand({ Name: fromEnvironment('probeKeyParameter'), WithDecryption: true }),
    );
    return Parameter?.Value ?? '';
  } catch (error) {
    if (!(error instanceof ParameterNotFound)) throw error;
    throw new Error('The probe has no key. Issue one: npx --no chain-insights keys probe --stage <stage>.');
  }
}
