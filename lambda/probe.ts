import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import * as z from 'zod/mini';
import { createParameterStore } from '../core/rpc/endpoints-parameter.ts';
import { fromEnvironment } from './environment.ts';
import { probeApi } from './probe/call-api.ts';

const parameters = createParameterStore();

/** Each run asks for the next chain. */
const RUN_MS = 20 * 60_000;

/**
 * Calls the API like a client, on schedule and after a deployment.
 * @throws Error when the response is wrong, which the function's metric counts and an alarm reports
 */
export async function handler(): Promise<{ readonly outcome: 'ok'; readonly chain: string }> {
  const now = Date.now();
  const chains = z.array(z.string()).parse(JSON.parse(fromEnvironment('probedChains')));
  const chain = chains[Math.floor(now / RUN_MS) % chains.length] ?? '';
  const maxAgeHours = Number(fromEnvironment('maxAgeHours'));
  const problem = await probeApi({
    url: fromEnvironment('apiUrl'),
    key: await readKey(),
    chain,
    maxAgeHours,
    now,
  });
  if (problem !== undefined) {
    console.error({ chain, outcome: 'failed', reason: problem });
    throw new Error(`The probe of ${chain} failed: ${problem}. See docs/runbook.md#probe-failing.`);
  }
  console.info({ chain, outcome: 'ok' });
  return { outcome: 'ok', chain };
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
